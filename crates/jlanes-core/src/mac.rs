//! Keyed functions, for many messages at once: HMAC and PBKDF2.

pub mod hmac;
pub mod pbkdf2;
