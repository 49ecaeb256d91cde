//! Classification of a buffer's items by its format string (PEP 3118).
//!
//! Equal items must have equal digests. Padding and gaps between fields have whatever was in memory, addresses
//! change from run to run, and fields may overlap: such items are refused, with the way to get at their values.
//! The sizes of all members have to add up to the item's, which finds gaps that the format does not name.

/// The meaning of an item's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Items {
    /// Values: numbers, and records of numbers without gaps.
    Values,
    /// Strings, padded with zeros to the length of the longest.
    Strings,
    /// Addresses of Python objects.
    Objects,
    /// No values; the text suggests what to do.
    Other(&'static str),
}

const TEXT: &str = "text must be encoded before hashing: numpy.char.encode(x, 'utf-8')";
const POINTER: &str = "pointers are addresses: hash what they point to";
const GAPS: &str = "the items have padding: hash numpy.lib.recfunctions.repack_fields(x), which has \
                    the same fields without it";
const LONG_DOUBLE: &str = "a long double has padding: convert it to float64";
const STRINGS: &str = "strings within records are padded to the longest: hash field by field";
const OBJECTS: &str = "objects within records are addresses: hash field by field";
const SHARED: &str =
    "the fields of an item overlap or have gaps: if you want them all, hash bytes(x)";
const UNKNOWN: &str = "the format of the items is unknown: if you want their memory, hash bytes(x)";

/// The items of a buffer with this format and item size.
pub(crate) fn items(format: &[u8], size: usize) -> Items {
    let code = format.trim_ascii_start();
    let (order, code) = match code {
        [order @ (b'@' | b'=' | b'<' | b'>' | b'!' | b'^'), rest @ ..] => (*order, rest),
        _ => (b'@', code),
    };
    // codes that stand for a whole item
    let digits = code.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match &code[digits..] {
        b"s" => return Items::Strings,
        b"x" if count(&code[..digits]) == Some(size) => return Items::Values, // numpy's void
        b"O" if digits == 0 => return Items::Objects,
        _ => {}
    }
    let mut parser = Parser { rest: code, order };
    match parser.sequence(0) {
        Ok(sum) if sum == size => Items::Values,
        Ok(_) => Items::Other(SHARED),
        Err(reason) => Items::Other(reason),
    }
}

fn count(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The maximum number of records within each other. The stack has no room for any number.
const MAX_DEPTH: usize = 64;

struct Parser<'a> {
    rest: &'a [u8],
    /// `@` and `^` select native sizes, the others standard ones.
    order: u8,
}

impl Parser<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        count(number)
    }

    /// The number of items in a shape such as `(2,3)`.
    fn shape(&mut self) -> Result<usize, &'static str> {
        let mut items = 1_usize;
        loop {
            let length = self.number().ok_or(UNKNOWN)?;
            items = items.checked_mul(length).ok_or(UNKNOWN)?;
            match self.next() {
                Some(b',') => {}
                Some(b')') => return Ok(items),
                _ => return Err(UNKNOWN),
            }
        }
    }

    /// The size of all members up to the end, or in `depth` records, to the last one's closing brace.
    fn sequence(&mut self, depth: usize) -> Result<usize, &'static str> {
        let record = depth > 0;
        let mut sum = 0_usize;
        let mut items = 1_usize;
        loop {
            let Some(code) = self.next() else {
                return if record { Err(UNKNOWN) } else { Ok(sum) };
            };
            let size = match code {
                b'}' if record => return Ok(sum),
                b' ' => continue,
                b'@' | b'=' | b'<' | b'>' | b'!' | b'^' => {
                    self.order = code;
                    continue;
                }
                b':' => {
                    // the name of the previous member
                    while self.next().ok_or(UNKNOWN)? != b':' {}
                    continue;
                }
                b'(' => {
                    items = items.checked_mul(self.shape()?).ok_or(UNKNOWN)?;
                    continue;
                }
                b'0'..=b'9' => {
                    let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let mut repeat = vec![code];
                    repeat.extend(&self.rest[..digits]);
                    self.rest = &self.rest[digits..];
                    items = count(&repeat).and_then(|n| items.checked_mul(n)).ok_or(UNKNOWN)?;
                    continue;
                }
                b'T' if depth < MAX_DEPTH && self.next() == Some(b'{') => {
                    self.sequence(depth + 1)?
                }
                b'Z' => 2 * self.next().map_or(Err(UNKNOWN), |code| self.size(code))?,
                code => self.size(code)?,
            };
            sum = items.checked_mul(size).and_then(|size| sum.checked_add(size)).ok_or(UNKNOWN)?;
            items = 1;
        }
    }

    /// The size of one member.
    fn size(&self, code: u8) -> Result<usize, &'static str> {
        let native = matches!(self.order, b'@' | b'^');
        Ok(match code {
            b'b' | b'B' | b'c' | b'?' => 1,
            b'h' | b'H' | b'e' => 2,
            b'i' | b'I' | b'f' => 4,
            b'l' | b'L' if native => size_of::<std::ffi::c_long>(),
            b'l' | b'L' => 4,
            b'q' | b'Q' | b'd' => 8,
            b'n' | b'N' => size_of::<usize>(),
            b'g' => return Err(LONG_DOUBLE),
            b'x' => return Err(GAPS),
            b's' | b'p' => return Err(STRINGS),
            b'u' | b'w' => return Err(TEXT),
            b'O' => return Err(OBJECTS),
            b'P' | b'&' | b'X' | b'z' => return Err(POINTER),
            _ => return Err(UNKNOWN),
        })
    }
}
