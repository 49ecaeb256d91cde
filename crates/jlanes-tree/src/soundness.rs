//! Why the trees come in two profiles, and what the default one's prefixes are (SPEC 3 and 4).
//!
//! A tree of hashes is as good as its hash if (Bertoni, Daemen, Peeters, Van Assche, ePrint
//! 2009/210)
//!
//! 1. it is *tree-decodable*: a node's input tells what it is, so that nothing can be grafted on;
//! 2. it is *message-complete*: the nodes' inputs give the message back;
//! 3. its *final node is separate*: the root's input is never another node's.
//!
//! # Raw
//!
//! The construction of the paper, [`JLanesRaw`](crate::jlanes::JLanesRaw), has neither the first nor
//! the third. Its digest of a message *is* the plain hash of a string of `j` digests, which anyone
//! may hash as a message of its own, and the root of one tree can be made a leaf of a tree of another
//! `j`. For one fixed `j` a collision is still a collision of `H`; but keys, commitments and mixed
//! parameters are not safe with it. It is here for the paper's results.
//!
//! # Version 1
//!
//! The default, [`JLanes`](crate::jlanes::JLanes), meets all three with a block in front of every
//! node's input:
//!
//! | bytes | leaf | root |
//! |---|---|---|
//! | 0..16 | `jlanes/1 leaf`, then zeros | `jlanes/1 root`, then zeros |
//! | 16..20 | `j`, big-endian | the same |
//! | 20..24 | bytes of a word, big-endian | the same |
//! | 24..32 | 0 | bytes of the message, big-endian |
//! | 32.. | zeros up to the end of the block | the same |
//!
//! Lists of messages have the same prefixes under the names `jptrs/1 leaf` and `jptrs/1 root`. There
//! a leaf does not know how many messages there will be, and says 0; the root has their number for
//! `j`, and their length in total. Interleaved and contiguous slices thus never share a digest.
//!
//! The leaf's block costs nothing: the chaining value after it is computed once. It takes the place
//! of the initial value that depends on `j`, which the paper asks of a standard in its section 4;
//! yet every call remains an ordinary call of the hash, and any implementation of it can recompute
//! the digest. As with every prefix, the digest is still the plain hash of a string, one that starts
//! with `jlanes/1 root`; so a digest that is stored should carry its algorithm's name.
//!
//! # Multi-hash
//!
//! ISA-L's construction, [`MultiHash`](crate::mh::MultiHash), has no length in its lanes, does not
//! separate the root from them, and takes the message's length modulo 2^32: messages of 4 GiB and
//! more are ambiguous. It is here for digests that are already stored.
