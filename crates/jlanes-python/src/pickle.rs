//! Parser of a pickled dictionary with text, bytes, integers, Booleans and None: the form in which
//! polars passes the keyword arguments of a plugin.

use std::collections::HashMap;

/// A value of the dictionary.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    None,
    Bool(bool),
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
    /// A dictionary; also the mark on the stack before its pairs.
    Dict(HashMap<String, Value>),
    Mark,
}

/// Parses a pickled dictionary; `None` if it has other objects or is malformed.
pub(crate) fn read(pickle: &[u8]) -> Option<HashMap<String, Value>> {
    let mut code = pickle;
    let mut stack = Vec::new();
    let mut memo = Vec::new();
    loop {
        let value = match number(&mut code, 1)? as u8 {
            // the protocol's version and the lengths of frames are ignored
            0x80 => {
                take(&mut code, 1)?;
                continue;
            }
            0x95 => {
                take(&mut code, 8)?;
                continue;
            }
            0x94 => {
                memo.push(stack.last().cloned()?);
                continue;
            }
            b'h' => memo.get(number(&mut code, 1)?).cloned()?,
            b'j' => memo.get(number(&mut code, 4)?).cloned()?,
            b'}' => Value::Dict(HashMap::new()),
            b'(' => Value::Mark,
            b'N' => Value::None,
            0x88 => Value::Bool(true),
            0x89 => Value::Bool(false),
            b'K' => Value::Int(number(&mut code, 1)? as i64),
            b'M' => Value::Int(number(&mut code, 2)? as i64),
            b'J' => Value::Int(i64::from(number(&mut code, 4)? as u32 as i32)),
            0x8c => text(&mut code, 1)?,
            b'X' => text(&mut code, 4)?,
            b'C' => bytes(&mut code, 1)?,
            b'B' => bytes(&mut code, 4)?,
            b's' => {
                let start = stack.len().checked_sub(2)?;
                set(&mut stack, start, start)?;
                continue;
            }
            b'u' => {
                let mark = stack.iter().rposition(|value| *value == Value::Mark)?;
                set(&mut stack, mark, mark + 1)?;
                continue;
            }
            b'.' => {
                return match stack.pop()? {
                    Value::Dict(dict) => Some(dict),
                    _ => None,
                };
            }
            _ => return None,
        };
        stack.push(value);
    }
}

/// Adds the pairs on the stack, from `first` on, to the dictionary below `end`.
fn set(stack: &mut Vec<Value>, end: usize, first: usize) -> Option<()> {
    let pairs = stack.split_off(first);
    stack.truncate(end);
    let Value::Dict(dict) = stack.last_mut()? else { return None };
    let mut pairs = pairs.into_iter();
    while let Some(name) = pairs.next() {
        let Value::Text(name) = name else { return None };
        dict.insert(name, pairs.next()?);
    }
    Some(())
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (taken, later) = rest.split_at_checked(len)?;
    *rest = later;
    Some(taken)
}

/// Takes a little-endian number of `len` bytes.
fn number(rest: &mut &[u8], len: usize) -> Option<usize> {
    let digits = take(rest, len)?.iter().rev();
    Some(digits.fold(0, |number, digit| number << 8 | usize::from(*digit)))
}

fn bytes(rest: &mut &[u8], len: usize) -> Option<Value> {
    let len = number(rest, len)?;
    Some(Value::Bytes(take(rest, len)?.to_vec()))
}

fn text(rest: &mut &[u8], len: usize) -> Option<Value> {
    let len = number(rest, len)?;
    Some(Value::Text(String::from_utf8(take(rest, len)?.to_vec()).ok()?))
}
