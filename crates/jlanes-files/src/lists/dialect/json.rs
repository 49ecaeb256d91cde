//! What `--json` prints.

use base64ct::{Base64, Encoding as _};
use serde_json::Value;

use crate::lists::{Entry, Tags};

/// What `line` says: nothing if it sums up, `None` inside if it is no file's digest.
pub(super) fn parse<T: Tags>(line: &[u8], tags: &T) -> Option<Option<Entry<T::Scheme>>> {
    let Ok(Value::Object(object)) = serde_json::from_slice(line) else { return Some(None) };
    if object.contains_key("summary") {
        return None;
    }
    let entry = || {
        let name = name(object.get("name")?)?;
        let tag = object.get("algorithm")?.as_str()?.to_ascii_uppercase();
        let scheme = tags.tagged(tag.as_bytes())?;
        let digest = tags.digest(&scheme, object.get("digest")?.as_str()?.as_bytes())?;
        let size = object.get("size").and_then(Value::as_u64);
        let digests = vec![(scheme, digest)];
        (!name.contains(&0)).then_some(Entry { name, digests, either: false, size })
    };
    Some(entry())
}

/// A name, or its bytes where it is no text.
fn name(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(name) => Some(name.clone().into_bytes()),
        Value::Object(name) => Base64::decode_vec(name.get("bytes")?.as_str()?).ok(),
        _ => None,
    }
}
