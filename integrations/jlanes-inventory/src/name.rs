//! Names of objects in other programs' lists.

use percent_encoding::percent_decode_str;

/// The form of names: whole URLs, or the part after a location.
pub(crate) struct Names {
    base: Option<String>,
}

impl Names {
    /// Whole URLs.
    pub(crate) fn whole() -> Self {
        Self { base: None }
    }

    /// The part after the location. There must be exactly one location.
    pub(crate) fn below(locations: &[String]) -> Result<Self, String> {
        match locations {
            [one] => Ok(Self { base: Some(one.strip_suffix('/').unwrap_or(one).to_owned()) }),
            _ => Err("names are relative to one location, and the manifest has several".into()),
        }
    }

    /// The part of a URL that is the name, still encoded.
    pub(crate) fn url<'u>(&self, url: &'u str) -> &'u str {
        let below = self.base.as_ref().and_then(|base| url.strip_prefix(base));
        // the location may be an object itself
        match below.and_then(|below| below.strip_prefix('/')) {
            Some("") => "./", // no list has a name without characters
            Some(below) => below,
            None if below == Some("") => url.rsplit('/').next().unwrap_or(url),
            None => url,
        }
    }

    /// The error of two objects with one name: `s3://b/dir` and `s3://b/dir/dir` below `s3://b/dir`.
    pub(crate) fn shared(url: &str) -> String {
        format!(
            "{url}: another object has its name below the location: compare or export whole URLs"
        )
    }

    /// The name's bytes: a path, or a key.
    pub(crate) fn bytes(&self, url: &str) -> Vec<u8> {
        let name = self.url(url);
        // a key may begin with anything
        let path = name.strip_prefix("file://").filter(|_| name.len() == url.len());
        percent_decode_str(path.unwrap_or(name)).collect()
    }
}
