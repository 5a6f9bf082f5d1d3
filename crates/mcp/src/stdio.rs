//! A server on standard input and output, or on any other pair of streams, for one client.

use std::io;
use std::sync::Arc;

use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::stdio_pipes;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::runtime::{Builder, Runtime};

use crate::CALLS_MAX;
use crate::flow::Flow;
use crate::lines::Lines;
use crate::port::Port;
use crate::server::{Server, Turns};

/// Smaller than most messages, so that they arrive in pieces.
const PIPE_BYTES: usize = 1024;

/// Serves one client until it closes our input.
pub fn serve_stdio(port: Arc<dyn Port>) -> io::Result<()> {
    let runtime = runtime()?;
    let ended = runtime.block_on(async move {
        let (input, output) = stdio_pipes();
        serve_streams(port, input, output).await
    });
    // A pending read of standard input must not keep the process alive.
    runtime.shutdown_background();
    ended
}

/// Serves one client until its input ends and all its requests are answered.
pub async fn serve_streams<R, W>(port: Arc<dyn Port>, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let turns = Arc::new(Turns::default());
    let flow = Arc::new(Flow::default());
    let server = Server::new(port, turns.clone(), Some(flow.clone()));
    let served = match serve_server(server, Lines::new(input, output, flow)).await {
        Ok(running) => running.waiting().await.map(|_| ()).map_err(io::Error::other),
        // The client left without a word, which is fine.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error.to_string())),
    };
    turns.finish_writes().await;
    served
}

/// Everything the server answers to a client that sends `input` and closes. For tests and fuzzing.
pub fn answer_bytes(port: Arc<dyn Port>, input: &[u8]) -> io::Result<Vec<u8>> {
    runtime()?.block_on(async {
        let (near, far) = tokio::io::duplex(PIPE_BYTES);
        let (from_client, to_client) = tokio::io::split(far);
        let (mut hears, mut says) = tokio::io::split(near);
        let mut heard = Vec::new();
        let talking = async {
            says.write_all(input).await?;
            says.shutdown().await
        };
        let (served, talked, listened) = tokio::join!(
            serve_streams(port, from_client, to_client),
            talking,
            hears.read_to_end(&mut heard)
        );
        // A server that fails also closes the pipe, so its own error comes first.
        served?;
        talked?;
        listened?;
        Ok(heard)
    })
}

/// One thread for the protocol, and one per running call.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(CALLS_MAX + 2)
        .build()
}
