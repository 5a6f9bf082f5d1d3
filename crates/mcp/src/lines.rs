//! One message a line. The line's length is bounded, and what can't be understood is answered with
//! the error that the protocol has for it. How much is under way is bounded in `flow`.

use std::io;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, JsonRpcMessage, ServerJsonRpcMessage,
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
use crate::opening::Opening;

/// A buffer with more room is given back after its message.
const LINE_BYTES_KEPT: usize = 256 * 1024;
/// Nothing is left to write by then: it is only let go.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);

pub(crate) struct Lines<R> {
    input: BufReader<R>,
    /// What is there of the line so far. The future of a read may be dropped: this stays.
    line: Vec<u8>,
    /// The line is too long: of what came so far, `line` has only the two ends.
    is_too_long: bool,
    /// Without a bound of its own: the flow has it.
    output: Option<UnboundedSender<Vec<u8>>>,
    writer: Option<JoinHandle<()>>,
    opening: Opening,
    flow: Arc<Flow>,
    ended: Option<Instant>,
}

impl<R: AsyncRead + Unpin + Send> Lines<R> {
    /// Inside of a runtime: lines are written by a task of their own, whole and in order.
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
            opening: Opening::default(),
            flow,
            ended: None,
        }
    }

    /// Takes a piece of what is there, and says whether the line is whole. Nothing waits between
    /// taking it and keeping it.
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
            // A last line without its end is a message that was cut off.
            if self.step().await.ok()?
                && let Some(message) = self.read()
            {
                return Some(message);
            }
        }
    }

    fn answer(&self, message: &ServerJsonRpcMessage) {
        // Who can't be told has gone: the next wait for room says so.
        let _ = to_line(message).and_then(|line| say(self.output.as_ref(), &self.flow, line));
    }

    /// Whether it goes on to the server.
    fn lets_in(&mut self, message: &ClientJsonRpcMessage, bytes: usize) -> bool {
        if !self.opening.lets_in(message) {
            return false;
        }
        match message {
            JsonRpcMessage::Request(request) if !self.flow.ask(&request.id, bytes) => {
                let text = "this `id` is that of a request without an answer; each needs its own";
                let error = ErrorData::invalid_request(text, None);
                self.answer(&JsonRpcMessage::error(error, Some(request.id.clone())));
                false
            }
            JsonRpcMessage::Notification(news) => {
                // What is taken back is not answered.
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
            // It is answered when all of it has come: the peer may still be writing.
            true => {
                let (head, tail) = line.split_at(ENDS_BYTES);
                Read::TooMuch(Box::new(too_long(head, tail)))
            }
            false => read_message(&line),
        };
        let bytes = line.len();
        // A large message does not stay.
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

fn to_line(message: &ServerJsonRpcMessage) -> io::Result<Vec<u8>> {
    let mut line = to_bytes(message)?;
    line.push(b'\n');
    Ok(line)
}

/// Never waits: who asked has been given room for the answer.
fn say(output: Option<&UnboundedSender<Vec<u8>>>, flow: &Flow, line: Vec<u8>) -> io::Result<()> {
    flow.queue(line.len());
    let sent = output.map(|output| output.send(line).is_ok());
    if sent == Some(true) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}

/// Until nobody has anything to say, or the client is gone: then the channel closes.
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
            // Nobody gave it room before, as they did to an answer.
            if answered.is_none() && !flow.room_to_write().await {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            let said = to_line(&message).and_then(|line| say(output.as_ref(), &flow, line));
            // Not before: the end waits until nothing is on its way.
            if let Some(id) = &answered {
                flow.settle(id);
            }
            said
        }
    }

    /// Behind the end of the input it waits until all that was asked is answered: the SDK itself
    /// gives that five seconds, and nothing at all before the connection is open.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let ended = match self.ended {
            Some(ended) => ended,
            None => match self.next().await {
                Some(message) => return Some(message),
                None => *self.ended.insert(Instant::now()),
            },
        };
        if !self.flow.drained(ended).await {
            // One that does not read keeps nobody.
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
