//! The server as a program, and a benchmark that runs it as a separate process.

use std::{
    env,
    io::{self, BufRead, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use clap::{Parser, Subcommand, ValueEnum};
use jlanes::{Algorithm, Backend};
use jlanes_uploads::{
    hashing::{Hashing, Share},
    load::{self, Load, percentile},
    server,
};
use tokio::net::TcpListener;

#[derive(Parser)]
#[command(about = "Hashes uploads on shared lanes")]
struct Args {
    #[command(subcommand)]
    command: Run,
    /// The digest that uploads are answered with.
    #[arg(long, short, default_value = "sha256", global = true)]
    algorithm: Algorithm,
    /// Threads with lanes.
    #[arg(long, default_value_t = 1, global = true)]
    lanes: usize,
    /// How long to wait for bytes of more uploads while there are few, in microseconds.
    #[arg(long, default_value_t = 0, global = true)]
    linger: u64,
}

#[derive(Subcommand)]
enum Run {
    /// Answer PUT with the digest of the body, and print the address.
    Serve {
        /// The address; port 0 takes a free one.
        #[arg(long, default_value = "127.0.0.1:0")]
        listen: SocketAddr,
        /// Which uploads share lanes.
        #[arg(long, value_enum, default_value_t = Sharing::Rule)]
        share: Sharing,
    },
    /// Measure each way to share, with 1, 8 and 64 connections.
    Bench {
        /// Bytes of an upload.
        #[arg(long, default_value_t = 1 << 20)]
        bytes: usize,
        /// Seconds for each line.
        #[arg(long, default_value_t = 3)]
        seconds: u64,
        /// A pause after each 64 KiB of an upload, in microseconds.
        #[arg(long, default_value_t = 0)]
        pause: u64,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Sharing {
    /// Uploads that begin while enough others are in flight for lanes to pay.
    Rule,
    Always,
    Never,
}

impl Sharing {
    fn share(self, algorithm: Algorithm) -> Share {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        match self {
            Self::Rule => Share::rule(algorithm, Backend::detect(), threads),
            Self::Always => Share::Always,
            Self::Never => Share::Never,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let args = Args::parse();
    match args.command {
        Run::Serve { listen, share } => {
            let share = share.share(args.algorithm);
            let linger = Duration::from_micros(args.linger);
            let hashing = Hashing::new(args.algorithm, share, args.lanes, linger)?;
            let listener = TcpListener::bind(listen).await?;
            println!("{}", listener.local_addr()?);
            match server::serve(listener, hashing).await {}
        }
        Run::Bench { bytes, seconds, pause } => {
            let (time, pause) = (Duration::from_secs(seconds), Duration::from_micros(pause));
            println!("rule: {:?}", Sharing::Rule.share(args.algorithm));
            println!(
                "connections  share     MB/s  CPU ms/GB  digest p50, p99 us  upload p50, p99 us"
            );
            for connections in [1, 8, 64] {
                for share in [Sharing::Never, Sharing::Always, Sharing::Rule] {
                    bench(&args, share, Load { connections, bytes, time, pause }).await?;
                }
            }
            Ok(())
        }
    }
}

/// A server in a process of its own.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(args: &Args, share: Sharing) -> io::Result<Self> {
        let mut child = Command::new(env::current_exe()?)
            .args(["serve", "--share", share.name()])
            .args(["--algorithm", &args.algorithm.to_string()])
            .args(["--lanes", &args.lanes.to_string(), "--linger", &args.linger.to_string()])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?)
            .read_line(&mut line)?;
        let address = line.trim().parse().map_err(io::Error::other)?;
        Ok(Self { child, address })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // it may have ended already
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn bench(args: &Args, share: Sharing, load: Load) -> io::Result<()> {
    let server = Server::start(args, share)?;
    let mut hasher = args.algorithm.hasher().map_err(io::Error::other)?;
    hasher.update(&vec![0; load.bytes]);
    let digest = hex::encode(hasher.finalize());
    let before = load::cpu_time(server.address).await?;
    let outcome = load::run(server.address, load, &digest).await?;
    let cpu = load::cpu_time(server.address).await? - before;
    let micros = |durations, percent| percentile(durations, percent).as_micros();
    println!(
        "{:>11}  {:6} {:>7.0} {:>10.0} {:>10} {:>8} {:>10} {:>8}",
        load.connections,
        share.name(),
        outcome.rate() / 1e6,
        cpu.as_secs_f64() * 1e12 / outcome.bytes as f64,
        micros(&outcome.waits, 50),
        micros(&outcome.waits, 99),
        micros(&outcome.uploads, 50),
        micros(&outcome.uploads, 99),
    );
    Ok(())
}
