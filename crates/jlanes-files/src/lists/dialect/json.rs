//! What `--json` prints.

use base64ct::{Base64, Encoding as _};
use serde_json::Value;

use crate::lists::{Entry, Fault, Tags};

/// What `line` says: nothing if it sums up.
pub(super) fn parse<T: Tags>(line: &[u8], tags: &T) -> Option<Result<Entry<T::Scheme>, Fault>> {
    let Ok(Value::Object(object)) = serde_json::from_slice(line) else {
        return Some(Err(Fault::Malformed));
    };
    if object.contains_key("summary") {
        return None;
    }
    if object.contains_key("name") && object.get("digest") == Some(&Value::Null) {
        let why = "no digest: the file could not be read when the list was made";
        return Some(Err(Fault::Refused(why.to_owned())));
    }
    let entry = || {
        let name = name(object.get("name")?)?;
        let tag = object.get("algorithm")?.as_str()?.to_ascii_uppercase();
        let scheme = tags.tagged(tag.as_bytes())?;
        let digest = tags.digest(&scheme, object.get("digest")?.as_str()?.as_bytes())?;
        let size = match object.get("size") {
            None | Some(Value::Null) => None,
            Some(size) => Some(size.as_u64()?),
        };
        let digests = vec![(scheme, digest)];
        (!name.contains(&0)).then_some(Entry { name, digests, either: false, size })
    };
    Some(entry().ok_or(Fault::Malformed))
}

/// A name, or its bytes where it is no text.
fn name(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(name) => Some(name.clone().into_bytes()),
        Value::Object(name) => Base64::decode_vec(name.get("bytes")?.as_str()?).ok(),
        _ => None,
    }
}
