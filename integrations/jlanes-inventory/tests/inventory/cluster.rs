//! A cluster on the loopback interface: a scheduler and two executors, each a process.

use std::{
    env,
    fs::{self, File},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use arrow::{
    array::RecordBatch,
    util::{display::array_value_to_string, pretty::pretty_format_batches},
};
use ballista::prelude::SessionContextExt;
use datafusion::prelude::SessionContext;
use hmac::{Hmac, KeyInit, Mac};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sha2::Sha256;

use crate::{
    age, check, content, program, rows,
    s3::{bucket, compare},
    server::{Fault, Server, USERS},
};

/// The number of objects in a task.
const TASK: &str = "32";

const KEY: &[u8] = b"a key that is in no log";

/// A process that ends with the test.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

struct Cluster {
    scheduler: String,
    executors: Vec<Daemon>,
    folder: PathBuf,
    _scheduler: Daemon,
}

/// An address where no process listens.
fn address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Waits for a condition. The generous limit is for busy machines; no result depends on it.
fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !there() {
        assert!(begin.elapsed() < Duration::from_secs(600), "{what}: it does not come");
        sleep(Duration::from_millis(50));
    }
}

impl Cluster {
    /// Starts a scheduler and two executors. `prepare` gets the number of each executor and its
    /// command.
    fn start(folder: &Path, level: &str, prepare: impl Fn(usize, Command) -> Command) -> Self {
        Self::with(2, folder, level, prepare)
    }

    fn with(
        executors: usize,
        folder: &Path,
        level: &str,
        prepare: impl Fn(usize, Command) -> Command,
    ) -> Self {
        let start = |mut command: Command, name: &str, listens: SocketAddr| {
            let log = File::create(folder.join(format!("{name}.log"))).unwrap();
            command.env("RUST_LOG", level).stdout(Stdio::null()).stderr(log);
            let mut daemon = Daemon(command.spawn().unwrap());
            wait_for(name, || {
                assert_eq!(daemon.0.try_wait().unwrap(), None, "{name} has ended");
                TcpStream::connect(listens).is_ok()
            });
            daemon
        };
        let address_of_scheduler = address();
        let scheduler = address_of_scheduler.to_string();
        let command = program(&["scheduler", "--bind", &scheduler, "--executor-timeout", "15"]);
        let daemon = start(command, "scheduler", address_of_scheduler);
        let executor = |i: usize| {
            let (bind, name) = (address(), format!("executor-{i}"));
            let own = bind.to_string();
            let args = ["executor", "--scheduler", &scheduler, "--bind", &own, "--slots", "1"];
            let mut command = program(&args);
            command.arg("--work").arg(folder.join(&name));
            start(prepare(i, command), &name, bind)
        };
        let executors = (0..executors).map(executor).collect();
        Self { scheduler, executors, folder: folder.into(), _scheduler: daemon }
    }

    /// A command of the program that runs on the cluster.
    fn program(&self, args: &[&str]) -> Command {
        program(&[args, &["--cluster", &self.scheduler, "--task-objects", TASK]].concat())
    }

    /// The logs of all processes.
    fn logs(&self) -> String {
        let names = ["scheduler", "executor-0", "executor-1"];
        let log = |name| fs::read(self.folder.join(format!("{name}.log"))).unwrap();
        names.into_iter().map(|name| String::from_utf8_lossy(&log(name)).into_owned()).collect()
    }

    /// Whether an executor has had tasks: it keeps their results for some minutes.
    fn worked(&self, i: usize) -> bool {
        let results = fs::read_dir(self.folder.join(format!("executor-{i}")));
        results.is_ok_and(|mut results| results.next().is_some())
    }
}

/// The rows of a manifest, sorted, with all columns except the time when they were made.
fn table(directory: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "parquet") {
            continue;
        }
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
        for batch in reader.build().unwrap() {
            let mut batch = batch.unwrap();
            let at = batch.schema().index_of("checked_at").unwrap();
            batch.remove_column(at);
            all.extend((0..batch.num_rows()).map(|i| {
                let texts = batch.columns().iter().map(|x| array_value_to_string(x, i).unwrap());
                texts.collect::<Vec<_>>().join(" ")
            }));
        }
    }
    all.sort();
    all
}

fn lines(bytes: &[u8]) -> Vec<&str> {
    let mut lines: Vec<&str> = std::str::from_utf8(bytes).unwrap().lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn files_have_the_same_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let tree = at("tree");
    for i in 0..2500 {
        let path = tree.join(format!("d{}/ü {i}%", i % 20));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content(i, i * 7)).unwrap();
        age(&path);
    }
    fs::write(tree.join("large"), content(3, 5_000_000)).unwrap();
    age(&tree.join("large"));
    let cluster = Cluster::start(folder.path(), "info", |_, command| command);
    let [alone, together, again] = ["alone", "together", "again"].map(at);
    let [alone_, together_, again_, tree_] =
        [&alone, &together, &again, &tree].map(|path| path.to_str().unwrap());

    let create = ["create", tree_, "/no/such/file", "--algorithms", "md5,sha256", "--out"];
    check(program(&[&create[..], &[alone_]].concat()), 4);
    check(cluster.program(&[&create[..], &[together_]].concat()), 4);
    assert_eq!(rows(&together).len(), 2 * 2502);
    assert_eq!(table(&alone), table(&together));

    fs::write(tree.join("d7/ü 7%"), "another").unwrap();
    fs::write(tree.join("new"), "new").unwrap();
    // no file any more
    fs::rename(tree.join("large"), at("aside")).unwrap();
    std::os::unix::fs::symlink("/dev/null", tree.join("large")).unwrap();
    let verify = ["verify", together_, "--quiet"];
    let expected = check(program(&verify), 1);
    assert_eq!(lines(&expected.stdout).len(), 3);
    assert_eq!(lines(&check(cluster.program(&verify), 1).stdout), lines(&expected.stdout));
    fs::rename(at("aside"), tree.join("large")).unwrap();

    let updated = check(cluster.program(&["update", together_]), 4);
    let printed = String::from_utf8(updated.stderr).unwrap();
    assert!(printed.contains("2500 objects kept, 3 read"), "{printed}");
    check(program(&[&create[..], &[again_]].concat()), 4);
    assert_eq!(table(&together), table(&again));
    let changed = check(program(&["diff", alone_, together_]), 1);
    let signs: Vec<_> = lines(&changed.stdout).iter().map(|line| &line[..1]).collect();
    // the missing file is unknown in both
    assert_eq!(signs, ["+", "+", "?", "?", "~", "~"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_executor_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    let objects = bucket(&root);
    // the executor that requests this object gets stuck in the middle of a task
    let server = Server::start(&root, |key, _| match key {
        "d1/k100" => Fault::Hang,
        _ => Fault::None,
    })
    .await;
    let mut cluster = Cluster::start(folder.path(), "info", |i, command| {
        server.environment_of(USERS[1 + i], command)
    });
    let out = folder.path().join("out");
    let out_ = out.to_str().unwrap();
    let create = ["create", "s3://bucket/", "--out", out_, "--checkpoint", "1"];
    let begin = Instant::now();
    let log = |event: &str| println!("{:5.1} s: {event}", begin.elapsed().as_secs_f64());
    let mut child = server.environment(cluster.program(&create)).spawn().unwrap();

    // the other executor does all other tasks
    let task: usize = TASK.parse().unwrap();
    let others = objects.len() - task;
    wait_for("what the others have done", || out.exists() && rows(&out).len() >= others);
    log(&format!("{} of {} rows are on disk", rows(&out).len(), objects.len()));
    let waiting = server.waiting().pop().unwrap();
    let victim = USERS.iter().position(|user| waiting == *user).unwrap() - 1;
    cluster.executors[victim].0.kill().unwrap(); // SIGKILL
    log(&format!("executor {victim} is killed in the middle of a task"));
    server.release();
    let status = tokio::task::spawn_blocking(move || child.wait().unwrap()).await.unwrap();
    assert!(status.success(), "{}", cluster.logs());
    log(&format!("the manifest has {} rows", rows(&out).len()));
    compare(&out, &objects, None);
    assert!(objects.iter().all(|(key, _)| server.gets(key) > 0));
    let again = objects.iter().filter(|(key, _)| server.gets(key) > 1).count();
    log(&format!("{again} objects were asked for again"));
    assert!((1..=task).contains(&again));

    // a single process makes the same manifest
    let alone = folder.path().join("alone");
    let create = ["create", "s3://bucket/", "--out", alone.to_str().unwrap()];
    check(server.environment(program(&create)), 0);
    assert_eq!(table(&out), table(&alone));

    // the remaining executor does the next commands
    fs::write(root.join("bucket/d1/k1"), "another").unwrap();
    let verify = cluster.program(&["verify", out_, "--quiet"]);
    let verified = check(server.environment(verify), 1);
    assert_eq!(lines(&verified.stdout), ["s3://bucket/d1/k1: FAILED"]);
}

/// The result of a query, or its error as text.
async fn ask(context: &SessionContext, query: &str) -> Result<Vec<RecordBatch>, String> {
    let frame = context.sql(query).await.map_err(|error| error.to_string())?;
    frame.collect().await.map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_and_their_keys() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys");
    fs::create_dir(&keys).unwrap();
    fs::write(keys.join("pepper"), KEY).unwrap();
    let cluster = Cluster::start(folder.path(), "debug", |i, mut command| {
        match i {
            0 => command.env("JLANES_KEYS", &keys),
            _ => command.env("JLANES_KEY_PEPPER", hex::encode(KEY)),
        };
        command
    });
    let url = format!("df://{}", cluster.scheduler);
    let mut context = SessionContext::remote(&url).await.unwrap();
    datafusion_functions_jlanes::register_all(&mut context).unwrap();
    assert!(env::var_os("JLANES_KEYS").is_none(), "the test has no keys");

    // each executor finds the key in its own environment
    let query = "select x, jl_hmac_hex(x, 'pepper', 'sha256') from (values ('a'), ('b')) as t(x)";
    let tag = |text: &str| {
        let mut hmac = Hmac::<Sha256>::new_from_slice(KEY).unwrap();
        hmac.update(text.as_bytes());
        hex::encode(hmac.finalize().into_bytes())
    };
    let begin = Instant::now();
    while !(cluster.worked(0) && cluster.worked(1)) {
        assert!(begin.elapsed() < Duration::from_secs(600), "one executor does all");
        let batches = ask(&context, query).await.unwrap();
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 2);
        for batch in batches {
            for i in 0..batch.num_rows() {
                let [x, y] = [0, 1].map(|at| array_value_to_string(batch.column(at), i).unwrap());
                assert_eq!(y, tag(&x));
            }
        }
    }
    let error = ask(&context, &query.replace("pepper", "salt")).await.unwrap_err();
    assert!(error.contains("no key 'salt'"), "{error}");
    let plan = ask(&context, &format!("explain verbose {query}")).await.unwrap();
    let plan = pretty_format_batches(&plan).unwrap().to_string();
    let logs = cluster.logs();
    assert!(plan.contains("pepper") && logs.contains("pepper") && logs.contains("jl_hmac_hex"));
    let secret = String::from_utf8(KEY.into()).unwrap();
    for key in [secret, hex::encode(KEY), format!("{KEY:?}")] {
        for text in [&plan, &logs] {
            assert!(!text.to_lowercase().contains(&key.to_lowercase()), "'{key}' is told");
        }
    }

    // the cluster computes the same from a manifest, as a table, as one process
    let tree = folder.path().join("tree");
    fs::create_dir(&tree).unwrap();
    for i in 0..300 {
        fs::write(tree.join(format!("f{i}")), content(i, i)).unwrap();
    }
    let out = folder.path().join("out");
    let out_ = out.to_str().unwrap();
    check(cluster.program(&["create", tree.to_str().unwrap(), "--out", out_]), 0);
    let query = "select algorithm, count(*), jl_table_fingerprint(url, size, digest), \
        jl_sha512_hex(max(url)) from manifest group by algorithm";
    let mut tables = Vec::new();
    let mut alone = SessionContext::new();
    datafusion_functions_jlanes::register_all(&mut alone).unwrap();
    for context in [&context, &alone] {
        context.register_parquet("manifest", out_, Default::default()).await.unwrap();
        let batches = ask(context, query).await.unwrap();
        tables.push(pretty_format_batches(&batches).unwrap().to_string());
    }
    assert!(tables[0].contains("| sha256    | 300 "), "{}", tables[0]);
    assert_eq!(tables[0], tables[1]);
}

#[test]
fn a_cluster_without_executors() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::with(0, folder.path(), "info", |_, command| command);
    let out = folder.path().join("out");
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let args = ["create", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
    for wait in ["2", "32"] {
        let output = check(cluster.program(&[&args[..], &["--cluster-wait", wait]].concat()), 2);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(&format!("for {wait} s no executor has taken a task")), "{text}");
        assert_eq!(text.contains("for 30 s"), wait == "32", "{text}");
    }
    crate::run(&args, 0);
}

#[test]
fn a_cluster_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let (out, nobody) = (folder.path().join("out"), address().to_string());
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let args = ["create", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let output = crate::run(&[&args[..], &["--cluster", &nobody]].concat(), 2);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("the cluster gave a task up"), "{text}");
    assert!(rows(&out).is_empty());
    // afterwards, a single process can continue
    crate::run(&args, 0);
    assert_eq!(rows(&out).len(), 1);
}
