//! One message per line, of limited length. Lines that can't be parsed are answered with an error
//! of the protocol. `flow` limits how much is in progress.

use std::io;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, GetMeta, JsonRpcMessage,
    ProtocolVersion, ServerJsonRpcMessage,
};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::MESSAGE_BYTES_MAX;
use crate::flow::Flow;
use crate::mistake::{ENDS_BYTES, Read, read_message, to_bytes, too_long};

/// A larger buffer is freed after its message.
const LINE_BYTES_KEPT: usize = 256 * 1024;
/// Nothing is left to write by then.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);

pub(crate) struct Lines<R> {
    input: BufReader<R>,
    /// The line so far. It survives when the future of a read is dropped.
    line: Vec<u8>,
    /// The line is too long: of what came so far, `line` has only the two ends.
    is_too_long: bool,
    /// Unbounded, because the flow limits it.
    output: Option<UnboundedSender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    is_open: bool,
    flow: Arc<Flow>,
    ended: Option<Instant>,
}

impl<R: AsyncRead + Unpin + Send> Lines<R> {
    /// Spawns a task that writes the lines in order, so it needs a runtime.
    pub(crate) fn new<W>(input: R, output: W, flow: Arc<Flow>) -> Self
    where
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (sender, waiting) = unbounded_channel();
        Self {
            input: BufReader::with_capacity(64 * 1024, input),
            line: Vec::new(),
            is_too_long: false,
            output: Some(sender),
            writer: Some(tokio::spawn(write_all(waiting, output, flow.clone()))),
            is_open: false,
            flow,
            ended: None,
        }
    }

    /// Reads what is available, and returns whether the line is complete. There is no `await`
    /// between consuming bytes and keeping them.
    async fn step(&mut self) -> io::Result<bool> {
        let available = self.input.fill_buf().await?;
        if available.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(available.len(), |end| end + 1);
        self.line.extend_from_slice(&available[..taken]);
        self.input.consume(taken);
        self.is_too_long |= self.line.len() > MESSAGE_BYTES_MAX;
        if self.is_too_long && self.line.len() > 2 * ENDS_BYTES {
            self.line.drain(ENDS_BYTES..self.line.len() - ENDS_BYTES);
        }
        Ok(end.is_some())
    }

    async fn next(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if !self.flow.room().await {
                return None;
            }
            // A last line without a line break was cut off.
            if self.step().await.ok()?
                && let Some(message) = self.read()
            {
                return Some(message);
            }
        }
    }

    fn answer(&self, message: &ServerJsonRpcMessage) {
        // If the client is gone, the next wait for room notices.
        let _ = say(self.output.as_ref(), &self.flow, message);
    }

    /// Whether the server gets this message.
    fn lets_in(&mut self, message: &ClientJsonRpcMessage, bytes: usize) -> bool {
        // Before the connection is open, the SDK hangs up on anything but a request. But some
        // clients cancel a `server/discover` before the handshake.
        if !self.is_open {
            let JsonRpcMessage::Request(request) = message else { return false };
            self.is_open = opens(&request.request);
        }
        match message {
            JsonRpcMessage::Request(request) if !self.flow.ask(&request.id, bytes) => {
                let text = "this `id` is that of a request without an answer; each needs its own";
                let error = ErrorData::invalid_request(text, None);
                self.answer(&JsonRpcMessage::error(error, Some(request.id.clone())));
                false
            }
            JsonRpcMessage::Notification(news) => {
                // A cancelled request gets no answer.
                if let ClientNotification::CancelledNotification(taken) = &news.notification
                    && let Some(id) = &taken.params.request_id
                {
                    self.flow.settle(id);
                }
                true
            }
            _ => true,
        }
    }

    fn read(&mut self) -> Option<ClientJsonRpcMessage> {
        let (mut line, is_too_long) = (mem::take(&mut self.line), mem::take(&mut self.is_too_long));
        let read = match is_too_long {
            // Only now, because the client may have been writing until here.
            true => {
                let (head, tail) = line.split_at(ENDS_BYTES);
                Read::TooMuch(Box::new(too_long(head, tail)))
            }
            false => read_message(&line),
        };
        let bytes = line.len();
        if line.capacity() <= LINE_BYTES_KEPT {
            line.clear();
            self.line = line;
        }
        match read {
            Read::Message(message) if self.lets_in(&message, bytes) => return Some(*message),
            Read::Message(_) | Read::Nothing => {}
            Read::Wrong(error) | Read::TooMuch(error) => self.answer(&error),
        }
        None
    }
}

/// Whether a request opens the connection, as the SDK decides it: a handshake, or a request that
/// says all for itself.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => {
            let meta = request.get_meta();
            let is_known = |version| ProtocolVersion::KNOWN_VERSIONS.contains(&version);
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta.protocol_version().is_some_and(is_known)
        }
    }
}

/// Never waits: the flow has reserved room for the answer.
fn say(
    output: Option<&UnboundedSender<Vec<u8>>>,
    flow: &Flow,
    message: &ServerJsonRpcMessage,
) -> io::Result<()> {
    let mut line = to_bytes(message)?;
    line.push(b'\n');
    flow.queue(line.len());
    let sent = output.is_some_and(|output| output.send(line).is_ok());
    if sent { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}

/// Runs until the channel is closed or the client is gone.
async fn write_all<W>(mut waiting: UnboundedReceiver<Vec<u8>>, mut output: W, flow: Arc<Flow>)
where
    W: AsyncWrite + Unpin,
{
    while let Some(line) = waiting.recv().await {
        if output.write_all(&line).await.is_err() || output.flush().await.is_err() {
            break;
        }
        flow.take(line.len());
    }
    flow.go();
}

impl<R: AsyncRead + Unpin + Send> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (output, flow) = (self.output.clone(), self.flow.clone());
        let answered = match &message {
            JsonRpcMessage::Response(answer) => Some(answer.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        async move {
            // Unlike an answer, it has no reserved room.
            if answered.is_none() && !flow.room_to_write().await {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            let said = say(output.as_ref(), &flow, &message);
            // Not earlier: shutting down waits until nothing is in progress.
            if let Some(id) = &answered {
                flow.settle(id);
            }
            said
        }
    }

    /// After the end of the input it waits until every request is answered: the SDK itself waits
    /// five seconds, and not at all before the connection is open.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let ended = match self.ended {
            Some(ended) => ended,
            None => match self.next().await {
                Some(message) => return Some(message),
                None => *self.ended.insert(Instant::now()),
            },
        };
        if !self.flow.drained(ended).await {
            // A client that doesn't read must not keep the server running.
            self.writer.iter().for_each(JoinHandle::abort);
            self.flow.go();
        }
        self.flow.ended.cancel();
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.output.take());
        if let Some(writer) = self.writer.take() {
            let _ = tokio::time::timeout(CLOSE_PATIENCE, writer).await;
        }
        Ok(())
    }
}
