//! Peers by name. Each is called as its documentation recommends for speed. Peers with long builds need the
//! feature `peers`, and are named gaps in their tables without it.

#[cfg(feature = "peers")]
mod native;
mod rust;

pub use rust::Blake256;

use crate::method::Method;

/// What a peer is asked to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// MD5.
    Md5,
    /// SHA-1.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
    /// SHA3-256.
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
#[must_use]
pub fn libraries(function: Function) -> Vec<Method> {
    ["ring", "aws-lc-rs", "OpenSSL"].map(|name| peer(name, function)).into()
}

/// The peer `name` computing `function`.
#[must_use]
pub fn peer(name: &'static str, function: Function) -> Method {
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

#[cfg(all(test, feature = "peers"))]
mod tests {
    use crate::{contest::Line, sections::Table};

    #[test]
    fn every_named_peer_is_built() {
        for contest in Table::ALL.iter().flat_map(|table| table.contests()) {
            for gap in contest.methods().filter_map(|method| method.gap()) {
                assert!(!gap.contains("feature `peers`"), "{}: {gap}", contest.title());
            }
        }
    }
}
