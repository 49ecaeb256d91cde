//! What peers compute.

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
