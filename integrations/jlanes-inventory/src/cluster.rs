//! The client of a cluster: splits objects into tasks, and submits them to Ballista's scheduler.

mod daemons;

use std::{pin::pin, time::Duration};

use arrow::{
    array::{Array, AsArray, RecordBatch},
    datatypes::{TimestampMillisecondType, UInt64Type},
};
use ballista::prelude::SessionContextExt;
use datafusion::{
    common::ScalarValue,
    error::DataFusionError,
    execution::FunctionRegistry,
    logical_expr::{Expr, LogicalPlanBuilder, col, lit},
    prelude::SessionContext,
};
use futures::{Stream, StreamExt, stream};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, timeout},
};

pub(crate) use daemons::{executor, scheduler};

use crate::{
    Trouble,
    fetch::Fetched,
    location::{At, Object},
    meta::Meta,
    object_digest,
    options::Cluster,
    progress::message,
};

/// The number of bytes of objects that makes a task complete.
const BYTES: u64 = 1 << 30;

/// The number of bytes of a request that makes a task complete. Ballista's limit is 16 MiB.
const REQUEST: usize = 4 << 20;

/// Bytes of a request for one object, apart from its URL: a generous estimate.
const ROW: usize = 1 << 10;

/// The number of times that a task is submitted to the cluster, which retries it several times itself.
const ATTEMPTS: u32 = 4;

/// The time without an answer of the cluster after which a message is printed.
const SILENCE: Duration = Duration::from_secs(30);

/// The digests of objects, each once and in any order, with the data that was sent with the object. The
/// first task that the cluster cannot do ends the stream with an error.
pub(crate) async fn digests<T: Send + 'static>(
    address: &str,
    objects: mpsc::Receiver<(Object, T)>,
    algorithms: &[String],
    cluster: &Cluster,
) -> Result<impl Stream<Item = Result<(Fetched, T), Trouble>> + use<T>, Trouble> {
    let context = SessionContext::remote(&format!("df://{address}")).await;
    let context = context.map_err(|error| error.to_string())?;
    // plans refer to it by name, and executors compute it
    context.register_udf(object_digest(1, 0, 0));
    wait(&context, cluster.cluster_wait).await?;
    let list = algorithms.join(",");
    let tasks = chunks(objects, cluster.task_objects).map(move |chunk| {
        let task = tokio::spawn(task(context.clone(), list.clone(), chunk));
        async { task.await.unwrap_or_else(|error| Err(error.to_string())) }
    });
    Ok(tasks.buffer_unordered(cluster.tasks).flat_map(|done| {
        let (all, trouble) = match done {
            Ok(all) => (all, None),
            Err(trouble) => (Vec::new(), Some(Err(trouble))),
        };
        stream::iter(all.into_iter().map(Ok).chain(trouble))
    }))
}

/// Waits until an executor takes a task. A scheduler without executors keeps tasks forever.
async fn wait(context: &SessionContext, patience: Duration) -> Result<(), Trouble> {
    let text = |error: DataFusionError| format!("the cluster gave a task up: {error}");
    let plan = LogicalPlanBuilder::values(vec![vec![lit(1)]]).and_then(LogicalPlanBuilder::build);
    let plan = plan.map_err(text)?;
    let mut answer = pin!(async { context.execute_logical_plan(plan).await?.collect().await });
    let begin = Instant::now();
    loop {
        let left = patience.saturating_sub(begin.elapsed());
        match timeout(left.min(SILENCE), &mut answer).await {
            Ok(answer) => return answer.map(drop).map_err(text),
            Err(_) => {
                let seconds = begin.elapsed().as_secs();
                let trouble =
                    format!("for {seconds} s no executor has taken a task: is there one?");
                if left <= SILENCE {
                    return Err(trouble);
                }
                message(trouble);
            }
        }
    }
}

/// The objects of each task.
fn chunks<T>(
    objects: mpsc::Receiver<(Object, T)>,
    most: usize,
) -> impl Stream<Item = Vec<(Object, T)>> {
    stream::unfold(objects, move |mut objects| async move {
        let (mut chunk, mut bytes, mut request) = (Vec::new(), 0, 0);
        while chunk.len() < most && bytes < BYTES && request < REQUEST {
            let Some((object, tag)) = objects.recv().await else { break };
            bytes += object.meta.size.unwrap_or_default();
            request += object.url.len() + ROW;
            chunk.push((object, tag));
        }
        (!chunk.is_empty()).then_some((chunk, objects))
    })
}

/// Reads the objects of a task on the cluster.
async fn task<T>(
    context: SessionContext,
    list: String,
    chunk: Vec<(Object, T)>,
) -> Result<Vec<(Fetched, T)>, Trouble> {
    let (objects, tags): (Vec<Object>, Vec<T>) = chunk.into_iter().unzip();
    let mut attempt = 0;
    let fetched = loop {
        match ask(&context, &list, &objects).await {
            Ok(fetched) => break fetched,
            Err(error) if attempt + 1 < ATTEMPTS => {
                message(format_args!("a task is tried again: {error}"));
                sleep(Duration::from_secs(1 << attempt)).await;
                attempt += 1;
            }
            Err(error) => return Err(format!("the cluster gave a task up: {error}")),
        }
    };
    Ok(fetched.into_iter().zip(tags).collect())
}

async fn ask(
    context: &SessionContext,
    list: &str,
    objects: &[Object],
) -> Result<Vec<Fetched>, DataFusionError> {
    let mut results: Vec<Option<Fetched>> = Vec::with_capacity(objects.len());
    let mut rows: Vec<Vec<Expr>> = Vec::with_capacity(objects.len());
    for (i, Object { url, meta, at }) in objects.iter().enumerate() {
        // an object that could not be listed is not read
        let known = at.as_ref().err();
        let known = known.map(|reason| Fetched::failed(url.clone(), meta.clone(), reason.clone()));
        if known.is_none() {
            let time = ScalarValue::TimestampMillisecond(meta.mtime, Some("UTC".into()));
            rows.push(vec![
                lit(i as u64),
                lit(url.clone()),
                lit(ScalarValue::UInt64(meta.size)),
                lit(time),
                lit(ScalarValue::Utf8(meta.etag.clone())),
                lit(matches!(at, Ok(At::File(_)))),
            ]);
        }
        results.push(known);
    }
    if !rows.is_empty() {
        let listed = ["column3", "column4", "column5", "column6"].map(col);
        let arguments = [col("column2"), lit(list)].into_iter().chain(listed).collect();
        let read = context.udf(object_digest::NAME)?.call(arguments).alias("read");
        let plan = LogicalPlanBuilder::values(rows)?.project([col("column1"), read])?.build()?;
        for batch in context.execute_logical_plan(plan).await?.collect().await? {
            take(&batch, objects, &mut results)?;
        }
    }
    let all: Option<Vec<Fetched>> = results.into_iter().collect();
    all.ok_or_else(|| DataFusionError::Execution("objects are missing in its result".into()))
}

/// Stores the results of a batch.
fn take(
    batch: &RecordBatch,
    objects: &[Object],
    results: &mut [Option<Fetched>],
) -> Result<(), DataFusionError> {
    let wrong = |what: &str| DataFusionError::Execution(format!("{what} in its result"));
    let indices = batch.column(0).as_primitive_opt::<UInt64Type>();
    let read = batch.column(1).as_struct_opt();
    let (Some(indices), Some(read)) = (indices, read) else {
        return Err(wrong("other columns"));
    };
    let [sizes, times, etags, versions, errors, digests @ ..] = read.columns() else {
        return Err(wrong("other fields"));
    };
    let text = |column: &dyn Array, i: usize| {
        let column = column.as_string::<i32>();
        column.is_valid(i).then(|| column.value(i).to_owned())
    };
    let sizes = sizes.as_primitive::<UInt64Type>();
    let times = times.as_primitive::<TimestampMillisecondType>();
    for i in 0..batch.num_rows() {
        let at = indices.value(i) as usize;
        let (Some(object), Some(result)) = (objects.get(at), results.get_mut(at)) else {
            return Err(wrong("an unknown object"));
        };
        if result.is_some() {
            return Err(wrong("an object twice"));
        }
        let (meta, digests) = match text(errors, i) {
            Some(reason) => (object.meta.clone(), Err(reason)),
            None => {
                let meta = Meta {
                    size: sizes.is_valid(i).then(|| sizes.value(i)),
                    mtime: times.is_valid(i).then(|| times.value(i)),
                    etag: text(etags, i),
                    version: text(versions, i),
                };
                let digest = |column: &dyn Array| column.as_binary::<i32>().value(i).to_vec();
                (meta, Ok(digests.iter().map(|column| digest(column.as_ref())).collect()))
            }
        };
        let (url, listed) = (object.url.clone(), object.meta.clone());
        *result = Some(Fetched { url, meta, listed, digests });
    }
    Ok(())
}
