//! Peers by name. Each is called as its documentation recommends for speed. Peers with long builds need the
//! feature `peers`, and are named gaps in their tables without it.

mod function;
#[cfg(feature = "peers")]
mod native;
mod rust;

pub use function::Function;
pub use rust::Blake256;

use crate::method::Method;

/// The libraries that programs use for one message at a time.
#[must_use]
pub fn libraries(function: Function) -> Vec<Method> {
    ["ring", "aws-lc-rs", "OpenSSL"].map(|name| peer(name, function)).into()
}

/// The peer `name` computing `function`.
#[must_use]
pub fn peer(name: &'static str, function: Function) -> Method {
    let method = rust::find(name, function)
        .or_else(|| find_native(name, function))
        .unwrap_or_else(|| Method::missing(name, "built without the feature `peers`"));
    if matches!(function, Function::Own | Function::OwnOnAllCores) {
        method.of_another_function()
    } else {
        method
    }
}

#[cfg(feature = "peers")]
use native::find as find_native;

#[cfg(not(feature = "peers"))]
fn find_native(_: &str, _: Function) -> Option<Method> {
    None
}
