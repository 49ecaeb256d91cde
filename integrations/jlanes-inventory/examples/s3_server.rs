//! An S3 server over a directory, to try the program without a cloud. Each subdirectory is a bucket.
//! Responses can be delayed, like those of a remote server.
//!
//! ```sh
//! cargo run --example s3_server -- DIR [MILLISECONDS]
//! ```

use std::{env, error::Error, time::Duration};

use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{Body, auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::{net::TcpListener, time::sleep};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let directory = args.next().ok_or("which directory?")?;
    let late = Duration::from_millis(args.next().map_or(Ok(0), |late| late.parse())?);
    let files = FileSystem::new(directory).map_err(|error| format!("{error:?}"))?;
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single("user", "secret"));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("export AWS_ENDPOINT_URL=http://{} AWS_REGION=us-east-1", listener.local_addr()?);
    println!("export AWS_ACCESS_KEY_ID=user AWS_SECRET_ACCESS_KEY=secret");
    loop {
        let (socket, _) = listener.accept().await?;
        let service = service.clone();
        tokio::spawn(async move {
            let answer = service_fn(move |request: Request<Incoming>| {
                let service = service.clone();
                async move {
                    sleep(late).await;
                    service.call(request.map(Body::from)).await
                }
            });
            let server = Builder::new(TokioExecutor::new());
            // clients may close connections at any time
            drop(server.serve_connection(TokioIo::new(socket), answer).await);
        });
    }
}
