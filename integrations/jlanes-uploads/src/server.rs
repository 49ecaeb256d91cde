//! The server: it answers `PUT` with the digest of the body.

use std::{convert::Infallible, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, Response, StatusCode, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use rustix::time::{ClockId, clock_gettime};
use tokio::{net::TcpListener, time::sleep};

use crate::hashing::Hashing;

/// The pause after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(10);

/// Serves connections, each in a task of its own. One that cannot be accepted, because its client has gone or
/// too many files are open, does not end the others.
pub async fn serve(listener: TcpListener, hashing: Arc<Hashing>) -> Infallible {
    loop {
        let accepted = listener.accept().await;
        let Ok(stream) = accepted.and_then(|(stream, _)| stream.set_nodelay(true).map(|()| stream))
        else {
            sleep(PAUSE).await;
            continue;
        };
        let hashing = Arc::clone(&hashing);
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let hashing = Arc::clone(&hashing);
                async move { answer(request, &hashing).await }
            });
            let connection = Builder::new(TokioExecutor::new());
            // a broken connection abandons its upload
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    hashing: &Arc<Hashing>,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    match *request.method() {
        Method::PUT => put(request.into_body(), hashing).await,
        // for measurements: the CPU time of this process in microseconds
        Method::GET if request.uri().path() == "/cpu" => {
            let time = clock_gettime(ClockId::ProcessCPUTime);
            let micros = time.tv_sec * 1_000_000 + time.tv_nsec / 1000;
            Ok(Response::new(Full::from(micros.to_string())))
        }
        _ => Ok(status(StatusCode::METHOD_NOT_ALLOWED)),
    }
}

async fn put(
    mut body: Incoming,
    hashing: &Arc<Hashing>,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let gone = |_| status(StatusCode::SERVICE_UNAVAILABLE);
    let mut upload = match hashing.upload() {
        Ok(upload) => upload,
        Err(error) => return Ok(gone(error)),
    };
    while let Some(frame) = body.frame().await {
        let Ok(bytes) = frame?.into_data() else { continue };
        if let Err(error) = upload.write(bytes).await {
            return Ok(gone(error));
        }
    }
    Ok(match upload.finish().await {
        Ok(digest) => Response::new(Full::from(hex::encode(digest))),
        Err(error) => gone(error),
    })
}

fn status(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}
