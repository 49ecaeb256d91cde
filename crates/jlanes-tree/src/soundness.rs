//! Soundness: which trees are as secure as their hash. The documentation of two profiles, without code.
//!
//! A tree is sound if (Bertoni, Daemen, Peeters, Van Assche, ePrint 2009/210)
//!
//! 1. it is *tree-decodable*: a node's input identifies its role, so nothing can be grafted on;
//! 2. it is *message-complete*: the nodes' inputs determine the message;
//! 3. its *final node is separable*: the root's input is never the input of another node.
//!
//! # Raw
//!
//! The construction of the paper, [`JLanesRaw`](crate::jlanes::JLanesRaw), lacks the first and the
//! third property. Its digest of a message *is* the plain hash of a string of `j` digests, which
//! anyone can hash as a message, and the root of one tree can become a leaf of a tree with another
//! `j`. For a fixed `j` a collision is still a collision of `H`, but keys, commitments and mixed
//! parameters are unsafe. It exists to reproduce the paper's results.
//!
//! # Version 1
//!
//! The default, [`JLanes`](crate::jlanes::JLanes), has all three properties, by a block before
//! every node's input:
//!
//! | bytes | leaf | root |
//! |---|---|---|
//! | 0..16 | `jlanes/1 leaf`, then zeros | `jlanes/1 root`, then zeros |
//! | 16..20 | `j`, big-endian | the same |
//! | 20..24 | bytes of a word, big-endian | the same |
//! | 24..32 | 0 | bytes of the message, big-endian |
//! | 32.. | zeros up to the end of the block | the same |
//!
//! Lists of messages have the same prefixes under the names `jptrs/1 leaf` and `jptrs/1 root`. A
//! leaf does not know the number of messages and has 0; the root has their number for `j`, and
//! their total length. Interleaved and contiguous slices therefore never share a digest.
//!
//! The leaf's block is free: the chaining value after it is computed once. It replaces the initial
//! value dependent on `j` that the paper's section 4 proposes for a standard, but every call
//! remains an ordinary call of the hash, so any implementation can recompute the digest. The digest
//! is still the plain hash of a string that starts with `jlanes/1 root`, so store a digest together
//! with its algorithm's name.
//!
//! # Multi-hash
//!
//! ISA-L's construction, [`MultiHash`](crate::multi_hash::MultiHash), has no length in its lanes, does not
//! separate the root from them, and takes the message's length modulo 2^32: messages of 4 GiB and
//! more are ambiguous. It exists for stored digests.
