//! An S3 server over a directory, and a proxy in front of it that makes requests fail.

use std::{
    collections::HashMap,
    net::SocketAddr,
    path::Path,
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
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

/// The users, by which the proxy distinguishes processes.
pub(crate) const USERS: [&str; 3] = ["test-user", "test-executor-0", "test-executor-1"];
const SECRET: &str = "test-secret";

/// The proxy's treatment of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// Answers 503 itself.
    Unavailable,
    /// Cuts the connection after this number of bytes of the response.
    Cut(usize),
    /// Does not answer. Cuts the connection once all hanging requests are released; later requests
    /// succeed.
    Hang,
}

/// Chooses the treatment by the key and the number of earlier requests for it.
type Faults = dyn Fn(&str, usize) -> Fault + Send + Sync;

pub(crate) struct Server {
    address: SocketAddr,
    proxy: Arc<Proxy>,
}

struct Proxy {
    /// The address of the server.
    behind: SocketAddr,
    faults: Box<Faults>,
    /// The number of requests for the content of each key.
    gets: Mutex<HashMap<String, usize>>,
    /// The users with hanging requests.
    waiting: Mutex<Vec<String>>,
    released: AtomicBool,
}

impl Server {
    /// Serves the directories in `root` as buckets.
    pub(crate) async fn start(
        root: &Path,
        faults: impl Fn(&str, usize) -> Fault + Send + Sync + 'static,
    ) -> Self {
        let mut service = S3ServiceBuilder::new(FileSystem::new(root).unwrap());
        let mut users = SimpleAuth::new();
        for user in USERS {
            users.register(user.into(), SECRET.into());
        }
        service.set_auth(users);
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
        let proxy = Arc::new(Proxy {
            behind,
            faults: Box::new(faults),
            gets: Mutex::default(),
            waiting: Mutex::default(),
            released: AtomicBool::new(false),
        });
        let shared = proxy.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let shared = shared.clone();
                tokio::spawn(async move { shared.answer(socket).await });
            }
        });
        Self { address, proxy }
    }

    /// Sets the environment in which a program finds the server.
    pub(crate) fn environment(&self, command: Command) -> Command {
        self.environment_of(USERS[0], command)
    }

    pub(crate) fn environment_of(&self, user: &str, mut command: Command) -> Command {
        command
            .env("AWS_ENDPOINT_URL", format!("http://{}", self.address))
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ACCESS_KEY_ID", user)
            .env("AWS_SECRET_ACCESS_KEY", SECRET);
        command
    }

    /// The users with hanging requests.
    #[cfg(feature = "cluster")]
    pub(crate) fn waiting(&self) -> Vec<String> {
        self.proxy.waiting.lock().unwrap().clone()
    }

    /// Ends requests that hang.
    #[cfg(feature = "cluster")]
    pub(crate) fn release(&self) {
        self.proxy.released.store(true, Ordering::Relaxed);
    }

    /// The number of requests for the content of a key.
    pub(crate) fn gets(&self, key: &str) -> usize {
        self.proxy.gets.lock().unwrap().get(&escaped(key)).copied().unwrap_or_default()
    }
}

/// A key as it is in requests.
fn escaped(key: &str) -> String {
    let key = key.replace('%', "%25").replace(' ', "%20").replace('ü', "%C3%BC");
    key.replace('+', "%2B")
}

impl Proxy {
    /// Answers one request of one connection.
    async fn answer(&self, mut client: TcpStream) -> Option<()> {
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
                let mut gets = self.gets.lock().ok()?;
                let count = gets.entry(key.to_owned()).or_default();
                *count += 1;
                (self.faults)(key, *count - 1)
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
            Fault::Hang if self.released.load(Ordering::Relaxed) => usize::MAX,
            Fault::Hang => {
                let user = head.split_once("Credential=")?.1.split('/').next()?;
                self.waiting.lock().ok()?.push(user.into());
                while !self.released.load(Ordering::Relaxed) {
                    sleep(Duration::from_millis(50)).await;
                }
                return None;
            }
        };
        let mut server = TcpStream::connect(self.behind).await.ok()?;
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
}
