//! A hostile store: it speaks the necessary part of S3, with one fault at a time.

use std::{
    collections::{BTreeMap, HashMap},
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Command, Output, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::{Entry, age, program, rows};

/// The number of objects on a page.
const PAGE: usize = 7;

/// The size of an object that is read in two parts.
const LARGE: usize = (16 << 20) + 1000;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Ask {
    /// The number of the page.
    List(usize),
    Head(String),
    Get(String),
}

/// A fault of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Status(u16),
    /// The answer ends in the middle, after its length was announced.
    Cut,
    /// The answer ends in the middle, and its length was not announced.
    CutSilently,
    Late,
    Html,
    /// An error with status 200.
    Error(&'static str),
    Truncated,
    SameToken,
    /// The pages repeat forever, each with a new token.
    Circle,
    NoKey,
    /// An element without content, in XML's short form.
    Empty(&'static str),
    Deep,
    OtherPrefix,
    /// Objects are hidden behind their common prefix.
    CommonPrefixes,
    NotXml,
    /// The object is replaced before the answer.
    Replaced,
    /// A proxy has changed the content, and says so.
    Transformed,
    WrongRange,
    /// Other bytes instead of the range.
    OtherBytes,
    /// A shorter range than requested, as HTTP allows.
    ShortRange,
    /// Chunks with fewer bytes than were announced, or with more.
    FewerChunks,
    MoreChunks,
    /// Bytes until the end of the connection, fewer than were announced.
    FewerToTheEnd,
    /// A part in an answer with the status of a whole object.
    PartAsWhole,
    /// Two ranges for one part.
    TwoRanges,
    /// A range beyond the object's end.
    RangeBeyond,
    /// A page that is the last one, with a token of the next one.
    LastWithToken,
    LastAndNot,
    /// A page with fewer objects than it says.
    Missing,
    TwoKeys,
    /// A page that answers another request.
    Echo(&'static str),
    /// A redirect.
    Elsewhere(SocketAddr),
}

type Rule = dyn Fn(&Ask, usize) -> Option<Fault> + Send + Sync;

/// The metadata by which the store distinguishes versions of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Usual,
    /// ETags in answers with objects only.
    NoEtagInLists,
    /// The same with empty elements.
    EmptyEtagInLists,
    /// Other ETags and finer times in lists.
    OtherInLists,
    /// Neither ETags nor conditions.
    Times,
    /// A weak ETag, which never changes.
    Weak,
    /// Neither ETags that count nor conditions, and everything happens within a second. With the headers.
    SameTime(&'static str),
    /// Not even times, and an empty ETag in answers with objects.
    Nothing,
}

struct Thing {
    content: Vec<u8>,
    /// The number of times it was written.
    written: usize,
}

struct Shared {
    things: Mutex<BTreeMap<String, Thing>>,
    asked: Mutex<HashMap<Ask, usize>>,
    rule: Mutex<Arc<Rule>>,
    /// The customer's key that requests for objects need.
    customer_key: Mutex<Option<&'static str>>,
    style: Style,
}

struct Store {
    address: SocketAddr,
    shared: Arc<Shared>,
    folder: TempDir,
}

/// Text with character references of XML 1.1.
fn xml(text: &str) -> String {
    let escaped = |c: char| match c {
        '<' | '>' | '&' | '"' | '\'' => format!("&#{};", c as u32),
        c if c.is_control() => format!("&#x{:x};", c as u32),
        c => c.to_string(),
    };
    text.chars().map(escaped).collect()
}

impl Shared {
    fn etag(&self, thing: &Thing) -> String {
        if self.style == Style::Weak {
            return "W/\"same\"".into();
        }
        format!("\"{:x}-{}\"", thing.content.len(), thing.written)
    }

    fn time(thing: &Thing) -> String {
        format!("Tue, 01 Sep 2026 10:{:02}:00 GMT", thing.written)
    }

    fn put(&self, key: &str, content: Vec<u8>) {
        let mut things = self.things.lock().unwrap();
        let written = things.get(key).map_or(0, |thing| thing.written + 1);
        things.insert(key.into(), Thing { content, written });
    }

    fn page(&self, prefix: &str, page: usize, fault: Option<Fault>) -> String {
        let things = self.things.lock().unwrap();
        let all: Vec<_> = things.iter().filter(|(key, _)| key.starts_with(prefix)).collect();
        let pages = all.len().div_ceil(PAGE).max(1);
        let is_circle = fault == Some(Fault::Circle);
        let objects = all.chunks(PAGE).nth(if is_circle { page % pages } else { page });
        let objects = objects.unwrap_or_default();
        let mut text = "<?xml version=\"1.0\"?>\n<ListBucketResult>\n".to_owned();
        for (key, thing) in objects {
            let (key, size) = (xml(key), thing.content.len());
            let etag = match self.style {
                Style::Usual | Style::Weak => format!("<ETag>{}</ETag>", xml(&self.etag(thing))),
                Style::OtherInLists => format!("<ETag>w{}</ETag>", thing.written),
                Style::EmptyEtagInLists => "<ETag></ETag>".into(),
                Style::NoEtagInLists | Style::Times | Style::SameTime(_) | Style::Nothing => {
                    String::new()
                }
            };
            let millis = if self.style == Style::OtherInLists { 789 } else { 0 };
            let time = match self.style {
                Style::Nothing => "unknown".into(),
                _ => format!("2026-09-01T10:{:02}:00.{millis:03}Z", thing.written),
            };
            text += &format!(
                "<Contents><Key>{key}</Key><Size>{size}</Size>{etag}\
                 <LastModified>{time}</LastModified></Contents>\n"
            );
        }
        if fault == Some(Fault::OtherPrefix) {
            text += "<Contents><Key>another</Key><Size>1</Size></Contents>";
        }
        if fault == Some(Fault::CommonPrefixes) {
            text += "<CommonPrefixes><Prefix>d0/more/</Prefix></CommonPrefixes>";
        }
        if fault == Some(Fault::NoKey) {
            text += "<Contents><Key></Key><Size>1</Size></Contents>";
        }
        if let Some(Fault::Empty(name)) = fault {
            text += &format!("<{name}/>");
        }
        if fault == Some(Fault::TwoKeys) {
            text += "<Contents><Key>d0/k00</Key><Key>d0/k02</Key></Contents>";
        }
        if fault == Some(Fault::Missing) {
            text += &format!("<KeyCount>{}</KeyCount>", objects.len() + 1);
        }
        if let Some(Fault::Echo(name)) = fault {
            text += &format!("<{name}>d0/k0</{name}>");
        }
        if fault == Some(Fault::Deep) {
            text += &("<a>".repeat(100_000) + &"</a>".repeat(100_000));
        }
        let more = is_circle || (page + 1) * PAGE < all.len();
        if fault == Some(Fault::LastAndNot) {
            text += &format!("<IsTruncated>{}</IsTruncated>", !more);
        }
        let says_more = more && fault != Some(Fault::LastWithToken);
        text += &format!("<IsTruncated>{says_more}</IsTruncated>");
        let next = if fault == Some(Fault::SameToken) { page } else { page + 1 };
        if more && fault != Some(Fault::Truncated) {
            text += &format!("<NextContinuationToken>page+{next}/=</NextContinuationToken>");
        }
        text + "</ListBucketResult>"
    }

    fn answer(&self, client: TcpStream) -> Option<()> {
        let mut lines = BufReader::new(client.try_clone().ok()?).lines();
        let first = lines.next()?.ok()?;
        let mut words = first.split(' ');
        let (method, target) = (words.next()?, words.next()?);
        let mut headers = HashMap::new();
        for line in lines.map_while(Result::ok).take_while(|line| !line.is_empty()) {
            let (name, value) = line.split_once(": ")?;
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let plain = |text: &str| percent_decode_str(text).decode_utf8().unwrap().into_owned();
        let value = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|(other, _)| *other == name).map(|(_, value)| plain(value))
        };
        let key = plain(path.strip_prefix("/bucket")?.strip_prefix('/').unwrap_or_default());
        let page = || {
            let token = value("continuation-token").unwrap_or("page+0/=".into());
            token.strip_prefix("page+").unwrap().strip_suffix("/=").unwrap().parse().unwrap()
        };
        let ask = match method {
            "HEAD" => Ask::Head(key.clone()),
            _ if key.is_empty() => Ask::List(page()),
            _ => Ask::Get(key.clone()),
        };
        let count = {
            let mut asked = self.asked.lock().unwrap();
            let count = asked.entry(ask.clone()).or_default();
            *count += 1;
            *count - 1
        };
        let rule = self.rule.lock().unwrap().clone();
        let fault = rule(&ask, count);
        let mut more = String::new();
        let header = |name: &str| {
            headers
                .get(&format!("x-amz-server-side-encryption-customer-{name}"))
                .map(String::as_str)
        };
        let own = *self.customer_key.lock().unwrap();
        let is_right = match own.filter(|_| !key.is_empty()) {
            Some(own) => {
                let md5 = Some("tP/LI3N87DFaSk0aoqYgzg==");
                (header("algorithm"), header("key"), header("key-md5"))
                    == (Some("AES256"), Some(own), md5)
            }
            None => header("key").is_none(),
        };
        let (mut status, mut body) = match (&ask, fault) {
            _ if !is_right => (400, Vec::new()),
            (_, Some(Fault::Status(status))) => (status, Vec::new()),
            (_, Some(Fault::Elsewhere(address))) => {
                more = format!("Location: http://{address}{target}\r\n");
                more += "x-amz-bucket-region: far-away-7\r\n";
                (307, Vec::new())
            }
            (_, Some(Fault::Html)) => (200, b"<!DOCTYPE html><html><br>Log in</html>".to_vec()),
            (_, Some(Fault::NotXml)) => (200, b"{\"all\": \"fine\"}".to_vec()),
            (_, Some(Fault::Error(code))) => {
                let text = format!("<Error><Code>{code}</Code><Message>No.</Message></Error>");
                (200, text.into_bytes())
            }
            (Ask::List(page), _) => {
                let prefix = value("prefix").unwrap_or_default();
                (200, self.page(&prefix, *page, fault).into_bytes())
            }
            (Ask::Head(_) | Ask::Get(_), _) => {
                if fault == Some(Fault::Replaced) {
                    let before = self.things.lock().unwrap()[&key].content.clone();
                    self.put(&key, before.iter().map(|byte| !byte).collect());
                }
                match self.things.lock().unwrap().get(&key) {
                    None => (404, b"<Error><Code>NoSuchKey</Code></Error>".to_vec()),
                    Some(thing) => {
                        let etag = self.etag(thing);
                        let has_etag = !matches!(
                            self.style,
                            Style::Times | Style::SameTime(_) | Style::Nothing
                        );
                        let time = Self::time(thing);
                        more = match self.style {
                            Style::Nothing => "ETag:\r\n".into(),
                            Style::Weak => String::new(),
                            Style::SameTime(headers) => headers.into(),
                            _ => {
                                let date = time.replace("01 Sep", "02 Sep").replace("Tue", "Wed");
                                format!("Last-Modified: {time}\r\nDate: {date}\r\n")
                            }
                        };
                        if has_etag {
                            more += &format!("ETag: {etag}\r\n");
                        }
                        let other = headers.get("if-match").is_some_and(|match_| *match_ != etag);
                        let range = headers.get("range").and_then(|it| it.strip_prefix("bytes="));
                        let all = thing.content.len();
                        match range.and_then(|range| range.split_once('-')) {
                            _ if other && has_etag => (412, Vec::new()),
                            None => (200, thing.content.clone()),
                            Some(_) if all == 0 => (416, Vec::new()),
                            Some((first, last)) => {
                                let mut first: usize = first.parse().unwrap();
                                let mut end =
                                    last.parse().map_or(all, |last: usize| last + 1).min(all);
                                match fault {
                                    Some(Fault::WrongRange) => first -= first.min(1),
                                    Some(Fault::ShortRange) => {
                                        end = first + (end - first).div_ceil(2);
                                    }
                                    _ => {}
                                }
                                let last = end - 1;
                                more += &format!("Content-Range: bytes {first}-{last}/{all}\r\n");
                                if fault == Some(Fault::TwoRanges) {
                                    more += &format!("Content-Range: bytes 9-{last}/{all}\r\n");
                                }
                                if fault == Some(Fault::RangeBeyond) {
                                    let size = end - 9;
                                    more =
                                        more.replace(&format!("/{all}\r"), &format!("/{size}\r"));
                                }
                                match fault {
                                    Some(Fault::PartAsWhole) => {
                                        (200, thing.content[first..end].to_vec())
                                    }
                                    Some(Fault::OtherBytes) => (206, b"Blocked.".to_vec()),
                                    _ => (206, thing.content[first..end].to_vec()),
                                }
                            }
                        }
                    }
                }
            }
        };
        if fault == Some(Fault::Transformed) {
            status = 203;
            body.iter_mut().for_each(|byte| *byte = !*byte);
        }
        if fault == Some(Fault::Late) {
            thread::sleep(Duration::from_millis(300));
        }
        let is_chunked = matches!(fault, Some(Fault::FewerChunks | Fault::MoreChunks));
        if matches!(fault, Some(Fault::CutSilently | Fault::FewerToTheEnd)) {
            more += "Transfer-Encoding: identity\r\n";
        } else if !(is_chunked && status == 206) {
            more += &format!("Content-Length: {}\r\n", body.len());
        }
        match fault {
            // something else than the object
            Some(Fault::FewerChunks | Fault::FewerToTheEnd) => body = vec![b'-'; body.len() / 2],
            Some(Fault::MoreChunks) => body = vec![b'-'; body.len() + 5],
            _ => {}
        }
        if is_chunked {
            more += "Transfer-Encoding: chunked\r\n";
            body = [format!("{:x}\r\n", body.len()).as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
        }
        if matches!(fault, Some(Fault::Cut | Fault::CutSilently)) {
            body.truncate(body.len() / 2);
        }
        if method == "HEAD" {
            body.clear();
        }
        if status == 0 {
            status = 200;
        }
        let mut client = client;
        let head = format!("HTTP/1.1 {status} Status\r\n{more}Connection: close\r\n\r\n");
        client.write_all(head.as_bytes()).ok()?;
        client.write_all(&body).ok()?;
        client.shutdown(std::net::Shutdown::Write).ok()?;
        client.read_to_end(&mut Vec::new()).ok().map(drop)
    }
}

impl Store {
    fn new(style: Style) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            things: Mutex::default(),
            asked: Mutex::default(),
            rule: Mutex::new(Arc::new(|_, _| None)),
            customer_key: Mutex::default(),
            style,
        });
        let server = shared.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = server.clone();
                thread::spawn(move || server.answer(client));
            }
        });
        Self { address, shared, folder: tempfile::tempdir().unwrap() }
    }

    fn with(style: Style, objects: &[(&str, &[u8])]) -> Self {
        let store = Self::new(style);
        objects.iter().for_each(|(key, content)| store.shared.put(key, content.to_vec()));
        store
    }

    /// A store with some objects on three pages.
    fn usual(style: Style) -> Self {
        let store = Self::new(style);
        for i in 0..16 {
            store.shared.put(&format!("d{}/k{i:02}", i % 2), vec![i; 100 * usize::from(i)]);
        }
        store
    }

    /// Sets the fault of each request from now on, counted anew.
    fn rule(&self, rule: impl Fn(&Ask, usize) -> Option<Fault> + Send + Sync + 'static) {
        *self.shared.rule.lock().unwrap() = Arc::new(rule);
        self.shared.asked.lock().unwrap().clear();
    }

    fn asked(&self, of: impl Fn(&Ask) -> bool) -> usize {
        let asked = self.shared.asked.lock().unwrap();
        asked.iter().filter(|(ask, _)| of(ask)).map(|(_, count)| count).sum()
    }

    fn put(&self, key: &str, content: &[u8]) {
        self.shared.put(key, content.to_vec());
    }

    fn remove(&self, key: &str) {
        self.shared.things.lock().unwrap().remove(key).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = program(args);
        command
            .current_dir(&self.folder)
            .env("AWS_ENDPOINT_URL", format!("http://{}", self.address))
            .env("AWS_ACCESS_KEY_ID", "user")
            .env("AWS_SECRET_ACCESS_KEY", "secret");
        command
    }

    fn run(&self, args: &[&str]) -> (i32, Output) {
        let output = self.command(args).output().unwrap();
        (output.status.code().unwrap(), output)
    }

    /// Runs a command, checks its status, and returns its messages.
    fn check(&self, args: &[&str], status: i32) -> String {
        let (found, output) = self.run(args);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        assert_eq!(found, status, "{args:?}: {text}");
        text
    }

    fn digests(&self) -> BTreeMap<String, Vec<u8>> {
        let things = self.shared.things.lock().unwrap();
        let digest = |thing: &Thing| Sha256::digest(&thing.content).to_vec();
        things.iter().map(|(key, thing)| (key.clone(), digest(thing))).collect()
    }

    /// The rows of the manifest by key.
    fn rows(&self) -> BTreeMap<String, Entry> {
        let rows = rows(&self.folder.path().join("out"));
        let key = |url: &str| {
            percent_decode_str(&url["s3://bucket/".len()..]).decode_utf8().unwrap().into_owned()
        };
        rows.into_iter().map(|((url, _), entry)| (key(&url), entry)).collect()
    }

    /// Checks that the manifest has exactly the objects, with their digests.
    fn is_right(&self) {
        let rows = self.rows();
        let digests = rows.into_iter().map(|(key, (_, digest))| (key, digest.unwrap()));
        assert_eq!(digests.collect::<BTreeMap<_, _>>(), self.digests());
    }
}

const CREATE: [&str; 6] = ["create", "s3://bucket/", "--out", "out", "--retries", "2"];
const UPDATE: [&str; 4] = ["update", "out", "--retries", "2"];
const VERIFY: [&str; 5] = ["verify", "out", "--quiet", "--retries", "2"];

/// Faults of listings, and whether another request mends them.
const OF_LISTS: [(Fault, bool); 28] = [
    (Fault::Status(403), false),
    (Fault::Status(404), false),
    (Fault::Status(429), true),
    (Fault::Status(500), true),
    (Fault::Status(503), true),
    (Fault::Cut, true),
    (Fault::CutSilently, true),
    (Fault::Error("InternalError"), true),
    (Fault::Error("AccessDenied"), false),
    (Fault::Error("&#27;[2J&#x9b;"), false),
    (Fault::NoKey, false),
    (Fault::Empty("Contents"), false),
    (Fault::Empty("CommonPrefixes"), false),
    (Fault::Deep, false),
    (Fault::Html, false),
    (Fault::NotXml, false),
    (Fault::Truncated, false),
    (Fault::SameToken, true),
    (Fault::OtherPrefix, false),
    (Fault::CommonPrefixes, false),
    (Fault::LastWithToken, false),
    (Fault::LastAndNot, false),
    (Fault::Missing, false),
    (Fault::TwoKeys, false),
    (Fault::Echo("Prefix"), false),
    (Fault::Echo("EncodingType"), false),
    (Fault::Echo("StartAfter"), false),
    (Fault::Echo("ContinuationToken"), false),
];

#[test]
fn a_list_that_fails_removes_nothing() {
    for (fault, passes) in OF_LISTS {
        println!("{fault:?}");
        let store = Store::usual(Style::Usual);
        let create = ["create", "s3://bucket/d0/", "s3://bucket/d1", "--out", "out"];
        store.check(&create, 0);
        store.is_right();
        let before = store.rows();
        // the last page has no token
        let has_token = matches!(fault, Fault::Truncated | Fault::SameToken | Fault::LastWithToken);
        for page in if has_token { 0..1 } else { 0..2 } {
            store.rule(move |ask, _| (*ask == Ask::List(page)).then_some(fault));
            let text = store.check(&UPDATE, 4);
            assert!(text.contains("incomplete"), "{text}");
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
            assert_eq!(store.rows(), before);
            store.rule(move |ask, count| (*ask == Ask::List(page) && count < 1).then_some(fault));
            store.check(&UPDATE, if passes { 0 } else { 4 });
            assert_eq!(store.rows(), before);
        }
        store.rule(move |ask, _| (*ask == Ask::List(0)).then_some(fault));
        std::fs::remove_dir_all(store.folder.path().join("out")).unwrap();
        store.check(&[&create[..], &["--retries", "1"]].concat(), 4);
        // an incomplete manifest is not trusted
        let export = ["export", "out", "--format", "sha256sum"];
        let again = [&create[..], &["--retries", "1"]].concat();
        for args in [&VERIFY[..], &["diff", "out", "out"], &["errors", "out"], &export, &again] {
            store.check(args, 4);
        }
        store.rule(|_, _| None);
        store.check(&UPDATE, 0);
        store.check(&VERIFY, 0);
        store.is_right();
    }
}

#[test]
fn a_list_that_never_ends() {
    let store = Store::usual(Style::Usual);
    store.rule(|ask, _| matches!(ask, Ask::List(_)).then_some(Fault::Circle));
    assert!(store.check(&CREATE, 4).contains("in circles"));
    assert_eq!(store.rows().len(), 16);
}

#[test]
fn a_customer_s_key() {
    const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let store = Store::usual(Style::Usual);
    store.put("large", &vec![9; LARGE]);
    *store.shared.customer_key.lock().unwrap() = Some(KEY);
    let with = |key: &str, args: &[&str]| {
        let mut command = store.command(args);
        let output = command.env("AWS_SSE_CUSTOMER_KEY_BASE64", key).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    store.check(&CREATE, 3);
    assert_eq!(with(KEY, &UPDATE).0, 0);
    store.is_right();
    assert_eq!(with(KEY, &VERIFY).0, 0);
    assert_eq!(with(KEY, &["create", "s3://bucket/d0/k02", "--out", "one"]).0, 0);
    for wrong in ["", "AAEC", "?", &KEY[..43]] {
        let (status, text) = with(wrong, &UPDATE);
        assert!(status == 4 && text.contains("no key of 256 bits"), "{wrong}: {text}");
    }
}

/// A session's token and a customer's key do not follow redirects, and the page of a proxy that wants a
/// password is not read as an object.
#[test]
fn nobody_is_followed_elsewhere() {
    let (store, other) = (Store::usual(Style::Usual), Store::usual(Style::Usual));
    store.check(&CREATE, 0);
    let address = other.address;
    for of_lists in [false, true] {
        store.rule(move |ask, _| {
            (matches!(ask, Ask::List(_)) == of_lists).then_some(Fault::Elsewhere(address))
        });
        let text =
            store.check(if of_lists { &UPDATE } else { &VERIFY }, if of_lists { 4 } else { 3 });
        assert!(text.contains("307") && text.contains("its region is far-away-7"), "{text}");
    }
    assert_eq!(other.asked(|_| true), 0);
}

#[test]
fn an_object_that_has_become_empty() {
    let store = Store::with(Style::Usual, &[("large", &vec![9; LARGE])]);
    store.check(&CREATE, 0);
    store.put("large", b"");
    assert!(store.check(&VERIFY, 1).contains("s3://bucket/large: FAILED\n"));
}

/// Another machine may remove files, if the file system does not share locks.
#[test]
fn files_that_somebody_removes() {
    let store = Store::usual(Style::Usual);
    store.check(&CREATE, 0);
    let before = store.rows();
    before.keys().for_each(|key| store.put(key, b"another"));
    store.rule(|_, _| Some(Fault::Late));
    let args = ["update", "out", "--in-flight", "1", "--checkpoint", "1"];
    let mut update = store.command(&args).stderr(Stdio::null()).spawn().unwrap();
    let new = store.folder.path().join("out/.new");
    let file = loop {
        let mut files = std::fs::read_dir(&new).unwrap().map(|file| file.unwrap().path());
        if let Some(file) = files.next() {
            break file;
        }
        thread::sleep(Duration::from_millis(10));
    };
    std::fs::remove_file(file).unwrap();
    assert_eq!(update.wait().unwrap().code(), Some(2));
    assert_eq!(store.rows(), before);
    store.rule(|_, _| None);
    store.check(&UPDATE, 0);
    store.is_right();
}

#[test]
fn places_that_are_no_buckets() {
    let store = Store::usual(Style::Usual);
    for bucket in ["..", ".", "", "-a", "a.", "a%2fb", "a@b", "a:1", "[::1]"] {
        store.check(&["create", &format!("s3://{bucket}/k"), "--out", "out"], 2);
    }
    let text = store.check(&["create", "s3://b--usw2-az1--x-s3/", "--out", "out"], 4);
    assert!(text.contains("directory buckets (S3 Express) are not read"), "{text}");
    assert_eq!(store.asked(|_| true), 0);
    for endpoint in ["localhost:9000", "http://", "http://a%zz/", "ftp://a", ""] {
        let mut command = store.command(&["create", "s3://bucket/", "--out", "no"]);
        let output = command.env("AWS_ENDPOINT_URL", endpoint).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(4) && text.contains("no address"),
            "{endpoint}: {text}"
        );
        std::fs::remove_dir_all(store.folder.path().join("no")).unwrap();
    }
}

#[test]
fn a_named_object_that_cannot_be_looked_at() {
    for fault in [Fault::Status(403), Fault::Status(500), Fault::Status(503)] {
        let store = Store::usual(Style::Usual);
        store.rule(move |ask, _| matches!(ask, Ask::Head(_)).then_some(fault));
        let create = ["create", "s3://bucket/d1/k01", "--out", "out", "--retries", "1"];
        store.check(&create, 4);
        assert!(store.rows()["d1/k01"].1.is_err());
        assert!(store.check(&["errors", "out"], 4).contains("s3://bucket/d1/k01: "));
        store.rule(|_, _| None);
        store.check(&UPDATE, 0);
        let good = store.rows();
        assert!(good["d1/k01"].1.is_ok());
        store.rule(move |ask, _| matches!(ask, Ask::Head(_)).then_some(fault));
        store.check(&UPDATE, 4);
        assert_eq!(store.rows(), good);
    }
    // a prefix without objects
    let store = Store::usual(Style::Usual);
    let text = store.check(&["create", "s3://bucket/d2/", "--out", "out"], 4);
    assert!(text.contains("s3://bucket/d2/: there is no object"), "{text}");
}

/// Faults of objects, and whether another request mends them.
const OF_OBJECTS: [(Fault, bool); 14] = [
    (Fault::Cut, true),
    (Fault::ShortRange, true),
    (Fault::WrongRange, false),
    (Fault::OtherBytes, false),
    (Fault::CutSilently, false),
    (Fault::Status(503), true),
    (Fault::Status(403), false),
    (Fault::Status(404), false),
    (Fault::Status(416), false),
    (Fault::Status(429), true),
    (Fault::Status(500), true),
    (Fault::Error("InternalError"), false),
    (Fault::Html, false),
    (Fault::Transformed, false),
];

#[test]
fn an_object_that_fails_is_reported() {
    // the first faults concern objects in parts
    let (small, large) = (("d0/k04", 0, 14), ("d1/large", 1, 7));
    for (style, (key, part, faults)) in
        [(Style::Usual, small), (Style::Usual, large), (Style::Times, large)]
    {
        for (fault, passes) in OF_OBJECTS.into_iter().take(faults) {
            println!("{style:?} {key} {part} {fault:?}");
            let store = Store::usual(style);
            let is_there = move |ask: &Ask| *ask == Ask::Get(key.into());
            let is_large = key == "d1/large";
            if is_large {
                store.put(key, &vec![9; LARGE]);
            }
            let of_ranges =
                matches!(fault, Fault::WrongRange | Fault::OtherBytes | Fault::ShortRange);
            // small objects are read without ranges
            let good = passes || of_ranges && !is_large;
            store.rule(move |ask, count| (is_there(ask) && count == part).then_some(fault));
            store.check(&CREATE, if good { 0 } else { 3 });
            let mut rows = store.rows();
            let row = rows.remove(key).unwrap().1;
            assert_eq!(row.is_ok(), good, "{row:?}");
            let right = store.digests();
            assert!(rows.iter().all(|(key, row)| row.1.as_ref() == Ok(&right[key])));
            assert!(row.is_err() || row.as_ref() == Ok(&right[key]));
            store.check(&["errors", "out"], if good { 0 } else { 3 });
            // the fault repeats
            if !of_ranges {
                store.rule(move |ask, _| is_there(ask).then_some(fault));
                // without ranges, an error page passes for the object
                let is_answer = good && matches!(fault, Fault::Error(_) | Fault::Html);
                store.check(&VERIFY, if is_answer { 1 } else { 3 });
            }
            store.rule(|_, _| None);
            store.check(&UPDATE, 0);
            store.is_right();
        }
    }
}

/// Answers with a body that their headers contradict, in part or as a whole.
#[test]
fn an_answer_that_contradicts_itself() {
    let all = [
        Fault::FewerChunks,
        Fault::MoreChunks,
        Fault::FewerToTheEnd,
        Fault::PartAsWhole,
        Fault::TwoRanges,
        Fault::RangeBeyond,
    ];
    for (key, faults) in [("d0/k04", &all[..2]), ("d1/large", &all)] {
        for &fault in faults {
            println!("{key} {fault:?}");
            let store = Store::usual(Style::Usual);
            store.put("d1/large", &vec![9; LARGE]);
            let is_bad = move |ask: &Ask, count| *ask == Ask::Get(key.into()) && count == 0;
            store.rule(move |ask, count| is_bad(ask, count).then_some(fault));
            store.check(&CREATE, 3);
            assert!(store.rows()[key].1.is_err());
            store.check(&UPDATE, 0);
            store.is_right();
            store.rule(move |ask, count| is_bad(ask, count).then_some(fault));
            store.check(&VERIFY, 3);
            store.check(&VERIFY, 0);
        }
    }
}

#[test]
fn an_object_that_is_replaced_while_it_is_read() {
    for style in [Style::Usual, Style::NoEtagInLists, Style::OtherInLists, Style::Times] {
        let store = Store::usual(style);
        store.put("d1/large", &vec![9; LARGE]);
        let is_large = |ask: &Ask| *ask == Ask::Get("d1/large".into());
        // each command that reads the object, and its status after the fault
        for (args, afterwards) in [(&CREATE[..], 3), (&UPDATE, 0), (&VERIFY, 1)] {
            store.rule(move |ask, count| (is_large(ask) && count == 1).then_some(Fault::Replaced));
            store.check(args, 3);
            if args[0] != "verify" {
                let reason = store.rows()["d1/large"].1.clone();
                assert_eq!(reason, Err("it changed while it was read".into()), "{style:?}");
            }
            store.rule(|_, _| None);
            store.check(args, afterwards);
        }
        store.check(&UPDATE, 0);
        store.is_right();
    }
}

#[test]
fn an_object_that_is_replaced_after_its_listing() {
    for style in [Style::Usual, Style::NoEtagInLists, Style::OtherInLists, Style::Times] {
        let store = Store::usual(style);
        let is_asked = |ask: &Ask| *ask == Ask::Get("d0/k02".into());
        store.rule(move |ask, _| is_asked(ask).then_some(Fault::Replaced));
        store.check(&CREATE, 3);
        let reason = store.rows()["d0/k02"].1.clone();
        assert_eq!(reason, Err("it changed since it was listed".into()), "{style:?}");
    }
}

#[test]
fn parts_of_which_nothing_is_known() {
    let store = Store::usual(Style::Nothing);
    store.put("d1/large", &vec![9; LARGE]);
    let is_cut = |ask: &Ask, count| *ask == Ask::Get("d0/k02".into()) && count == 0;
    store.rule(move |ask, count| is_cut(ask, count).then_some(Fault::Cut));
    store.check(&CREATE, 3);
    let rows = store.rows();
    let unread: Vec<_> = rows.iter().filter(|(_, row)| row.1.is_err()).map(|it| it.0).collect();
    assert_eq!(unread, ["d0/k02", "d1/large"]);
    // nothing shows a change
    store.remove("d1/large");
    store.put("d0/k04", &[9; 400]);
    store.check(&UPDATE, 0);
    store.is_right();
}

/// The metadata of an object are those of its next content, too.
#[test]
fn parts_of_which_too_little_is_known() {
    let same_times = [
        "Last-Modified: Tue, 01 Sep 2026 10:00:00 GMT\r\nDate: Tue, 01 Sep 2026 10:00:00 GMT\r\n",
        // the clock of this machine may be another
        "Last-Modified: Tue, 01 Sep 2026 10:00:00 GMT\r\n",
        "Last-Modified: Tue, 01 Sep 2026 10:00:00 GMT\r\nDate: Tue Sep  1 10:00:00 2026\r\n",
        // several values
        "Last-Modified: Tue, 01 Sep 2026 10:00:00 GMT\r\n\
         Date: Tue, 01 Sep 2026 10:00:09 GMT\r\nDate: Tue, 01 Sep 2026 10:00:00 GMT\r\n",
        "Last-Modified: Tue, 01 Sep 2026 09:00:00 GMT\r\n\
         Last-Modified: Tue, 01 Sep 2026 10:00:00 GMT\r\nDate: Tue, 01 Sep 2026 10:00:00 GMT\r\n",
        "ETag: \"a\"\r\nETag: W/\"a\"\r\n",
        // no version, and no strong ETag
        "x-amz-version-id:\r\n",
        "ETag: w/\"a\"\r\n",
    ];
    for style in same_times.map(Style::SameTime).into_iter().chain([Style::Weak]) {
        println!("{style:?}");
        let store = Store::usual(style);
        store.put("d1/large", &vec![9; LARGE]);
        store.rule(|ask, count| match ask {
            Ask::Get(key) if key == "d1/large" && count == 1 => Some(Fault::Replaced),
            Ask::Get(key) if key == "d0/k02" && count == 0 => Some(Fault::Cut),
            Ask::Get(key) if key == "d0/k02" && count == 1 => Some(Fault::Replaced),
            _ => None,
        });
        store.check(&CREATE, 3);
        let rows = store.rows();
        let unread: Vec<_> = rows.iter().filter(|(_, row)| row.1.is_err()).map(|it| it.0).collect();
        assert_eq!(unread, ["d0/k02", "d1/large"]);
    }
}

#[test]
fn unchanged_objects_are_kept_whatever_lists_say_of_them() {
    for style in [
        Style::Usual,
        Style::NoEtagInLists,
        Style::EmptyEtagInLists,
        Style::OtherInLists,
        Style::Times,
    ] {
        let store = Store::usual(style);
        store.check(&CREATE, 0);
        store.rule(|_, _| Some(Fault::Late));
        store.put("d0/k02", &[9; 200]); // of the same size
        store.put("d0/new", b"new");
        store.remove("d0/k04");
        let text = store.check(&UPDATE, 0);
        let printed = "14 objects kept, 2 read: 1 added, 1 changed, 1 removed, 0 unread";
        assert!(text.contains(printed), "{style:?}: {text}");
        assert_eq!(store.asked(|ask| matches!(ask, Ask::Get(_))), 2);
        store.is_right();
        let changes = store.check(&["diff", "out", "--from", "1"], 1);
        let expected = "~ sha256 s3://bucket/d0/k02\n- sha256 s3://bucket/d0/k04\n+ sha256 s3://bucket/d0/new\n";
        assert_eq!(changes, expected);
    }
}

#[test]
fn many_removals_are_confirmed() {
    let store = Store::usual(Style::Usual);
    store.check(&CREATE, 0);
    let before = store.rows();
    store.remove("d0/k00");
    store.remove("d0/k02");
    store.put("d0/k04", b"another");
    let text = store.check(&UPDATE, 4);
    assert!(text.contains("--allow-removals"), "{text}");
    let rows = store.rows();
    assert_eq!(rows.len(), before.len());
    assert_ne!(rows["d0/k04"], before["d0/k04"]);
    store.check(&["update", "out", "--allow-removals"], 0);
    store.is_right();
    // nor are those forgotten that could not be read the last time
    store.put("d0/k04", b"a third");
    store.put("d0/k06", b"another");
    store.rule(|ask, _| matches!(ask, Ask::Get(_)).then_some(Fault::Status(403)));
    store.check(&UPDATE, 3);
    store.rule(|_, _| None);
    let kept = store.rows().len();
    store.remove("d0/k04");
    store.remove("d0/k06");
    let text = store.check(&UPDATE, 4);
    assert!(text.contains("--allow-removals") && text.contains(" 2 unread"), "{text}");
    assert_eq!(store.rows().len(), kept);
    let text = store.check(&["update", "out", "--allow-removals"], 0);
    assert!(text.contains(" 2 removed"), "{text}");
    store.is_right();
    // a mount that moved
    let folder = store.folder.path();
    std::fs::create_dir(folder.join("mount")).unwrap();
    std::fs::write(folder.join("mount/f"), "f").unwrap();
    age(&folder.join("mount/f"));
    store.check(&["create", "mount", "--out", "files"], 0);
    std::fs::rename(folder.join("mount"), folder.join("moved")).unwrap();
    assert!(store.check(&["update", "files"], 4).contains("No such file"));
    std::fs::create_dir(folder.join("mount")).unwrap();
    store.check(&["update", "files"], 4);
    std::fs::remove_dir(folder.join("mount")).unwrap();
    std::fs::rename(folder.join("moved"), folder.join("mount")).unwrap();
    assert!(store.check(&["update", "files"], 0).contains("1 objects kept, 0 read"));
}

#[test]
fn two_objects_of_which_nothing_is_known_are_not_equal() {
    let store = Store::with(Style::Usual, &[("a", b"a"), ("b", b"b")]);
    store.rule(|ask, _| (*ask == Ask::Get("a".into())).then_some(Fault::Status(403)));
    store.check(&CREATE, 3);
    let text = store.check(&["diff", "out", "out"], 3);
    assert_eq!(text, "? sha256 s3://bucket/a\n");
}

/// Keys that S3 can hold.
const KEYS: [&str; 30] = [
    "a//b", "/a", "//", "a", "a/", "dir", "dir/", "dir/x", "a b", " a", "a ", "100%", "%41", "%2F",
    "?", "a?b/c", "#", "a#b/c", "+", "ü", "\\", "<&>\"'", "\u{1}", "a\nb", "a\rb", "\t", "\u{7f}",
    "...", "~", "*",
];

#[test]
fn keys_that_are_no_paths() {
    let store = Store::new(Style::Usual);
    KEYS.iter().for_each(|key| store.put(key, key.as_bytes()));
    store.check(&CREATE, 0);
    store.is_right();
    store.check(&VERIFY, 0);
    let text = store.check(&UPDATE, 0);
    assert!(text.contains(&format!("{} objects kept, 0 read", KEYS.len())), "{text}");
    // the HTTP library would normalize these keys to other objects
    for key in ["..", "a/../b", "./c"] {
        store.put(key, b"dots");
    }
    store.check(&UPDATE, 3);
    let rows = store.rows();
    assert_eq!(rows.len(), KEYS.len() + 3);
    assert_eq!(rows.values().filter(|row| row.1.is_err()).count(), 3);
    assert!(rows["a/../b"].1.is_err());

    // locations
    for (location, count) in
        [("a?b/", 1), ("a#b/", 1), ("dir", 3), ("dir/", 2), ("a//", 1), ("100%", 1)]
    {
        let out = store.folder.path().join("part");
        drop(std::fs::remove_dir_all(&out));
        store.check(&["create", &format!("s3://bucket/{location}"), "--out", "part"], 0);
        assert_eq!(rows_of(&out), count, "{location}");
    }
}

fn rows_of(out: &std::path::Path) -> usize {
    rows(out).len()
}

#[test]
fn any_key_comes_back() {
    let letters: Vec<char> = "ab//%%25+?#&=. \\\u{1}\n\r<ü\u{10ffff}~:@;*".chars().collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as usize % below
    };
    let store = Store::new(Style::Usual);
    let mut kept = 0;
    while kept < 300 {
        let key: String = (0..1 + next(9)).map(|_| letters[next(letters.len())]).collect();
        if !key.split('/').any(|segment| [".", ".."].contains(&segment)) {
            store.put(&key, key.as_bytes());
            kept += 1;
        }
    }
    store.check(&CREATE, 0);
    store.is_right();
    store.check(&VERIFY, 0);
    store.rule(|_, _| None);
    store.check(&UPDATE, 0);
    assert_eq!(store.asked(|ask| matches!(ask, Ask::Get(_))), 0);
    // each key is a location, too
    let keys: Vec<String> = store.digests().into_keys().collect();
    for key in keys.iter().step_by(30) {
        let out = store.folder.path().join("one");
        drop(std::fs::remove_dir_all(&out));
        let url = format!("s3://bucket/{}", utf8_percent_encode(key, NON_ALPHANUMERIC));
        store.check(&["create", &url, "--out", "one"], 0);
        let folder = if key.ends_with('/') { key.clone() } else { format!("{key}/") };
        let expected = keys.iter().filter(|other| *other == key || other.starts_with(&folder));
        assert_eq!(rows_of(&out), expected.count(), "{key:?}");
    }
}

#[test]
fn every_object_of_a_list_has_a_name_of_its_own() {
    let objects: [(&str, &[u8]); 3] = [("dir", b"itself"), ("dir/", b""), ("dir/dir", b"below")];
    let store = Store::with(Style::Usual, &objects);
    store.check(&["create", "s3://bucket/dir", "--out", "out"], 0);
    for command in ["export out --format sha256sum", "diff --relative out out"] {
        let text = store.check(&command.split(' ').collect::<Vec<_>>(), 2);
        assert!(text.contains("another object has its name"), "{text}");
    }
    store.check(&["export", "out", "--format", "sha256sum", "--absolute"], 0);
    store.check(&["create", "s3://bucket/dir/", "--out", "below"], 0);
    let text = store.check(&["export", "below", "--format", "sha256sum"], 0);
    let names: Vec<_> = text.lines().filter_map(|line| Some(line.split_once("  ")?.1)).collect();
    assert_eq!(names, ["./", "dir"]);
}

#[test]
fn names_are_those_of_a_copy() {
    let store = Store::new(Style::Usual);
    let copy = store.folder.path().join("copy");
    std::fs::create_dir(&copy).unwrap();
    for name in ["-", "a\\b", "a%b"] {
        store.put(&format!("dir/{name}"), name.as_bytes());
        std::fs::write(copy.join(name), name).unwrap();
    }
    store.put("dir/file://x", b"");
    store.put("dir//dev/null", b"");
    store.check(&["create", "s3://bucket/dir/", "--out", "out"], 0);
    store.check(&["create", "copy", "--out", "local"], 0);
    let text = store.check(&["diff", "--relative", "out", "local"], 1);
    assert_eq!(text, "- sha256 /dev/null\n- sha256 file://x\n");
    for (manifest, expected) in [
        ("out", &["./-", ".//dev/null", "a%b", "a\\\\b", "file://x"][..]),
        ("local", &["./-", "a%b", "a\\\\b"][..]),
    ] {
        let text = store.check(&["export", manifest, "--format", "sha256sum"], 0);
        let names: Vec<_> = text.lines().filter_map(|it| Some(it.split_once("  ")?.1)).collect();
        assert_eq!(names, expected);
        let text = store.check(&["export", manifest, "--format", "bagit"], 0);
        assert!(text.contains("  data/-\n"), "{text}");
    }
}
