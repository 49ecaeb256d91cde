//! The daemons of a cluster: Ballista's scheduler and executors, with our functions.

use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};

use ballista_core::{
    config::TaskSchedulingPolicy,
    object_store::{
        runtime_env_with_s3_support, session_config_with_s3_support, session_state_with_s3_support,
    },
    registry::BallistaFunctionRegistry,
};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::{
    cluster::BallistaCluster, config::SchedulerConfig, scheduler_process::start_server,
};
use datafusion::{logical_expr::registry::FunctionRegistry, prelude::SessionConfig};
use tokio::runtime::Handle;

use crate::{Trouble, object_digest, options::Reading};

/// The minimum time of silence before an executor is lost. Its polls are its heartbeat; a busy executor
/// polls every 5 seconds.
const MIN_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum number of bytes of a message. An executor receives tasks for all of its slots in one
/// message.
const MESSAGE: u32 = 256 << 20;

/// The time for which the scheduler keeps a finished job with its plan, so that its client can poll the
/// result.
const STATE: Duration = Duration::from_secs(60);

/// An address as URLs have it.
fn address(bind: SocketAddr) -> String {
    match bind {
        SocketAddr::V4(bind) => bind.ip().to_string(),
        SocketAddr::V6(bind) => format!("[{}]", bind.ip()),
    }
}

/// Schedules tasks until the program is killed. Queries are planned here, but not computed.
pub(crate) async fn scheduler(bind: SocketAddr, executor_timeout: Duration) -> Result<(), Trouble> {
    let text = |error: ballista_core::error::BallistaError| error.to_string();
    let object_digest = Arc::new(object_digest(1, 0, 0));
    let session = move |config: SessionConfig| {
        let mut state = session_state_with_s3_support(config)?;
        datafusion_functions_jlanes::register_all(&mut state)?;
        state.register_udf(object_digest.clone())?;
        Ok(state)
    };
    let timeout = executor_timeout.max(MIN_TIMEOUT).as_secs();
    let config = SchedulerConfig {
        external_host: address(bind),
        bind_host: address(bind),
        bind_port: bind.port(),
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        grpc_server_max_decoding_message_size: MESSAGE,
        grpc_server_max_encoding_message_size: MESSAGE,
        executor_timeout_seconds: timeout,
        expire_dead_executor_interval_seconds: timeout / 6,
        no_executors_grace_period_seconds: timeout,
        finished_job_state_clean_up_interval_seconds: STATE.as_secs(),
        override_config_producer: Some(Arc::new(session_config_with_s3_support)),
        override_session_builder: Some(Arc::new(session)),
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await.map_err(text)?;
    start_server(cluster, bind, Arc::new(config)).await.map_err(text)
}

/// Executes tasks until the program is killed.
pub(crate) async fn executor(
    (scheduler_host, scheduler_port): (String, u16),
    bind: SocketAddr,
    host: Option<String>,
    work: &Path,
    tasks: usize,
    reading: &Reading,
) -> Result<(), Trouble> {
    let Some(work_dir) = work.to_str() else {
        return Err(format!("{}: the name of this directory is UTF-8", work.display()));
    };
    std::fs::create_dir_all(work).map_err(|error| format!("{work_dir}: {error}"))?;
    let mut registry = BallistaFunctionRegistry::default();
    let mut add = |function: Arc<datafusion::logical_expr::ScalarUDF>| {
        for name in function.aliases().iter().map(String::as_str).chain([function.name()]) {
            registry.scalar_functions.insert(name.to_owned(), function.clone());
        }
    };
    datafusion_functions_jlanes::functions().into_iter().for_each(&mut add);
    add(Arc::new(object_digest::function(reading, Handle::current())));
    for aggregate in datafusion_functions_jlanes::aggregates() {
        registry.aggregate_functions.insert(aggregate.name().to_owned(), aggregate);
    }
    let config = ExecutorProcessConfig {
        bind_host: address(bind),
        // without this, others use the address that the scheduler sees
        external_host: host.or_else(|| (!bind.ip().is_unspecified()).then(|| address(bind))),
        port: bind.port(),
        scheduler_host,
        scheduler_port,
        scheduler_connect_timeout_seconds: 30,
        vcores: tasks,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        grpc_max_decoding_message_size: MESSAGE,
        grpc_max_encoding_message_size: MESSAGE,
        work_dir: Some(work_dir.into()),
        override_function_registry: Some(Arc::new(registry)),
        override_config_producer: Some(Arc::new(session_config_with_s3_support)),
        override_runtime_producer: Some(Arc::new(runtime_env_with_s3_support)),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await.map_err(|error| error.to_string())
}
