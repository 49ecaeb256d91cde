//! The plain hashes, which every suite of tests has.

/// Calls the macro `$then` with `$arguments` and a row for each plain hash: a Merkle-Damgård hash of one digest
/// length, without a message schedule.
///
/// The row's name is that of the known answers and of the reference, and names the tests. Then its file in
/// `jlanes-core` with its types there, of which the first has the name of the hasher in `jlanes`, too; and the
/// hasher of another implementation.
#[macro_export]
macro_rules! plain_hashes {
    ($then:ident, $arguments:tt) => {
        $then! {
            $arguments
            md5: md5::{Md5, Md5Compression}, ::md5::Md5;
            ripemd160: ripemd160::{Ripemd160, Ripemd160Compression}, ::ripemd::Ripemd160;
            sm3: sm3::{Sm3, Sm3Compression}, ::sm3::Sm3;
        }
    };
}
