//! Untrusted lists that must verify nothing.

use super::{H1, SECRET};
use crate::common::sha256;

/// All hostile lists.
pub(super) fn lists() -> Vec<Vec<u8>> {
    let (abc, secret) = (sha256(b"abc"), sha256(SECRET));
    let zeros = "00".repeat(32);
    let mut lists: Vec<Vec<u8>> = Vec::new();
    // names that lead out, with right digests
    for name in [
        "/etc/passwd",
        "//etc/passwd",
        "../out",
        "d/../../out",
        "./../out",
        "..",
        ".",
        "/",
        "",
        "d/..",
        "to-out",
        "d/to-out",
        "absolute",
        "root/etc/passwd",
        "parent/out",
        "parent/base/f",
        "again",
        "loop",
        "nothing",
        "root",
        "inside/../../out",
        "-",
        "/proc/self/cmdline",
        "/dev/stdin",
        "stdin",
        "self",
        "\\..\\out",
    ] {
        lists.push(format!("{secret}  {name}\n").into());
        lists.push(format!("SHA256 ({name}) = {secret}\n").into());
    }
    // anything but regular files
    for name in ["fifo", "to-fifo", "socket", "zero", "d", "d/", "big/", "f/", "f/x"] {
        lists.push(format!("{abc}  {name}\n").into());
    }
    // digests that prove nothing
    for line in [
        "SHAKE128-8 (f) = 58".to_owned(),
        "SHAKE128-120 (f) = 5881092dd818bf5cf8a3ddb793fbcb".to_owned(),
        "CRC32 (f) = 352441c2".to_owned(),
        "CRC32C (f) = 364b3fb7".to_owned(),
        "CRC64NVME (f) = 66501a349a0e0855".to_owned(),
        "XXH32 (f) = 32d153ff".to_owned(),
        "XXH64 (f) = 44bc2cf5ad770999".to_owned(),
        "XXH3-64 (f) = 78af5f94892f3950".to_owned(),
        "XXH128 (f) = 06b05ab6733a618578af5f94892f3950".to_owned(),
        "f 352441C2".to_owned(),
        "CRC (f) = 1219131554".to_owned(),
        format!("{H1}  d"),
        format!("{H1}  /"),
        format!("JPOINTERS-SHA256 (d) = {zeros}"),
        format!("JPOINTERS-SHA256 (.) = {zeros}"),
        format!("GIT-SHA256 (d) = {zeros}"),
        format!("HMAC-SHA256 (f) = {zeros}"),
        "#mtree\n./f type=file size=3".to_owned(),
        "#mtree\n./f type=file mode=0644".to_owned(),
        "#mtree\n./f type=file".to_owned(),
        format!("#mtree\n/etc/passwd type=file sha256digest={zeros}"),
        format!("#mtree\n.. type=dir\n./../out type=file sha256digest={secret}"),
        format!("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n6,{secret},../out"),
        "%%%% HASHDEEP-1.0\n%%%% size,filename\n3,f".to_owned(),
        "{\"name\":\"f\",\"algorithm\":\"crc32\",\"digest\":\"352441c2\"}".to_owned(),
        format!("{{\"name\":\"../out\",\"algorithm\":\"sha256\",\"digest\":\"{secret}\"}}"),
        format!(
            "{{\"name\":{{\"bytes\":\"Li4vb3V0\"}},\"algorithm\":\"sha256\",\"digest\":\"{secret}\"}}"
        ),
        format!("Algorithm : SHA256\nHash      : {secret}\nPath      : ..\\out\n"),
        format!("Algorithm : SHA256\nHash      : {secret}\nPath      : C:\\out\n"),
        format!("sha256:{secret}  ../out"),
        // wrong digests of existing files
        format!("{zeros}  f"),
        format!("SHA256 (f) = {}", &zeros[1..]),
        format!("SHA256 (f) = {zeros}00"),
        format!("SHA256 (f) = {abc}="),
    ] {
        lists.push(format!("{line}\n").into());
    }
    // much to compute, or to store
    for line in [
        format!("S3-SHA256:1 (big) = {}=-1", "A".repeat(43)),
        format!("S3-SHA256:1 (f) = {}=-18446744073709551615", "A".repeat(43)),
        format!("S3-SHA256:1 (f) = {}=-10001", "A".repeat(43)),
        format!("S3-SHA256:0 (f) = {}=-1", "A".repeat(43)),
        format!("RFC6962-SHA256:1 (big) = {zeros}"),
        format!("SKEIN512-4294967296 (f) = {zeros}"),
        format!("SKEIN512-8192 (f) = {}", "00".repeat(1024)),
        format!("SKEIN1024-256-TREE:255.255.255 (big) = {zeros}"),
        format!("JLANES65535-SHA256 (f) = {zeros}"),
        format!("PARALLELHASH128-256:18446744073709551615 (f) = {zeros}"),
        format!("DMVERITY-SHA256+BLOCK=1099511627776 (f) = {zeros}"),
        format!("FSVERITY-SHA256-1099511627776 (f) = {zeros}"),
        format!("{}  f", "0".repeat(1 << 17)),
        format!("{abc}  {}", "x".repeat(1 << 17)),
        format!("{abc}  {}f", "./".repeat(3000)),
        format!("{abc}  {}f", "d/../".repeat(900)),
        "(".repeat(1 << 20),
        "{".repeat(1 << 18),
        "#mtree\n./f \\\n".repeat(10_000),
    ] {
        lists.push(format!("{line}\n").into());
    }
    // bytes that are not text
    lists.push([zeros.as_bytes(), b"  f\0g\n"].concat());
    lists.push([secret.as_bytes(), b"  f\0../../out\0"].concat());
    lists.push([b"\\".as_slice(), abc.as_bytes(), b"  f\\0\n"].concat());
    lists.push([abc.as_bytes(), b"  \xff\xfe\n"].concat());
    lists.push(b"\xff\xfe\0\0\n".to_vec());
    lists.push(vec![0; 1 << 16]);
    lists.push(vec![b'\n'; 1 << 16]);
    lists.push(b"# nothing\n".to_vec());
    lists.push(Vec::new());
    lists
}
