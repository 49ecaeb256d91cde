#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    jlanes_fuzz::run(jlanes_fuzz::bao::run, input);
});
