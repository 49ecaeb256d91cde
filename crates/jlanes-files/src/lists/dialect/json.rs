//! JSON lines of `jlanes-sum --json`.
//!
//! ```text
//! list    = *( entry / summary )
//! entry   = { "name": name, "algorithm": text, "digest": text / null, "size": number }
//! name    = text / { "bytes": base64 }
//! summary = { "summary": .. }
//! ```

use base64ct::{Base64, Encoding as _};
use serde_json::Value;

use super::{Dialect, File, Reading, Row};

struct Json;

pub(super) const ROW: Row = Row {
    opens: |line| line.starts_with(b"{").then(|| Box::new(Json) as _),
    #[cfg(test)]
    sample: "{\"name\":\"f\",\"algorithm\":\"md5\",\"digest\":\"900150983cd24fb0d6963f7d28e17f72\"}\n\
             {\"name\":\"g\",\"algorithm\":\"md5\",\"digest\":\"e2fc714c4727ee9395f324cd2e7f331f\"}\n\
             {\"summary\":{}}\n",
};

impl Dialect for Json {
    fn read<'r>(&mut self, line: &'r [u8]) -> Reading<File<'r>> {
        let Ok(Value::Object(object)) = serde_json::from_slice(line) else {
            return Reading::Malformed;
        };
        if object.contains_key("summary") {
            return Reading::Structure;
        }
        if object.contains_key("name") && object.get("digest") == Some(&Value::Null) {
            let why = "no digest: the file could not be read when the list was made";
            return Reading::Refused(why.to_owned());
        }
        let file = || {
            let name = name(object.get("name")?)?;
            let tag = object.get("algorithm")?.as_str()?.to_ascii_uppercase().into_bytes();
            let digest = object.get("digest")?.as_str()?.as_bytes().to_vec();
            let size = match object.get("size") {
                None | Some(Value::Null) => None,
                Some(size) => Some(size.as_u64()?),
            };
            Some(File { size, ..File::new(name, tag, digest) })
        };
        file().map_or(Reading::Malformed, Reading::File)
    }
}

/// A name, or its bytes where it is no text.
fn name(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(name) => Some(name.clone().into_bytes()),
        Value::Object(name) => Base64::decode_vec(name.get("bytes")?.as_str()?).ok(),
        _ => None,
    }
}
