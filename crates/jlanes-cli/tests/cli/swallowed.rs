//! Lines that a list in another format could hide: they are verified or counted.

use crate::accounted::{check, files, filled};

#[test]
fn an_entry_of_several_lines_swallows_none_of_gnus() {
    let scratch = files();
    for list in [
        "Package: x\nFilename: f\nSHA256: <F>\n <Z>  g\n",
        "./f type=file sha256=<F> \\\n  <Z>  g\n",
        "[[package]]\nfiles = [{file = 'f', hash = 'sha256:<F>'}]\nx = '\n <Z>  g\n'\n",
    ] {
        let ran = check(&scratch, list, &[]);
        assert_eq!((ran.out(), ran.code), ("g: FAILED\n".to_owned(), Some(1)), "{list}: {ran:?}");
    }
    // a line that is read differently is counted
    let list = "Package: x\nFilename: f\nSHA256: <F>\n\n".repeat(2);
    for other in ["SHA256: <F>\n <Z>  g\n", "Filename: f\nSHA256: <F>\nSHA9:\n <Z> 4 g\n"] {
        let ran = check(&scratch, &format!("{list}Package: x\n{other}"), &["--strict"]);
        assert_eq!((ran.out(), ran.code), ("f: OK\nf: OK\n".to_owned(), Some(1)), "{ran:?}");
    }
}

#[test]
fn a_list_of_gnus_may_be_called_a_manifest_or_have_titles() {
    let scratch = files();
    let list = filled("# of today\n\n  <F>  f\n\\<Z>  g\n");
    scratch.write("manifest-sha256.txt", list);
    let ran = scratch.sum(&["-c", "--strict", "manifest-sha256.txt"]);
    assert_eq!(ran.out(), "f: OK\ng: FAILED\n", "{ran:?}");
    assert!(!ran.err().contains("formatted"), "{ran:?}");
    for list in [
        "<F>  f\n# SHA512 HASH\n<Z>  g\n",
        "  <F>  f\n# SHA256 HASH\n<Z>  g\n",
        "# SHA256 HASH\n  <F>  f\n\t<Z>  g\n",
        "$NetBSD$\n\n SHA256 (f) = <F>\n\tSHA256 (g) = <Z>\n",
    ] {
        let ran = check(&scratch, list, &[]);
        assert_eq!(ran.out(), "f: OK\ng: FAILED\n", "{list}: {ran:?}");
        assert!(!ran.err().contains("formatted"), "{list}: {ran:?}");
    }
}

#[test]
fn repeated_fields_make_no_entry() {
    let scratch = files();
    for (list, out) in [
        (
            "{\"name\":\"g\",\"algorithm\":\"sha256\",\"digest\":\"<Z>\",\"name\":\"f\",\"digest\":\"<F>\"}\n",
            "",
        ),
        ("[{\"Hash\":\"<Z>\",\"Path\":\"f\",\"Hash\":\"<F>\"}]\n", ""),
        ("Package: x\nFilename: g\nFilename: f\nSHA256: <F>\n", ""),
        ("magnet:?dn=g&xt=urn:sha256:<F>&dn=f\n", ""),
        ("Package: x\nFilename: f\n<Z>\nSHA256: <F>\n", ""),
        ("magnet:?dn=f&xt=urn:sha256:<F>&xl=4&xl=3\n", ""),
        ("magnet:?dn=f&xt=urn:sha256:<F>&xt.1=urn:sha256:<Z>\n", ""),
        ("[{\"Hash\":\"<F>\",\"path\":\"g\",\"Path\":\"f\"}]\n", ""),
        ("SHA256 (f) = <F>\nSIZE (f) = 4\nSIZE (f) = 3\n", "f: FAILED\n"),
        // a summary stands alone
        (
            "{\"summary\":{},\"name\":\"g\",\"algorithm\":\"sha256\",\"digest\":\"<Z>\"}\n{\"summary\":{}}\n",
            "g: FAILED\n",
        ),
    ] {
        let ran = check(&scratch, list, &[]);
        assert_eq!((ran.out(), ran.code), (out.to_owned(), Some(1)), "{list}: {ran:?}");
    }
}
