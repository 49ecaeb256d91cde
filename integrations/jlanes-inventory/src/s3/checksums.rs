//! Checksums that a store keeps of its objects. It compares them when an object is uploaded, and not when it
//! is read, so a reader that has computed one anyway finds what the store has damaged since.

use base64ct::{Base64, Encoding};
use http::{HeaderMap, HeaderName, HeaderValue};
use object_store::client::HttpResponse;

use crate::computation::Computation;

/// The headers that ask for checksums.
pub(super) fn wanted() -> HeaderMap {
    let mode = HeaderName::from_static("x-amz-checksum-mode");
    HeaderMap::from_iter([(mode, HeaderValue::from_static("ENABLED"))])
}

/// The checksums of an object, in the headers of an answer.
#[derive(Default)]
pub(crate) struct Checksums(HeaderMap);

impl Checksums {
    pub(super) fn of(response: &HttpResponse) -> Self {
        Self(response.headers().clone())
    }

    /// Whether the store keeps another value than this digest of the whole object.
    pub(crate) fn contradict(&self, computation: &Computation, digest: &[u8]) -> bool {
        let name = computation.to_string();
        let name = match &*name {
            "xxh64" => "xxhash64",
            "xxh3-64" => "xxhash3",
            "xxh128" => "xxhash128",
            name => name,
        };
        let Some(kept) = self.0.get(format!("x-amz-checksum-{name}")) else { return false };
        // a composite of parts; old ones have no type, but a hyphen
        let is_composite = self.0.get("x-amz-checksum-type").is_some_and(|it| it == "COMPOSITE")
            || kept.as_bytes().contains(&b'-');
        !is_composite && *kept != Base64::encode_string(digest)
    }
}
