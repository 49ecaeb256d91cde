//! Peers by name. Each is called as its documentation recommends for speed. Peers with long builds need the
//! feature `peers`, and are named gaps in their tables without it.

#[cfg(feature = "peers")]
mod native;
mod rust;

pub(crate) use rust::Blake256;

use crate::method::Method;

/// The function that a peer is asked to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Md5,
    Sha1,
    Sha256,
    Sha512,
    Sha3,
    /// SHA-256 of messages of 64 bytes.
    Node,
    /// SHA-256 of SHA-256 of messages of 64 bytes.
    DoubleNode,
    /// fs-verity's file digest.
    FsVerity,
    /// The same with SHA-512.
    FsVerity512,
    /// The peer's own hash function.
    Own,
    /// The same, with threads.
    OwnOnAllCores,
}

/// The libraries that programs use for one message at a time.
pub(crate) fn libraries(function: Function) -> Vec<Method> {
    ["ring", "aws-lc-rs", "OpenSSL"].map(|name| peer(name, function)).into()
}

/// The peer `name` computing `function`.
pub(crate) fn peer(name: &'static str, function: Function) -> Method {
    let method = rust::find(name, function)
        .or_else(|| find_native(name, function))
        .unwrap_or_else(|| Method::missing(name, "built without the feature `peers`"));
    if matches!(function, Function::Own | Function::OwnOnAllCores) {
        method.of_another_function()
    } else {
        method
    }
}

#[cfg(feature = "peers")]
use native::find as find_native;

#[cfg(not(feature = "peers"))]
fn find_native(_: &str, _: Function) -> Option<Method> {
    None
}
