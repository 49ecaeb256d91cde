//! The peers behind the feature `peers`. Without it, each is a named gap in its table.

#[cfg(feature = "peers")]
mod built;

use crate::method::Method;

/// What a peer is asked to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// SHA-1.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
    /// SHA-256 of messages of 64 bytes.
    Node,
    /// SHA-256 of SHA-256 of messages of 64 bytes.
    DoubleNode,
    /// fs-verity's file digest.
    FsVerity,
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
    let method = find(name, function)
        .unwrap_or_else(|| Method::missing(name, "built without the feature `peers`"));
    if matches!(function, Function::Own | Function::OwnOnAllCores) {
        method.of_another_function()
    } else {
        method
    }
}

#[cfg(feature = "peers")]
use built::find;

#[cfg(not(feature = "peers"))]
fn find(_: &str, _: Function) -> Option<Method> {
    None
}

#[cfg(all(test, feature = "peers"))]
mod tests {
    use crate::{contest::Line, sections};

    #[test]
    fn every_named_peer_is_built() {
        let tables = [
            sections::kernels::contests(),
            sections::linear::contests(),
            sections::batches::contests(),
            sections::trees::contests(),
            sections::figures::contests(),
        ];
        for contest in tables.iter().flatten() {
            for (rival, _) in &contest.rivals {
                assert!(rival.prepare.is_ok(), "{}: {:?}", contest.title(), rival.gap());
            }
        }
    }
}
