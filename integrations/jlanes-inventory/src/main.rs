//! `jlanes-inventory`: digests of all objects of a directory or a bucket, in Parquet files.

fn main() -> std::process::ExitCode {
    jlanes_inventory::main()
}
