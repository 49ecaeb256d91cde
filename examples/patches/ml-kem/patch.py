"""The outputs of SHAKE that polynomials are sampled from are computed together."""

crate, version = "ml-kem", "0.3.4"
features = ["std", "sha3"]
bench_features = ["hazmat"]

changes = {
    "src/lib.rs": [
        (r"\A", "#![allow(dead_code, unused_imports)] // what the lanes replace\n"),
        (r"\nmod pke;", "\nmod pke;\n#[allow(missing_docs)]\nmod lanes;"),
    ],
    "src/algebra.rs": [(r"\nfn rej_uniform", "\npub(crate) fn rej_uniform")],
    "src/pke.rs": [
        (r"let s: Vector.*?;\n.*?let e: Vector.*?;", "let (s, e) = crate::lanes::key_noise::<P>(&sigma);"),
        (r"let r = sample_poly.*?let e2: [^;]*;", "let (r, e1, e2) = crate::lanes::noise::<P>(randomness);"),
        (r"= matrix_sample_ntt\(&rho", "= crate::lanes::matrix_sample_ntt(&rho"),
        (r"= matrix_sample_ntt\(&self", "= crate::lanes::matrix_sample_ntt(&self"),
    ],
}
files = {"src/lanes.rs": "lanes.rs"}
