//! Compares jlanes with what people use today.
//!
//! A [`Contest`](contest::Contest) is one line of a table: a name, a [`Workload`](workload::Workload),
//! our [`Method`](method::Method) of hashing it and its rivals'. [`measure`] runs all of them
//! alternately, so that whatever else the machine does falls on all of them alike, and compares
//! every digest that it times. What is reported is a ratio within one run: absolute figures move
//! with the clock, the neighbours and the day.
#![forbid(unsafe_code)]

pub mod clock;
pub mod compare;
pub mod contest;
pub mod corpus;
pub mod cpu;
pub mod helpers;
pub mod measure;
pub mod method;
pub mod peers;
pub mod ports;
pub mod process;
pub mod record;
pub mod report;
pub mod row;
pub mod sections;
pub mod workload;
