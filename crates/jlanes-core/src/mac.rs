//! What is built of a hash function and a key: HMAC and PBKDF2, many at once.

pub mod hmac;
pub mod pbkdf2;
