//! An S3 server over a directory, and a proxy before it that makes requests fail.

use std::{
    collections::HashMap,
    net::SocketAddr,
    path::Path,
    process::Command,
    sync::{Arc, Mutex},
    time::Duration,
};

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::sleep,
};

const USER: &str = "test-user";
const SECRET: &str = "test-secret";

/// What the proxy does to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// Answers 503 itself.
    Unavailable,
    /// Cuts the connection after so many bytes of the answer.
    Cut(usize),
    /// Does not answer.
    Hang,
}

/// Decides by the key and by how many requests for it came before.
type Faults = dyn Fn(&str, usize) -> Fault + Send + Sync;

pub(crate) struct Server {
    address: SocketAddr,
    /// How often the content of each key was asked for.
    pub(crate) gets: Arc<Mutex<HashMap<String, usize>>>,
}

impl Server {
    /// Serves the directories in `root` as buckets.
    pub(crate) async fn start(
        root: &Path,
        faults: impl Fn(&str, usize) -> Fault + Send + Sync + 'static,
    ) -> Self {
        let mut service = S3ServiceBuilder::new(FileSystem::new(root).unwrap());
        service.set_auth(SimpleAuth::from_single(USER, SECRET));
        let service = service.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let behind = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let server = Builder::new(TokioExecutor::new());
                    // connections that the proxy cuts end with an error
                    drop(server.serve_connection(TokioIo::new(socket), service).await);
                });
            }
        });

        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let gets: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
        let (counts, faults): (_, Arc<Faults>) = (gets.clone(), Arc::new(faults));
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(proxy(socket, behind, counts.clone(), faults.clone()));
            }
        });
        Self { address, gets }
    }

    /// Lets a program find the server.
    pub(crate) fn environment(&self, mut command: Command) -> Command {
        command
            .env("AWS_ENDPOINT_URL", format!("http://{}", self.address))
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ACCESS_KEY_ID", USER)
            .env("AWS_SECRET_ACCESS_KEY", SECRET);
        command
    }

    /// How often the content of a key was asked for.
    pub(crate) fn gets(&self, key: &str) -> usize {
        self.gets.lock().unwrap().get(key).copied().unwrap_or_default()
    }
}

/// One request of one connection.
async fn proxy(
    mut client: TcpStream,
    behind: SocketAddr,
    counts: Arc<Mutex<HashMap<String, usize>>>,
    faults: Arc<Faults>,
) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?;
    let mut words = head.split_whitespace();
    let (method, target) = (words.next()?, words.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let key = path.strip_prefix("/bucket/").filter(|key| !key.is_empty() && query.is_empty());
    let fault = match key.filter(|_| method == "GET") {
        Some(key) => {
            let mut counts = counts.lock().ok()?;
            let count = counts.entry(key.to_owned()).or_default();
            *count += 1;
            faults(key, *count - 1)
        }
        None => Fault::None,
    };
    let most = match fault {
        Fault::None => usize::MAX,
        Fault::Cut(most) => most,
        Fault::Unavailable => {
            let answer = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            return client.write_all(answer.as_bytes()).await.ok();
        }
        Fault::Hang => {
            sleep(Duration::from_secs(600)).await;
            return None;
        }
    };
    let mut server = TcpStream::connect(behind).await.ok()?;
    let head = head.replacen("\r\n", "\r\nConnection: close\r\n", 1);
    server.write_all(head.as_bytes()).await.ok()?;
    let mut buffer = vec![0; 16 << 10];
    let mut sent = 0;
    while sent < most {
        let room = buffer.len().min(most - sent);
        match server.read(&mut buffer[..room]).await.ok()? {
            0 => break,
            n => {
                client.write_all(&buffer[..n]).await.ok()?;
                sent += n;
            }
        }
    }
    client.shutdown().await.ok()
}
