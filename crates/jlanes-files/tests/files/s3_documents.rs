//! Descriptions of S3's objects that are refused: each has one meaning, or an error that names the key.

use jlanes_files::{
    Engine,
    s3::{Document, DocumentError, Verdict},
};

#[test]
fn what_may_mean_more_than_one_thing_is_no_document() {
    let value = |key: &str| DocumentError::Value(key.into());
    let checksum = |key: &str| DocumentError::Checksum(key.into());
    let contradiction = |key: &str| DocumentError::Contradiction(key.into());
    for (text, error) in [
        ("", DocumentError::Json),
        ("[]", DocumentError::Json),
        ("{} {}", DocumentError::Json),
        ("[{}]", DocumentError::Json),
        ("{\"ContentLength\": 1", DocumentError::Json),
        ("{\"ContentLength\": 1, \"ContentLength\": 1}", DocumentError::Json),
        (
            "{\"ChecksumCRC32\": \"AAAAAA==\", \"Checksum\\u0043RC32\": \"AAAAAQ==\"}",
            DocumentError::Json,
        ),
        ("{\"ObjectParts\": {\"Parts\": [{\"Size\": 1, \"Size\": 1}]}}", DocumentError::Json),
        ("{\"ContentLength\": \"1\"}", value("ContentLength")),
        ("{\"ContentLength\": -1}", value("ContentLength")),
        ("{\"ContentLength\": 1.0}", value("ContentLength")),
        ("{\"ContentLength\": 18446744073709551616}", value("ContentLength")),
        ("{\"ChecksumCRC32\": 0}", value("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": null}", value("ChecksumCRC32")),
        ("{\"ChecksumType\": \"WHOLE\"}", value("ChecksumType")),
        ("{\"ChecksumType\": \"composite\"}", value("ChecksumType")),
        ("{\"ChecksumNEW\": 1}", value("ChecksumNEW")),
        ("{\"Checksum\": \"AAAAAA==\"}", value("Checksum")),
        ("{\"ObjectParts\": []}", value("ObjectParts")),
        ("{\"ObjectParts\": {\"Parts\": {}}}", value("Parts")),
        ("{\"ObjectParts\": {\"Parts\": [1]}}", value("Parts")),
        ("{\"ObjectParts\": {\"Parts\": [{\"PartNumber\": 1}]}}", value("Size")),
        ("{\"ObjectParts\": {\"Parts\": [{\"Size\": 1}]}}", value("PartNumber")),
        ("{\"ObjectParts\": {\"Parts\": [{\"PartNumber\": 0, \"Size\": 1}]}}", value("PartNumber")),
        (
            "{\"ObjectParts\": {\"Parts\": [{\"PartNumber\": 10001, \"Size\": 1}]}}",
            value("PartNumber"),
        ),
        ("{\"ObjectParts\": {\"TotalPartsCount\": 0}}", value("TotalPartsCount")),
        ("{\"ObjectParts\": {\"TotalPartsCount\": 10001}}", value("TotalPartsCount")),
        (
            "{\"ObjectParts\": {\"Parts\": [{\"PartNumber\": 2, \"Size\": 1}, {\"PartNumber\": 1, \"Size\": 1}]}}",
            value("PartNumber"),
        ),
        ("{\"ChecksumCRC32\": \"AAAAAA\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": \"AAAAA*==\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": \"AAAAAB==\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": \" AAAAAA==\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": \"00000000\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumSHA1\": \"AAAAAA==\"}", checksum("ChecksumSHA1")),
        ("{\"ChecksumCRC32\": \"AAAAAA==-\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": \"AAAAAA==-0\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": \"AAAAAA==-01\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": \"AAAAAA==-+1\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": \"AAAAAA==-10001\"}", checksum("ChecksumCRC32")),
        ("{\"ChecksumCRC32\": \"AAAAAA==-1-1\"}", checksum("ChecksumCRC32")),
        (
            "{\"ObjectParts\": {\"Parts\": [{\"PartNumber\": 1, \"Size\": 1, \"ChecksumCRC32\": \"AAAAAA==-1\"}]}}",
            checksum("ChecksumCRC32"),
        ),
        ("{\"ObjectSize\": 1, \"ContentLength\": 2}", contradiction("ContentLength")),
        ("{\"ChecksumCRC32\": \"AAAAAA==\", \"Checksum\": {}}", contradiction("Checksum")),
        ("{\"ChecksumCRC64NVME\": \"AAAAAAAAAAA=-2\"}", contradiction("ChecksumCRC64NVME")),
        (
            "{\"ChecksumCRC64NVME\": \"AAAAAAAAAAA=\", \"ChecksumType\": \"COMPOSITE\"}",
            contradiction("ChecksumCRC64NVME"),
        ),
        (
            "{\"ChecksumCRC32\": \"AAAAAA==-2\", \"ObjectParts\": {\"TotalPartsCount\": 3}}",
            contradiction("ChecksumCRC32"),
        ),
        (
            "{\"ObjectParts\": {\"TotalPartsCount\": 1, \"Parts\": [{\"PartNumber\": 1, \"Size\": 1}, \
             {\"PartNumber\": 2, \"Size\": 1}]}}",
            contradiction("Parts"),
        ),
        (
            "{\"ChecksumCRC32\": \"AAAAAA==-2\", \"ChecksumType\": \"FULL_OBJECT\"}",
            contradiction("ChecksumCRC32"),
        ),
        (
            "{\"ObjectSize\": 3, \"ObjectParts\": {\"Parts\": [{\"PartNumber\": 1, \"Size\": 1}]}}",
            contradiction("Parts"),
        ),
        (
            "{\"ObjectParts\": {\"Parts\": [{\"PartNumber\": 1, \"Size\": 18446744073709551615}, \
             {\"PartNumber\": 2, \"Size\": 1}]}}",
            contradiction("Parts"),
        ),
        ("{\"ContentLength\": 1, \"PartsCount\": 2}", DocumentError::Partial),
        ("{\"ContentLength\": 1, \"ContentRange\": \"bytes 0-0/2\"}", DocumentError::Partial),
    ] {
        assert_eq!(Document::parse(text.as_bytes()), Err(error), "{text}");
    }
    let text = "{\"ChecksumNEW\": \"x\", \"ChecksumCRC32\": \"AAAAAA==\"}";
    let document = Document::parse(text.as_bytes()).unwrap();
    assert_eq!(document.unknown(), ["ChecksumNEW"]);
    let found = document.verify(&Engine::new(), &b""[..], None, &[]).unwrap();
    assert_eq!(found.verdict(), Verdict::Ok);
}

#[test]
fn parts_of_a_whole_crc_add_up_to_it() {
    let document = |second: &str| {
        let part = |number: u8, size: u8, crc: &str| {
            format!("{{\"PartNumber\": {number}, \"Size\": {size}, \"ChecksumCRC32\": \"{crc}\"}}")
        };
        // of 1234 and 56789
        let parts = [part(1, 4, "m+Pgow=="), part(2, 5, second)].join(", ");
        let whole = "\"ChecksumCRC32\": \"y/Q5Jg==\", \"ChecksumType\": \"FULL_OBJECT\"";
        let text = format!("{{{whole}, \"ObjectParts\": {{\"Parts\": [{parts}]}}}}");
        Document::parse(text.as_bytes())
    };
    let found = document("Ex2gcA==").unwrap().verify(&Engine::new(), &b"123456789"[..], None, &[]);
    assert_eq!(found.unwrap().verdict(), Verdict::Ok);
    let error = DocumentError::Contradiction("ChecksumCRC32".into());
    assert_eq!(document("m+Pgow=="), Err(error));
}
