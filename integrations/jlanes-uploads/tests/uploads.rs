//! Digests are right however uploads arrive: together, stalled, and next to abandoned ones.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::SocketAddr,
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use jlanes::{Algorithm, Backend};
use jlanes_uploads::{
    hashing::{Hashing, Share},
    load::{self, Load},
    server,
};
use sha2::{Digest, Sha256};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};

const SHARES: [Share; 3] = [Share::Never, Share::Always, Share::From(2)];
/// A time limit that no test here reaches, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn hashing(share: Share, threads: usize, linger: u64) -> Arc<Hashing> {
    Hashing::new(Algorithm::SHA256, share, threads, Duration::from_micros(linger)).expect("threads")
}

/// A body that depends on `i`.
fn body(i: usize) -> Vec<u8> {
    let len = [0, 1, 63, 64, 65, 1000, 65_536, 300_001][i % 8] + i;
    (0..len).map(|at| (at * (i + 3) % 251) as u8).collect()
}

/// Waits until no upload is in flight.
async fn until_idle(hashing: &Hashing) {
    while hashing.in_flight() > 0 {
        sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn uploads_have_their_own_digests() {
    for share in SHARES {
        for (threads, linger) in [(1, 0), (1, 300), (3, 0)] {
            let hashing = hashing(share, threads, linger);
            let mut uploads = JoinSet::new();
            for i in 0..100 {
                let hashing = Arc::clone(&hashing);
                uploads.spawn(async move {
                    let body = body(i);
                    let mut upload = hashing.upload().expect("a thread");
                    for piece in body.chunks(1 + i * 997) {
                        upload.write(Bytes::copy_from_slice(piece)).await.expect("a thread");
                        if i % 10 == 3 {
                            sleep(Duration::from_millis(1)).await;
                        }
                    }
                    if i % 7 == 5 {
                        return; // given up
                    }
                    let digest = upload.finish().await.expect("a thread");
                    assert_eq!(*digest, *Sha256::digest(&body), "upload {i}, {share:?}");
                });
            }
            let all = async {
                while let Some(done) = uploads.join_next().await {
                    done.expect("no upload fails");
                }
                until_idle(&hashing).await;
            };
            timeout(PATIENCE, all).await.expect("all end");
        }
    }
}

#[tokio::test]
async fn the_rule_counts_uploads_in_flight() {
    let hashing = hashing(Share::From(2), 1, 0);
    let one = hashing.upload().expect("a thread");
    let two = hashing.upload().expect("a thread");
    let three = hashing.upload().expect("a thread");
    assert_eq!([&one, &two, &three].map(|upload| upload.is_shared()), [false, false, true]);
    drop(two);
    assert_eq!(hashing.in_flight(), 2);
    drop((one, three));
    assert_eq!(hashing.in_flight(), 0);
    assert!(!hashing.upload().expect("a thread").is_shared());
}

#[test]
fn the_rule_is_of_the_costs_of_kernels() {
    for backend in Backend::available() {
        for threads in [1, 2, 8] {
            for name in ["md5", "sha1", "sha256", "sha512"] {
                let algorithm: Algorithm = name.parse().expect("a name");
                let rule = Share::rule(algorithm, backend, threads);
                let Share::From(others) = rule else {
                    assert_eq!(rule, Share::Never, "{name} on {backend}");
                    continue;
                };
                // with one upload less, each has a thread
                if threads > 1 {
                    let on = |n: usize| algorithm.threads_on(backend, n, threads);
                    assert!(on(others + 1) < threads.min(others + 1), "{name} on {backend}");
                    assert!(
                        others == 1 || on(others) == threads.min(others),
                        "{name} on {backend}"
                    );
                }
            }
        }
    }
    // a tree fills the lanes alone
    let tree: Algorithm = "jlanes8-sha256".parse().expect("a name");
    assert_eq!(Share::rule(tree, Backend::detect(), 8), Share::Never);
}

async fn start(share: Share) -> (SocketAddr, Arc<Hashing>) {
    let hashing = hashing(share, 1, 0);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(server::serve(listener, Arc::clone(&hashing)));
    (address, hashing)
}

/// The headers of a request.
const CLOSE: &str = "Host: test\r\nConnection: close\r\n";

/// Sends the beginning of an upload.
async fn begin(address: SocketAddr, len: usize, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a server");
    let head = format!("PUT /object HTTP/1.1\r\n{CLOSE}Content-Length: {len}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.expect("a server");
    stream.write_all(bytes).await.expect("a server");
    stream
}

/// The answer, after which the server closes the connection.
async fn answer(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    answer
}

/// Many connections continue while others stall or break.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_server_does_not_wait_for_those_that_stall() {
    for share in SHARES {
        let (address, hashing) = start(share).await;
        let test = async {
            let whole = body(7);
            let mut stalled = Vec::new();
            for _ in 0..40 {
                stalled.push(begin(address, whole.len(), &whole[..100_000]).await);
            }
            let broken = stalled.split_off(20);
            while hashing.in_flight() < 40 {
                sleep(Duration::from_millis(1)).await;
            }
            drop(broken);
            let load = Load {
                connections: 9,
                bytes: 200_000,
                time: Duration::from_millis(300),
                pause: Duration::ZERO,
            };
            let zeros = hex::encode(Sha256::digest(vec![0; load.bytes]));
            let outcome = load::run(address, load, &zeros).await.expect("right answers");
            assert!(outcome.uploads.len() >= 9, "{share:?}");
            let expected = hex::encode(Sha256::digest(&whole));
            for mut stream in stalled {
                stream.write_all(&whole[100_000..]).await.expect("a server");
                let answer = answer(stream).await;
                assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
                assert!(answer.ends_with(&expected), "{share:?}: {answer}");
            }
            until_idle(&hashing).await;
        };
        timeout(PATIENCE, test).await.expect("nobody waits for long");
    }
}

#[tokio::test]
async fn other_requests_are_refused() {
    let (address, _) = start(Share::Always).await;
    let mut stream = TcpStream::connect(address).await.expect("a server");
    let request = format!("DELETE / HTTP/1.1\r\n{CLOSE}\r\n");
    stream.write_all(request.as_bytes()).await.expect("a server");
    assert!(answer(stream).await.starts_with("HTTP/1.1 405 "));
    load::cpu_time(address).await.expect("a server that says what it took");
}

#[test]
fn too_many_connections_do_not_end_the_server() {
    let mut server = Command::new("sh")
        .args(["-c", "ulimit -n 20; exec \"$0\" serve --algorithm sha256 --listen 127.0.0.1:0"])
        .arg(env!("CARGO_BIN_EXE_jlanes-uploads"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut address = String::new();
    let stdout = server.stdout.take().expect("a pipe");
    BufReader::new(stdout).read_line(&mut address).expect("an address");
    let connect = || std::net::TcpStream::connect(address.trim()).expect("a server");
    let streams: Vec<_> = (0..40).map(|_| connect()).collect();
    std::thread::sleep(Duration::from_millis(300));
    drop(streams);
    let mut stream = connect();
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    write!(stream, "PUT / HTTP/1.1\r\n{CLOSE}Content-Length: 3\r\n\r\nabc").expect("a server");
    let mut text = String::new();
    let read = stream.read_to_string(&mut text);
    server.kill().expect("a server");
    server.wait().expect("a server");
    assert!(read.is_ok() && text.contains(&hex::encode(Sha256::digest("abc"))), "{read:?} {text}");
}
