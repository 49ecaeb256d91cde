"""The outputs of SHAKE that polynomials are sampled from are computed together."""

crate, version = "ml-dsa", "0.1.2"
features = ["std", "sha3"]

MORE = "more: &mut dyn FnMut(&mut [u8])"

changes = {
    "Cargo.toml": [(r"\nzeroize = \[", '\nzeroize = [\n    "jlanes/zeroize",')],
    "src/crypto.rs": [(r"(?=pub\(crate\) type G)", "#[allow(dead_code)] // for tests\n")],
    "src/lib.rs": [(r"\nmod hint;", "\nmod hint;\nmod lanes;")],
    "src/sampling.rs": [
        (r"Field, Truncate", "Field"),
        (r"crypto::\{G, H\},", "crypto::H,\n    lanes,"),
        (r"ctx.squeeze\(&mut tmp\)", "more(&mut tmp)", 2),
        (r"    // Squeeze 840 bytes \(5 SHAKE128 blocks\) in a single call", "    // 840 bytes (5 SHAKE128 blocks) were squeezed in a single call"),
        (r"    let mut buf = \[0u8; (840|272)\];\n    ctx\.squeeze\(&mut buf\);\n\n", "", 2),
        (r"for &byte in &buf \{", "for &byte in &*buf {"),
        # the crate's tests sample one polynomial
        (r"fn rej_ntt_poly\(.*?    let mut ctx = G[^;]*;\n", rf"""#[cfg(test)]
fn rej_ntt_poly(rho: &[u8], r: u8, s: u8) -> NttPolynomial {{
    lanes::ntt_polys(rho, core::iter::once([s, r])).next().expect("one polynomial")
}}

pub(crate) fn ntt_poly(buf: &mut [u8; 840], {MORE}) -> NttPolynomial {{
    let mut j = 0;
"""),
        (r"fn rej_bounded_poly\(.*?    let mut ctx = H[^;]*;\n", rf"""#[cfg(test)]
fn rej_bounded_poly(rho: &[u8], eta: Eta, r: u16) -> Polynomial {{
    lanes::bounded_polys(rho, eta, r..=r).next().expect("one polynomial")
}}

pub(crate) fn bounded_poly(buf: &mut [u8; 272], eta: Eta, {MORE}) -> Polynomial {{
    let mut j = 0;
"""),
        (r"    NttMatrix::from_fn\(\|r\| \{.*?\n    \}\)\n", """\
    let places = (0..K::U8).flat_map(|r| (0..L::U8).map(move |s| [s, r]));
    let mut polys = lanes::ntt_polys(rho, places);
    NttMatrix::from_fn(|_| NttVector::new(polys.by_ref().take(L::USIZE).collect()))
"""),
        (r"//\n// We only do half.*?pub\(crate\) fn expand_s<.*?\n\}\n", """\
pub(crate) fn expand_s<L: ArraySize, K: ArraySize>(rho: &[u8], eta: Eta) -> (Vector<L>, Vector<K>) {
    let mut polys = lanes::bounded_polys(rho, eta, 0..=L::U16 + K::U16 - 1);
    let s1 = Vector::new(polys.by_ref().take(L::USIZE).collect());
    (s1, Vector::new(polys.collect()))
}
"""),
        (r"    Vector::new\(Array::from_fn\(\|r\| \{\n        let r: u16.*?(?=\n#\[cfg\(test\)\])", """\
    let masks = lanes::masks::<K, Gamma1::SampleSize>(rho, mu);
    Vector::new(Array::from_iter(masks.iter().map(Gamma1::unpack)))
}
"""),
    ],
    "src/signing.rs": [
        (r"let s1 = expand_s.*?;\n.*?let s2 = expand_s[^;]*;", "let (s1, s2) = expand_s::<P::L, P::K>(&rhop, P::Eta::ETA);"),
    ],
}
files = {"src/lanes.rs": "lanes.rs"}
