//! S3's protocol for listing and reading objects. It uses the credentials and signatures of the
//! `object_store` library, but not its client, which does not list keys with `//`, `.` or control
//! characters, nor any key after them, and which accepts any document as a page of a listing.

mod checksums;

use std::{
    collections::HashSet,
    error::Error,
    fmt,
    time::{Duration, Instant},
};

use base64ct::{Base64, Encoding};
use bytes::Bytes;
use chrono::DateTime;
use futures::{Stream, StreamExt, stream::BoxStream};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri,
    header::{
        CONTENT_LENGTH, CONTENT_RANGE, DATE, ETAG, IF_MATCH, IF_UNMODIFIED_SINCE, LAST_MODIFIED,
        RANGE, TRANSFER_ENCODING,
    },
};
use jlanes::{Digest, Md5};
use object_store::{
    aws::{AmazonS3Builder, AmazonS3ConfigKey as Key, AwsAuthorizer, AwsCredentialProvider},
    client::{HttpClient, HttpRequestBody, HttpResponse},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quick_xml::{Reader, escape::resolve_predefined_entity, events::Event};
use reqwest::{Client, Url, redirect::Policy};
use tokio::time::sleep;

pub(crate) use self::checksums::Checksums;
use crate::meta::Meta;

/// The timeouts of a connection, and of a response with its body; bodies are parts of large objects.
const CONNECTION: Duration = Duration::from_secs(5);
const TIMEOUT: Duration = Duration::from_secs(60);

/// The pauses before the first retry and before the last ones, and the total time of retries.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSE: Duration = Duration::from_secs(15);
const RETRY_TIME: Duration = Duration::from_secs(600);

/// The number of pages without new objects after which a listing fails.
const IDLE_PAGES: usize = 100;

/// The maximum sizes of an error that is read, and of a page. A page has 1000 keys of up to 1 KiB.
const MESSAGE: usize = 4 << 10;
const PAGE: usize = 64 << 20;

/// The maximum depth of a page's elements; owners are the deepest, at 4.
const DEPTH: usize = 8;

/// The name of the option with a customer's key; in capitals, that of the environment variable.
const CUSTOMER_KEY: &str = "aws_sse_customer_key_base64";

/// The end of the names of directory buckets, which other buckets in S3 never have.
const DIRECTORY: &str = "--x-s3";

const VERSION: HeaderName = HeaderName::from_static("x-amz-version-id");
const REGION: HeaderName = HeaderName::from_static("x-amz-bucket-region");

/// The characters that S3's signature does not escape.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const PATH: &AsciiSet = &QUERY.remove(b'/');

/// A request that failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    reason: String,
    pub(crate) status: Option<StatusCode>,
    /// Whether the next request may succeed.
    passing: bool,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // parts of the reason come from the store
        f.write_str(&self.reason.replace(char::is_control, " "))
    }
}

impl Failure {
    /// A failure that a retry does not change.
    pub(crate) fn lasting(reason: String) -> Self {
        Self { reason, status: None, passing: false }
    }

    /// The failure of a connection, or of an answer that broke off.
    pub(crate) fn cut(error: &dyn Error) -> Self {
        let mut reason = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            let text = error.to_string();
            // some errors repeat the text of their source
            if !reason.ends_with(&text) {
                reason = format!("{reason}: {text}");
            }
            source = error.source();
        }
        Self { reason, status: None, passing: true }
    }

    /// The failure in an answer with an error status, to a request for a bucket in this region.
    async fn answer(response: HttpResponse, region: &str) -> Self {
        let status = response.status();
        let region = text(&response, REGION).filter(|other| *other != region);
        let region = region.map_or_else(String::new, |other| format!(" (its region is {other})"));
        let mut body = Vec::new();
        let mut stream = stream(response);
        while body.len() < MESSAGE
            && let Some(Ok(bytes)) = stream.next().await
        {
            body.extend(bytes);
        }
        let passing = status.is_server_error()
            || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status);
        let said = match Page::parse(&body) {
            Err(Self { reason, .. }) if body.starts_with(b"<") => format!(": {reason}"),
            Ok(_) | Err(_) => String::new(),
        };
        Self { reason: format!("{status}{said}{region}"), status: Some(status), passing }
    }
}

/// The retries of a request.
pub(crate) struct Retries {
    left: usize,
    pause: Duration,
    begin: Instant,
}

impl Retries {
    /// Waits until the request may be repeated. Returns the failure if that would not help, or there
    /// are no retries left.
    pub(crate) async fn again(&mut self, failure: Failure) -> Result<(), Failure> {
        if !failure.passing || self.left == 0 || self.begin.elapsed() > RETRY_TIME {
            return Err(failure);
        }
        self.left -= 1;
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(MAX_PAUSE);
        Ok(())
    }
}

/// A bucket.
#[derive(Debug)]
pub(crate) struct Bucket {
    url: String,
    region: String,
    client: HttpClient,
    /// `None` for requests without a signature.
    credentials: Option<AwsCredentialProvider>,
    /// The headers with the customer's key, with which the store decrypts objects (SSE-C).
    key: HeaderMap,
    pays: bool,
    retries: usize,
}

/// The headers of a customer's key.
fn customer_key(key: &str) -> Option<HeaderMap> {
    let bytes = Base64::decode_vec(key).ok().filter(|bytes| bytes.len() == 32)?;
    let check = Base64::encode_string(&Md5::digest(&bytes));
    let mut headers = HeaderMap::new();
    for (name, value) in [("algorithm", "AES256"), ("key", key), ("key-md5", &check)] {
        let name = format!("x-amz-server-side-encryption-customer-{name}");
        let mut value = HeaderValue::from_str(value).ok()?;
        value.set_sensitive(true);
        headers.insert(HeaderName::try_from(name).ok()?, value);
    }
    Some(headers)
}

impl Bucket {
    /// The bucket of this name, in the store that the environment describes.
    pub(crate) fn new(name: &str, retries: usize) -> Result<Self, String> {
        let builder = AmazonS3Builder::from_env().with_bucket_name(name);
        let value = |key: Key| builder.get_config_value(&key);
        let is_set = |key: Key| {
            value(key).is_some_and(|value| {
                ["1", "true", "on", "yes", "y"].contains(&&*value.to_ascii_lowercase())
            })
        };
        if is_set(Key::S3Express) || name.ends_with(DIRECTORY) {
            return Err("directory buckets (S3 Express) are not read".into());
        }
        let endpoint = value(Key::S3Endpoint).or_else(|| value(Key::Endpoint));
        let region = value(Key::Region).or_else(|| value(Key::DefaultRegion));
        let region = region.unwrap_or_else(|| "us-east-1".into());
        // an endpoint without TLS has to be explicit
        let plain = endpoint.as_ref().is_some_and(|endpoint| endpoint.starts_with("http://"));
        let url = match (endpoint, is_set(Key::VirtualHostedStyleRequest)) {
            (Some(endpoint), true) => endpoint.trim_end_matches('/').into(),
            (Some(endpoint), false) => format!("{}/{name}", endpoint.trim_end_matches('/')),
            (None, true) => format!("https://{name}.s3.{region}.amazonaws.com"),
            (None, false) => format!("https://s3.{region}.amazonaws.com/{name}"),
        };
        let (is_signed, pays) = (!is_set(Key::SkipSignature), is_set(Key::RequestPayer));
        // the signature and the client parse the URL in different ways
        let is_url = url.parse::<Uri>().is_ok() && Url::parse(&url).is_ok();
        if !is_url || !plain && !url.starts_with("https://") {
            return Err(format!(
                "'{url}' is no address: an endpoint starts with http:// or https://"
            ));
        }
        let key = CUSTOMER_KEY.parse().ok().and_then(value);
        let key = key.map_or_else(|| Some(HeaderMap::new()), |key| customer_key(&key));
        let key = key.ok_or_else(|| {
            format!("{} is no key of 256 bits in base64", CUSTOMER_KEY.to_ascii_uppercase())
        })?;
        let client = Client::builder()
            .user_agent(concat!("jlanes-inventory/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECTION)
            .timeout(TIMEOUT)
            .https_only(!plain)
            .http1_only()
            // the digest is of the stored bytes
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate()
            // the signature is for one host, and a session's token and a customer's key must not go to
            // another
            .redirect(Policy::none());
        let client = HttpClient::new(client.build().map_err(|it| it.to_string())?);
        let store = builder.build().map_err(|it| it.to_string())?;
        let credentials = is_signed.then(|| store.credentials().clone());
        Ok(Self { url, region, client, credentials, key, pays, retries })
    }

    pub(crate) fn retries(&self) -> Retries {
        Retries { left: self.retries, pause: FIRST_PAUSE, begin: Instant::now() }
    }

    /// Sends one request.
    async fn ask(
        &self,
        method: Method,
        key: &str,
        query: &str,
        headers: HeaderMap,
    ) -> Result<HttpResponse, Failure> {
        if key.split('/').any(|segment| [".", ".."].contains(&segment)) {
            let reason = "the HTTP library does not send a key with the segment '.' or '..'";
            return Err(Failure::lasting(reason.into()));
        }
        let slash = if key.is_empty() { "" } else { "/" };
        let url = format!("{}{slash}{}{query}", self.url, utf8_percent_encode(key, PATH));
        let request = Request::builder().method(method).uri(url).body(HttpRequestBody::empty());
        let mut request = request.map_err(|error| Failure::lasting(error.to_string()))?;
        *request.headers_mut() = headers;
        if !key.is_empty() {
            request.headers_mut().extend(self.key.clone());
        }
        if let Some(credentials) = &self.credentials {
            let credential = credentials.get_credential().await;
            let credential = credential.map_err(|error| Failure::lasting(error.to_string()))?;
            let authorizer = AwsAuthorizer::new(&credential, "s3", &self.region);
            authorizer.with_request_payer(self.pays).authorize(&mut request, None);
        }
        let response = self.client.execute(request).await.map_err(|error| Failure::cut(&error))?;
        match response.status() {
            StatusCode::OK | StatusCode::PARTIAL_CONTENT => Ok(response),
            // also 203, by which a proxy says that it has changed the content
            _ => Err(Failure::answer(response, &self.region).await),
        }
    }

    /// The metadata and the checksums of an object, if it exists.
    pub(crate) async fn head(&self, key: &str) -> Result<Option<(Meta, Checksums)>, Failure> {
        let mut retries = self.retries();
        loop {
            match self.ask(Method::HEAD, key, "", checksums::wanted()).await {
                Ok(response) => {
                    let meta = meta(&response, length(&response));
                    return Ok(Some((meta, Checksums::of(&response))));
                }
                Err(Failure { status: Some(StatusCode::NOT_FOUND), .. }) => return Ok(None),
                Err(failure) => retries.again(failure).await?,
            }
        }
    }

    /// Requests `bytes` of an object from `start` on, or everything after `start`. With the metadata of
    /// an earlier answer, the object must be the same; otherwise the failure has status 412.
    pub(crate) async fn get(
        &self,
        key: &str,
        start: u64,
        end: Option<u64>,
        found: Option<&Meta>,
    ) -> Result<Answer, Failure> {
        let mut headers = checksums::wanted();
        let mut query = String::new();
        let mut set = |name: HeaderName, value: &str| {
            HeaderValue::from_str(value).map(|value| drop(headers.insert(name, value)))
        };
        let range = match end {
            Some(end) => Some(format!("bytes={start}-{}", end - 1)),
            None => (start > 0).then(|| format!("bytes={start}-")),
        };
        let condition = |found: &Meta| match (&found.etag, &found.version, found.mtime) {
            // a weak ETag never matches
            (Some(etag), ..) if is_strong(etag) => Some((IF_MATCH, etag.clone())),
            (_, Some(version), _) => {
                query = format!("?versionId={}", utf8_percent_encode(version, QUERY));
                None
            }
            (_, None, Some(time)) => {
                let time = DateTime::from_timestamp_millis(time)?;
                Some((IF_UNMODIFIED_SINCE, time.format("%a, %d %b %Y %H:%M:%S GMT").to_string()))
            }
            (_, None, None) => None,
        };
        let condition = found.and_then(condition);
        let pairs = range.as_ref().map(|range| (RANGE, range.clone())).into_iter().chain(condition);
        for (name, value) in pairs {
            set(name, &value).map_err(|error| Failure::lasting(error.to_string()))?;
        }
        let response = self.ask(Method::GET, key, &query, headers).await?;
        let (is_part, length) =
            (response.status() == StatusCode::PARTIAL_CONTENT, length(&response));
        let (first, end, size) = match content_range(&response) {
            Ok(None) if is_part => Err("a range without a place"),
            Ok(None) => length.map(|size| (0, size, size)).ok_or("an answer without a length"),
            // a gateway may have exchanged the content, and not the range
            Ok(Some((first, end, _))) if length.is_some_and(|it| it != end - first) => {
                Err("a range of another length")
            }
            Ok(Some((first, end, size))) if !is_part && end - first < size => {
                Err("a part of an object that passes for the whole")
            }
            Ok(Some(range)) => Ok(range),
            Err(reason) => Err(reason),
        }
        .map_err(|reason| Failure::lasting(reason.into()))?;
        if first != start {
            return Err(Failure::lasting(format!(
                "bytes from {start} on were asked for, and came from {first} on"
            )));
        }
        let meta = meta(&response, Some(size));
        // those of a part may be of the part
        let checksums = (!is_part).then(|| Checksums::of(&response));
        // the other encodings of a body count for more than its length
        let is_counted = length.is_some() && !response.headers().contains_key(TRANSFER_ENCODING);
        let is_unique = is_unique(&response, &meta);
        Ok(Answer { meta, is_unique, checksums, end, is_counted, body: stream(response).boxed() })
    }

    /// The objects with this prefix.
    pub(crate) fn pages<'a>(&'a self, prefix: &'a str) -> Pages<'a> {
        let (next, firsts) = (Some(String::new()), HashSet::new());
        Pages { bucket: self, prefix, next, firsts, is_over: false, idle: 0 }
    }

    async fn page(&self, prefix: &str, token: &str) -> Result<Page, Failure> {
        let mut query = format!("?list-type=2&prefix={}", utf8_percent_encode(prefix, QUERY));
        if !token.is_empty() {
            let token = utf8_percent_encode(token, QUERY);
            query = format!("?continuation-token={token}&{}", &query[1..]);
        }
        let response = self.ask(Method::GET, "", &query, HeaderMap::new()).await?;
        let mut body = Vec::new();
        let mut stream = stream(response);
        while let Some(bytes) = stream.next().await {
            body.extend(bytes?);
            if body.len() > PAGE {
                return Err(Failure::lasting("no listing: it does not end".into()));
            }
        }
        let page = Page::parse(&body)?;
        let is_other = |echo: &Option<String>, sent: &str| {
            echo.as_ref().is_some_and(|echo| !echo.is_empty() && echo != sent)
        };
        let Page { prefix: other, token: other_token, start_after, .. } = &page;
        if is_other(other, prefix) || is_other(other_token, token) || is_other(start_after, "") {
            return Err(Failure::lasting("no listing: it answers another request".into()));
        }
        Ok(page)
    }
}

/// An answer with an object's content.
pub(crate) struct Answer {
    /// The metadata, with the size of the whole object.
    pub(crate) meta: Meta,
    /// Whether no other content can have this metadata, before the answer or after it.
    pub(crate) is_unique: bool,
    /// `None` in an answer with a part.
    pub(crate) checksums: Option<Checksums>,
    /// The end of the content in the object.
    pub(crate) end: u64,
    /// Whether the connection ends the body exactly there, or fails.
    pub(crate) is_counted: bool,
    pub(crate) body: BoxStream<'static, Result<Bytes, Failure>>,
}

fn stream(response: HttpResponse) -> impl Stream<Item = Result<Bytes, Failure>> + Unpin {
    let body = response.into_body().bytes_stream();
    body.map(|bytes| bytes.map_err(|error| Failure::cut(&error)))
}

/// The value of a header. An empty one is none, and so are several different ones.
fn text(response: &HttpResponse, name: HeaderName) -> Option<&str> {
    let mut all = response.headers().get_all(name).iter();
    let value = all.next().filter(|value| !value.is_empty())?;
    if all.any(|other| other != value) {
        return None;
    }
    value.to_str().ok()
}

fn length(response: &HttpResponse) -> Option<u64> {
    text(response, CONTENT_LENGTH)?.parse().ok()
}

/// The first byte of a part, the end of its last one, and the size of the whole object.
fn content_range(response: &HttpResponse) -> Result<Option<(u64, u64, u64)>, &'static str> {
    let mut all = response.headers().get_all(CONTENT_RANGE).iter();
    let Some(value) = all.next() else { return Ok(None) };
    if all.any(|other| other != value) {
        return Err("several ranges");
    }
    let parse = || {
        let (range, size) = value.to_str().ok()?.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        let end = last.parse::<u64>().ok()?.checked_add(1)?;
        Some((first.parse().ok()?, end, size.parse().ok()?))
    };
    let is_possible = |(first, end, size): &(u64, u64, u64)| first < end && end <= size;
    parse().filter(is_possible).map(Some).ok_or("a range without a place")
}

/// The time in a header.
fn time(response: &HttpResponse, name: HeaderName) -> Option<i64> {
    Some(DateTime::parse_from_rfc2822(text(response, name)?).ok()?.timestamp_millis())
}

fn meta(response: &HttpResponse, size: Option<u64>) -> Meta {
    Meta {
        size,
        mtime: time(response, LAST_MODIFIED),
        etag: text(response, ETAG).map(String::from),
        // objects from before versioning have the version "null", which is overwritten
        version: text(response, VERSION).filter(|version| *version != "null").map(String::from),
    }
}

/// Whether an ETag is not a weak one, which stays when the bytes change.
fn is_strong(etag: &str) -> bool {
    !etag.starts_with("W/") && !etag.starts_with("w/")
}

/// Whether no other content can have the metadata of an answer (RFC 9110, section 8.8). The time of an object
/// stays if it is written again within its second, which only the store's own clock shows.
fn is_unique(response: &HttpResponse, meta: &Meta) -> bool {
    let times = time(response, DATE).zip(meta.mtime);
    let is_over = times.is_some_and(|(date, written)| date.saturating_sub(written) >= 1000);
    meta.etag.as_deref().is_some_and(is_strong) || meta.version.is_some() || is_over
}

/// The pages of a listing. It is complete after a page without a next one.
pub(crate) struct Pages<'a> {
    bucket: &'a Bucket,
    prefix: &'a str,
    next: Option<String>,
    /// The first keys of all pages so far, to detect a listing that goes in circles.
    firsts: HashSet<String>,
    /// Whether the last page was the last one, in spite of the token of a next one.
    is_over: bool,
    /// The number of pages since the last one with a new first key.
    idle: usize,
}

impl Pages<'_> {
    /// The objects of the next page.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<(String, Meta)>>, Failure> {
        let Some(token) = &self.next else { return Ok(None) };
        let mut retries = self.bucket.retries();
        let page = loop {
            match self.bucket.page(self.prefix, token).await {
                Ok(page) => break page,
                Err(failure) => retries.again(failure).await?,
            }
        };
        if let Some((key, _)) = page.objects.iter().find(|(key, _)| !key.starts_with(self.prefix)) {
            let reason =
                format!("the store lists '{}', which has another prefix", key.escape_debug());
            return Err(Failure::lasting(reason));
        }
        if self.is_over {
            if !page.objects.is_empty() {
                let reason = "the store's listing goes on after its end";
                return Err(Failure::lasting(reason.into()));
            }
            self.next = None;
            return Ok(None);
        }
        let first = page.objects.first();
        let goes_on = first.is_some_and(|(key, _)| self.firsts.insert(key.clone()));
        self.idle = if goes_on { 0 } else { self.idle + 1 };
        if self.idle > IDLE_PAGES {
            return Err(Failure::lasting("the store's listing goes in circles".into()));
        }
        (self.next, self.is_over) = (page.next, !page.is_truncated);
        Ok(Some(page.objects))
    }
}

/// A page of a listing.
#[derive(Debug, PartialEq)]
struct Page {
    objects: Vec<(String, Meta)>,
    /// The token of the next page.
    next: Option<String>,
    /// Whether the page says that there is more.
    is_truncated: bool,
    /// The request, as the store repeats it.
    prefix: Option<String>,
    token: Option<String>,
    start_after: Option<String>,
}

impl Page {
    /// Parses a page. Anything but a complete page is a failure.
    fn parse(body: &[u8]) -> Result<Self, Failure> {
        let wrong = |error: &dyn fmt::Display| Failure::lasting(format!("no listing: {error}"));
        let mut reader = Reader::from_reader(body);
        reader.config_mut().expand_empty_elements = true;
        let mut path: Vec<String> = Vec::new();
        let (mut objects, mut next, mut truncated) = (Vec::new(), None, None);
        let (mut prefix, mut token, mut start_after, mut count) = (None, None, None, None);
        let (mut key, mut meta) = (None, Meta::default());
        let (mut code, mut message) = (String::new(), String::new());
        let mut text = String::new();
        loop {
            // a page that was cut off is not valid XML
            let event = reader.read_event();
            let event = event.map_err(|error| Failure { passing: true, ..wrong(&error) });
            match event? {
                Event::Start(tag) => {
                    let name = tag.local_name();
                    path.push(String::from_utf8_lossy(name.as_ref()).into_owned());
                    text.clear();
                    let root = &*path[0];
                    if !["ListBucketResult", "Error"].contains(&root) {
                        return Err(wrong(&format!("<{root}>")));
                    }
                    if path.len() > DEPTH {
                        return Err(wrong(&"its elements are too deep"));
                    }
                }
                Event::Text(part) => text += &part.decode().map_err(|error| wrong(&error))?,
                Event::CData(part) => text += &part.decode().map_err(|error| wrong(&error))?,
                Event::GeneralRef(name) => match name.resolve_char_ref() {
                    Ok(Some(character)) => text.push(character),
                    Ok(None) => {
                        let name = name.decode().map_err(|error| wrong(&error))?;
                        let known = resolve_predefined_entity(&name);
                        text += known.ok_or_else(|| wrong(&format!("&{name};")))?;
                    }
                    Err(error) => return Err(wrong(&error)),
                },
                Event::End(_) => {
                    let names: Vec<&str> = path.iter().map(String::as_str).collect();
                    let value = std::mem::take(&mut text);
                    match names[..] {
                        ["ListBucketResult", "Contents", "Key"] if key.is_some() => {
                            return Err(wrong(&"an object has several keys"));
                        }
                        ["ListBucketResult", "Contents", "Key"] => key = Some(value),
                        ["ListBucketResult", "Contents", "ETag"] => {
                            meta.etag = Some(value).filter(|etag| !etag.is_empty());
                        }
                        ["ListBucketResult", "Contents", "Size"] => meta.size = value.parse().ok(),
                        ["ListBucketResult", "Contents", "LastModified"] => {
                            let time = DateTime::parse_from_rfc3339(&value).ok();
                            meta.mtime = time.map(|time| time.timestamp_millis());
                        }
                        ["ListBucketResult", "Contents"] => {
                            let key = key.take().filter(|key: &String| !key.is_empty());
                            let key = key.ok_or_else(|| wrong(&"an object has no key"))?;
                            objects.push((key, std::mem::take(&mut meta)));
                        }
                        // nobody asked for them, and what is below them is not listed
                        ["ListBucketResult", "CommonPrefixes"] => {
                            return Err(wrong(&"it has prefixes instead of objects"));
                        }
                        ["ListBucketResult", "IsTruncated"] => {
                            let found = value.parse().ok();
                            if truncated.replace(found).is_some_and(|before| before != found) {
                                return Err(wrong(&"there is more, and there is no more"));
                            }
                        }
                        ["ListBucketResult", "NextContinuationToken"] => next = Some(value),
                        ["ListBucketResult", "EncodingType"] if !value.is_empty() => {
                            return Err(wrong(&"its keys are encoded, which nobody asked for"));
                        }
                        ["ListBucketResult", "KeyCount"] => count = value.parse::<usize>().ok(),
                        ["ListBucketResult", "Prefix"] => prefix = Some(value),
                        ["ListBucketResult", "ContinuationToken"] => token = Some(value),
                        ["ListBucketResult", "StartAfter"] => start_after = Some(value),
                        ["ListBucketResult"] => break,
                        ["Error", "Code"] => code = value,
                        ["Error", "Message"] => message = value,
                        ["Error"] => {
                            let passing = [
                                "InternalError",
                                "RequestTimeout",
                                "ServiceUnavailable",
                                "SlowDown",
                            ];
                            let passing = passing.contains(&&*code);
                            return Err(Failure {
                                reason: format!("{code}: {message}"),
                                status: None,
                                passing,
                            });
                        }
                        _ => {}
                    }
                    path.pop();
                }
                // the answer broke off, although the connection did not show it
                Event::Eof if !path.is_empty() => {
                    return Err(Failure { passing: true, ..wrong(&"it broke off") });
                }
                Event::Eof => return Err(wrong(&"it is empty")),
                Event::Empty(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_) => {}
            }
        }
        if count.is_some_and(|count| count > objects.len()) {
            return Err(wrong(&"it has fewer objects than it says"));
        }
        let next = next.filter(|next: &String| !next.is_empty());
        let Some(is_truncated) = truncated.flatten() else {
            return Err(wrong(&"it does not say whether there is more"));
        };
        if is_truncated && next.is_none() {
            return Err(wrong(&"there is more, but no token to ask for it"));
        }
        Ok(Self { objects, next, is_truncated, prefix, token, start_after })
    }
}
