use super::*;

#[test]
fn names_that_lead_elsewhere_are_recognised() {
    for (name, expected) in [
        ("/a", true),
        (r"\a", true),
        ("C:a", true),
        ("c:/a", true),
        ("a/b", false),
        ("ab:c", false),
    ] {
        assert_eq!(is_absolute(name.as_bytes()), expected, "{name}");
    }
    for (part, expected) in
        [("..", true), (".. ", true), ("...", true), (r"a\..", true), ("..a", false), (".", false)]
    {
        assert_eq!(is_parent(part.as_bytes()), expected, "{part}");
    }
}
