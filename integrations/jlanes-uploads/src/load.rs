//! Load for a server: connections that send uploads one after another, and measure each.

use std::{
    io,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    task::JoinSet,
    time::sleep,
};

/// The number of bytes sent at once.
const PART: usize = 64 << 10;

/// The load of a run.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The number of connections.
    pub connections: usize,
    /// The length of an upload in bytes.
    pub bytes: usize,
    /// The duration of the run.
    pub time: Duration,
    /// The pause of a slow client after each 64 KiB.
    pub pause: Duration,
}

/// The measurements of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The duration of the run.
    pub time: Duration,
    /// Bytes of the uploads that were answered.
    pub bytes: u64,
    /// The times from the last byte to the answer, one for each upload, sorted.
    pub waits: Vec<Duration>,
    /// The times from the first byte to the answer, one for each upload, sorted.
    pub uploads: Vec<Duration>,
}

impl Outcome {
    /// Bytes per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.bytes as f64 / self.time.as_secs_f64()
    }
}

/// The duration that `percent` of the sorted `durations` do not exceed; zero if the list is empty.
#[must_use]
pub fn percentile(durations: &[Duration], percent: usize) -> Duration {
    let last = durations.len().saturating_sub(1);
    durations.get(last * percent / 100).copied().unwrap_or_default()
}

/// Sends a load to the server at `address`. `digest` is the right answer to an upload of zeros.
///
/// # Errors
/// If a connection fails, or an answer is wrong.
///
/// # Panics
/// If a task panics.
pub async fn run(address: SocketAddr, load: Load, digest: &str) -> io::Result<Outcome> {
    let digest: Arc<str> = digest.into();
    let begun = Instant::now();
    let mut connections = JoinSet::new();
    for _ in 0..load.connections {
        let digest = Arc::clone(&digest);
        connections.spawn(async move {
            let mut connection = Connection::open(address).await?;
            let mut durations = Vec::new();
            while begun.elapsed() < load.time {
                let (upload, wait, answer) = connection.upload(load.bytes, load.pause).await?;
                if answer != *digest {
                    return Err(io::Error::other(format!("{answer} instead of {digest}")));
                }
                durations.push((upload, wait));
            }
            Ok::<_, io::Error>(durations)
        });
    }
    let (mut uploads, mut waits) = (Vec::new(), Vec::new());
    while let Some(durations) = connections.join_next().await {
        for (upload, wait) in durations.expect("connections do not panic")? {
            uploads.push(upload);
            waits.push(wait);
        }
    }
    let time = begun.elapsed();
    uploads.sort_unstable();
    waits.sort_unstable();
    let bytes = (uploads.len() * load.bytes) as u64;
    Ok(Outcome { time, bytes, waits, uploads })
}

/// The CPU time that the server at `address` has used.
///
/// # Errors
/// If the server does not answer with a number.
pub async fn cpu_time(address: SocketAddr) -> io::Result<Duration> {
    let mut connection = Connection::open(address).await?;
    connection.stream.write_all(b"GET /cpu HTTP/1.1\r\nHost: load\r\n\r\n").await?;
    let micros = connection.answer().await?.parse().map_err(io::Error::other)?;
    Ok(Duration::from_micros(micros))
}

/// A connection of HTTP/1.1, reduced to what uploads need, because its cost must not distort the
/// server's.
struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Uploads zeros. Returns the time of the upload, the time after its last byte, and the answer.
    async fn upload(
        &mut self,
        bytes: usize,
        pause: Duration,
    ) -> io::Result<(Duration, Duration, String)> {
        static ZEROS: [u8; PART] = [0; PART];
        let begun = Instant::now();
        let head = format!("PUT / HTTP/1.1\r\nHost: load\r\nContent-Length: {bytes}\r\n\r\n");
        self.stream.write_all(head.as_bytes()).await?;
        let mut left = bytes;
        while left > 0 {
            let n = left.min(PART);
            self.stream.write_all(&ZEROS[..n]).await?;
            left -= n;
            if left > 0 && !pause.is_zero() {
                sleep(pause).await;
            }
        }
        self.stream.flush().await?;
        let sent = Instant::now();
        let answer = self.answer().await?;
        Ok((begun.elapsed(), sent.elapsed(), answer))
    }

    /// The body of a successful answer.
    async fn answer(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line).await?;
        let is_well = line.starts_with("HTTP/1.1 200 ");
        let mut len = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line).await?;
            if line.trim_end().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                len = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        let mut body = vec![0; len];
        self.stream.read_exact(&mut body).await?;
        let body = String::from_utf8(body).map_err(io::Error::other)?;
        if is_well { Ok(body) } else { Err(io::Error::other(format!("no answer: {body}"))) }
    }
}
