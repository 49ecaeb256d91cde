//! Hashes of the kernels' machine code, to tell figures of other code from figures of this code.
//!
//! Code is hashed by backend and by hash function, so that what moves between functions, or has a new name,
//! counts as the same, and what changes an instruction, a register or an order does not. A record of the bench
//! package notes these hashes, and so does a file for the costs in `jlanes-simd`'s `costs.rs`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    assembly::{Function, Instruction},
    levels::Level,
};

/// Hashes in hexadecimal, by the backend and the hash function, or by the class and the hash function.
pub type Codes = BTreeMap<String, String>;

/// A hash function for people, its compression function in `costs.rs`, its word, and parts of the paths of its
/// kernels.
type Hash = (&'static str, &'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
static HASHES: [Hash; 14] = [
    ("SHA-256", "Sha2<u32>", "u32",
        &["::Sha2<u32>", "SingleStream<u32>", "schedule::<u32", "::sha256", "::shani_vl::"]),
    ("SHA-512", "Sha2<u64>", "u64", &["::Sha2<u64>", "SingleStream<u64>", "schedule::<u64", "::sha512"]),
    ("SHA-1", "Sha1Compression", "u32", &["::Sha1Compression", "::sha1::enter", "::sha1_rehash"]),
    ("SHA-1 with detection", "CheckedCompression", "u32",
        &["::checked::", "::sha1dc::", "::sha1_checked", "::sha1::enter"]),
    ("MD5", "Md5Compression", "u32", &["::md5::"]),
    ("RIPEMD-160", "Ripemd160Compression", "u32", &["::ripemd160::"]),
    ("SM3", "Sm3Compression", "u32", &["::sm3::"]),
    ("Skein-256", "Threefish<4>", "u64", &["::Threefish<4>"]),
    ("Skein-512", "Threefish<8>", "u64", &["::Threefish<8>"]),
    ("Skein-1024", "Threefish<16>", "u64", &["::Threefish<16>"]),
    ("Keccak", "Keccak<", "u64", &["::keccak::"]),
    ("BLAKE2s", "Blake2<u32>", "u32", &["::Blake2<u32>", "blake2::rows::RowCompression<u32>", "advance_blake2_rows::<u32"]),
    ("BLAKE2b", "Blake2<u64>", "u64", &["::Blake2<u64>", "blake2::rows::RowCompression<u64>", "advance_blake2_rows::<u64"]),
    ("BLAKE3", "Blake3Compression", "u32", &["::blake3::", "advance_blake3_rows"]),
];

/// The backends, by the modules of their kernels. A kernel of several modules is of several backends.
const BACKENDS: [(&str, &[&str]); 13] = [
    ("sse41", &["::sse41::"]),
    ("avx", &["::avx::"]),
    (
        "avx2",
        &[
            "::avx2::",
            "::x86_64::sha512::",
            "::x86_64::blake3::compress",
            "::x86_64::blake3::Avx2Step",
        ],
    ),
    ("avx512vl", &["::avx512vl::", "::x86_64::blake3::rows::"]),
    ("avx512", &["::avx512::"]),
    ("shani", &["::shani::"]),
    ("shani+avx", &["::shani_avx::"]),
    ("shani+avx512vl", &["::shani_vl::"]),
    ("sha512ni", &["::sha512ni::"]),
    ("neon", &["::neon::"]),
    ("sha3ce", &["::sha3ce::"]),
    ("sha2ce", &["::sha2ce::"]),
    ("sha512ce", &["::sha512ce::"]),
];

/// The modules of feeds that kernels of another backend use.
const FED: [(&str, &str); 2] = [("avx512vl", "::avx2::"), ("sha3ce", "::neon::")];

/// The backends that have kernels for CPUs of a class.
fn backends_of(class: &str) -> Result<&'static [&'static str]> {
    Ok(match class {
        "Sse41" => &["sse41", "avx"],
        "Sse41Sha" => &["sse41", "avx", "shani"],
        "Avx2" => &["sse41", "avx", "avx2"],
        "Avx2Sha" | "Zen" | "Zen3" => &["sse41", "avx", "avx2", "shani", "shani+avx"],
        "Avx512" => &["sse41", "avx", "avx2", "avx512vl", "avx512"],
        "Avx512Sha" | "Zen4" | "Zen5" => {
            &["sse41", "avx", "avx2", "avx512vl", "avx512", "shani", "shani+avx", "shani+avx512vl"]
        }
        "Neon" => &["neon"],
        "Sha2" => &["neon", "sha2ce"],
        "Sha3" | "Apple" => &["neon", "sha3ce", "sha2ce", "sha512ce"],
        _ => bail!("no backends of the class {class} are known"),
    })
}

/// The hashes of all kernels among `functions`, by backend and hash function.
///
/// # Errors
/// If a kernel belongs to no backend or no hash function that is known here.
pub fn codes(functions: &[Function]) -> Result<Codes> {
    let has = |f: &Function, parts: &[&str]| parts.iter().any(|part| f.name.contains(part));
    // a feed is that of all hashes with such words
    let feeds = |f: &Function, word: &str| has(f, &["::feed::"]) && has(f, &[&format!("<{word}")]);
    for function in functions.iter().filter(|function| Level::of(function).is_some()) {
        let of_hash = |(_, _, word, paths): &Hash| has(function, paths) || feeds(function, word);
        let known = HASHES.iter().any(of_hash) && BACKENDS.iter().any(|(_, m)| has(function, m));
        ensure!(known, "a kernel of no known hash function: {}", function.short_name());
    }
    let mut codes = Codes::new();
    for (hash, _, word, paths) in &HASHES {
        for (backend, modules) in BACKENDS {
            let all = || functions.iter();
            let own = all().filter(|f| has(f, modules) && has(f, paths));
            let mut found: Vec<_> = own.map(code).collect();
            if !found.is_empty() {
                let fed = |f: &&Function| FED.iter().any(|(b, m)| *b == backend && has(f, &[m]));
                let by = all().filter(|f| feeds(f, word) && (has(f, modules) || fed(f)));
                found.extend(by.map(code));
                found.sort_unstable();
                let code = hexadecimal(found.into_iter().flat_map(u64::to_le_bytes));
                codes.insert(format!("{backend} {hash}"), code);
            }
        }
    }
    Ok(codes)
}

/// The hash of a function's instructions.
fn code(function: &Function) -> u64 {
    let lines = function.instructions.iter().map(|Instruction { mnemonic, operands }| {
        format!("{mnemonic} {}\n", without_names(operands))
    });
    fnv(lines.flat_map(String::into_bytes))
}

/// Operands without symbols, and labels without the number of the function.
fn without_names(operands: &str) -> String {
    let in_name = |c: char| c.is_ascii_alphanumeric() || "_.$@:".contains(c);
    let mut result = String::new();
    let mut rest = operands;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| in_name(c) != in_name(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let label = [".LBB", ".LCPI", ".LJTI"].iter().any(|label| word.contains(label));
        let symbol = word.starts_with(['_', '.', ':']) || word.contains('@');
        result += match word.rsplit_once('_') {
            Some((_, number)) if label => number,
            _ if symbol => "symbol",
            _ => word,
        };
        rest = after;
    }
    result
}

/// Fowler, Noll and Vo's hash, FNV-1a. It is to find changes that nobody hides.
fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

fn hexadecimal(bytes: impl IntoIterator<Item = u8>) -> String {
    format!("{:016x}", fnv(bytes))
}

/// The costs in the text of a `costs.rs`: a hash of the code of all kernels that the class may run, and one of
/// the costs, by class and compression function.
///
/// # Errors
/// If the text has a class or a compression function that is not known here.
pub fn costs(table: &str, codes: &Codes) -> Result<Codes> {
    let mut costs = Codes::new();
    let (mut hash, mut row) = (None, String::new());
    for line in table.lines().map(str::trim) {
        if let Some(name) = line.strip_suffix(": [") {
            hash = Some(name.rsplit("::").next().unwrap_or(name));
        } else if line == "];" {
            hash = None;
        } else if let Some(name) = hash {
            row += line;
            let Some(of_class) = row.strip_suffix(';') else { continue };
            let (class, cycles) = of_class.split_once(": ").context("a row has a class")?;
            let known = HASHES.iter().find(|(_, table, ..)| name.starts_with(table));
            let (known, ..) = known.with_context(|| format!("no kernels of {name} are known"))?;
            let kernels = backends_of(class)?.iter().filter_map(|backend| {
                codes.get(&format!("{backend} {known}")).map(|code| code.bytes())
            });
            let code = hexadecimal(kernels.flatten());
            let cycles = hexadecimal(cycles.bytes());
            costs.insert(format!("{class} {name}"), format!("{code}-{cycles}"));
            row.clear();
        }
    }
    Ok(costs)
}

/// The costs `now`, with the code of `before` where the cycles are the same: nobody has measured again.
#[must_use]
pub fn calibrated(before: &Codes, now: &Codes) -> Codes {
    let cycles = |code: &str| code.split_once('-').map(|(_, cycles)| cycles.to_owned());
    let same = |(name, code): (&String, &String)| {
        let old = before.get(name).filter(|old| cycles(old) == cycles(code));
        (name.clone(), old.unwrap_or(code).clone())
    };
    now.iter().map(same).collect()
}

/// Reads lines of a hash and a name. Comments begin with `#`.
///
/// # Errors
/// If a line is another.
pub fn read(text: &str) -> Result<Codes> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pair = |line: &str| {
        let (code, name) = line.split_once(' ').with_context(|| format!("no name: {line}"))?;
        Ok((name.to_owned(), code.to_owned()))
    };
    lines.map(pair).collect()
}

/// How `now` differs from `before`.
#[must_use]
pub fn differences(before: &Codes, now: &Codes) -> Vec<String> {
    let names: BTreeSet<_> = before.keys().chain(now.keys()).collect();
    let difference = |name: &String| match (before.get(name), now.get(name)) {
        (Some(before), Some(now)) => (before != now).then(|| format!("changed: {name}")),
        (None, _) => Some(format!("new: {name}")),
        (_, None) => Some(format!("gone: {name}")),
    };
    names.into_iter().filter_map(difference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions;

    /// The hash of a function with this path and code.
    fn code_of(symbol: &str, lines: &str) -> u64 {
        let lines = lines.replace("; ", "\n\t").replace(' ', "\t");
        code(&functions(&format!("{symbol}:\n\t{lines}\n.Lfunc_end0:\n"))[0])
    }

    #[test]
    fn names_and_places_do_not_count_and_instructions_do() {
        let code = |lines| code_of("_RNvCs1_1a1f", lines);
        let jump = code("add eax,ebx; jne .LBB7_2");
        assert_eq!(jump, code_of("_RNvCs2_1b1g", "add eax,ebx; jne .LBB19_2"));
        for other in ["add eax,ecx; jne .LBB7_2", "add eax,ebx; jne .LBB7_3", "jne .LBB7_2"] {
            assert_ne!(jump, code(other), "{other}");
        }
        assert_eq!(code("call _RNvCs1_1a1g"), code("call _RNvCs2_1a1h"));
        assert_eq!(code("mov rax,[rip+memcpy@GOTPCREL]"), code("mov rax,[rip+memset@GOTPCREL]"));
        assert_ne!(code("adrp x8,.LCPI1_0"), code("adrp x8,.LCPI1_1"));
        assert_eq!(code("ldr q0,[x8,:lo12:.LCPI1_0]"), code("ldr q0,[x8,:lo12:.LCPI9_0]"));
        assert_eq!(code("lea rax,[rip+.Lanon.12ab.3]"), code("lea rax,[rip+.Lanon.77.9]"));
    }

    /// A kernel of MD5 with one instruction.
    fn kernel(backend: &str, work: &str, mnemonic: &str) -> Function {
        let name = format!("<jlanes_simd::x86_64::{backend} as Isa>::run::enter::<{work}>");
        let operands = "xmm0, xmm1".to_owned();
        Function::of(&name, vec![Instruction { mnemonic: mnemonic.to_owned(), operands }])
    }

    #[test]
    fn kernels_are_grouped_and_strange_ones_refused() {
        let md5 = "jlanes_core::hashes::md5::Md5Compression";
        let kernels = [kernel("avx::Avx", md5, "vpaddd"), kernel("sse41::Sse41", md5, "paddd")];
        let before = codes(&kernels).expect("known kernels");
        assert!(before.keys().eq(["avx MD5", "sse41 MD5"]));
        let changed = [kernels[0].clone(), kernel("sse41::Sse41", md5, "psubd")];
        assert_eq!(differences(&before, &codes(&changed).expect("known")), ["changed: sse41 MD5"]);
        let feed = kernel("avx::Avx", "jlanes_core::kernel::feed::FeedBlocks<u64>", "vpaddd");
        assert!(codes(std::slice::from_ref(&feed)).expect("a known feed").is_empty());
        let sha512 = kernel("avx::Avx", "jlanes_core::hashes::sha2::Sha2<u64>", "vpaddq");
        let before = codes(&[sha512.clone(), kernels[0].clone()]).expect("known kernels");
        let fed = codes(&[sha512, kernels[0].clone(), feed]).expect("a known feed");
        assert_eq!(differences(&before, &fed), ["changed: avx SHA-512"]);
        assert!(codes(&[kernel("avx::Avx", "jlanes_core::hashes::whirlpool::W", "add")]).is_err());
    }

    #[test]
    fn costs_keep_their_code_until_they_are_measured_again() {
        let table = |cost: u32| {
            format!(
                "    jlanes_core::hashes::md5::Md5Compression: [\n        Avx2: {{ streams1 {cost} }}\n\
                 interleaved {{ streams1 3 }};\n        Sse41: {{ streams1 5 }};\n    ];\n"
            )
        };
        let md5 = |code: &str| Codes::from([("avx2 MD5".to_owned(), code.to_owned())]);
        let of = |cost, code| costs(&table(cost), &md5(code)).expect("a table");
        let before = of(1, "a");
        assert!(before.keys().eq(["Avx2 Md5Compression", "Sse41 Md5Compression"]));
        assert_eq!(read("# x\na-b Zen5 Keccak<9, 24>\n").expect("a line").len(), 1);
        let stale = of(1, "b");
        assert_eq!(
            differences(&calibrated(&before, &stale), &stale),
            ["changed: Avx2 Md5Compression"]
        );
        let again = of(2, "b");
        assert_eq!(calibrated(&before, &again), again);
        for (right, wrong) in [("Avx2", "Avx3"), ("Md5", "Md6")] {
            assert!(costs(&table(1).replace(right, wrong), &before).is_err(), "{wrong}");
        }
    }
}
