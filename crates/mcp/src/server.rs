//! Handles the requests of the protocol by calling a port. Calls that block run on their own
//! threads, a few at a time.

use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, CompletionInfo, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProgressToken, Prompt, PromptArgument,
    PromptMessage, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::{OnceCell, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::CALLS_MAX;
use crate::caught::{broken_off, caught};
use crate::flow::Flow;
use crate::mistake::METHODS;
use crate::port::{Answer, Call, Caller, Mistake, Port, Watch};

/// How long a client may cache the list of tools, which never changes while the server runs.
const TOOLS_TTL_MS: u64 = 3_600_000;
/// The key in `_meta` that names the type of agent.
const AGENT_KEY: &str = "oldhand/agent";
const NAME_CHARS_MAX: usize = 100;
const MARKDOWN: &str = "text/markdown";
/// No answer within this time counts as no folders.
const ROOTS_PATIENCE: Duration = Duration::from_secs(2);
const ROOTS_MAX: usize = 16;
/// Longer than a write waits for the store's lock.
const WRITES_PATIENCE: Duration = Duration::from_secs(40);
/// A client that doesn't read progress still gets the answer.
const PROGRESS_PATIENCE: Duration = Duration::from_secs(1);

/// Limits running calls. Writes wait for the store's lock, so they never take all the places.
pub(crate) struct Turns {
    all: Arc<Semaphore>,
    writes: Arc<Semaphore>,
}

impl Default for Turns {
    fn default() -> Self {
        let of = |count| Arc::new(Semaphore::new(count));
        Self { all: of(CALLS_MAX), writes: of(CALLS_MAX / 2) }
    }
}

impl Turns {
    /// Waits for running writes, even if their client is gone.
    pub(crate) async fn finish_writes(&self) {
        let all = u32::try_from(CALLS_MAX / 2).unwrap_or(u32::MAX);
        let _ = tokio::time::timeout(WRITES_PATIENCE, self.writes.acquire_many(all)).await;
    }

    /// A place that is free again when it is dropped.
    async fn take(&self, may_write: bool) -> Option<impl Sized + use<>> {
        let write = match may_write {
            true => Some(self.writes.clone().acquire_owned().await.ok()?),
            false => None,
        };
        Some((write, self.all.clone().acquire_owned().await.ok()?))
    }
}

/// One connection, or one request of the stateless protocol.
#[derive(Clone)]
pub(crate) struct Server {
    port: Arc<dyn Port>,
    turns: Arc<Turns>,
    connection: Arc<str>,
    /// Over HTTP a stateless request belongs to no connection.
    is_http: bool,
    roots: Arc<OnceCell<Vec<String>>>,
    flow: Arc<Flow>,
}

impl Server {
    /// Without a flow, requests come over HTTP, which has its own limits.
    pub(crate) fn new(port: Arc<dyn Port>, turns: Arc<Turns>, flow: Option<Arc<Flow>>) -> Self {
        let connection = port.connection().into();
        let (is_http, roots, flow) = (flow.is_none(), Arc::default(), flow.unwrap_or_default());
        Self { port, turns, connection, is_http, roots, flow }
    }

    async fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        // For a stateless request the SDK would fill in its own name.
        let is_own = is_at_least(context, &ProtocolVersion::V_2026_07_28);
        let said = if is_own { context.meta.client_info() } else { context.client_info() };
        let client = said.map(|info| info.name).unwrap_or_default();
        let agent = context.meta.get(AGENT_KEY).and_then(Value::as_str);
        Caller {
            client: short(&client),
            agent: agent.map(short).filter(|agent| !agent.is_empty()),
            roots: self.roots(context).await,
            connection: (!self.is_http || !is_own).then(|| self.connection.to_string()),
            guest: context.extensions.get::<Parts>().and_then(|it| it.extensions.get()).cloned(),
        }
    }

    /// Asks once per connection, if the client supports it.
    #[expect(deprecated, reason = "clients of before 2026-07-28 have no other way to say it")]
    async fn roots(&self, context: &RequestContext<RoleServer>) -> Vec<String> {
        let is_old = !is_at_least(context, &ProtocolVersion::V_2026_07_28);
        let knows = context.client_capabilities().is_some_and(|it| it.roots.is_some());
        // Over HTTP, anyone with the token could choose among all stores of this machine.
        let is_asked = !self.is_http && is_old && knows;
        if !is_asked || !self.ask(|port| port.wants_roots()).unwrap_or(false) {
            return Vec::new();
        }
        let asked = self.roots.get_or_init(|| async {
            let answer = tokio::time::timeout(ROOTS_PATIENCE, context.peer.list_roots()).await;
            let roots = answer.ok().and_then(Result::ok).map(|it| it.roots).unwrap_or_default();
            roots.into_iter().take(ROOTS_MAX).map(|root| root.uri).collect()
        });
        asked.await.clone()
    }

    /// Calls the port at once, for what takes no time. All other calls go through `work`.
    fn ask<T>(&self, job: impl FnOnce(&dyn Port) -> T) -> Result<T, ErrorData> {
        caught(|| job(&*self.port))
    }

    /// A question that changes nothing.
    async fn look_up<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        job: impl FnOnce(&dyn Port, &Caller) -> Result<T, Mistake> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let caller = self.caller(context).await;
        let found = self.work(context, false, move |port, _| job(port, &caller)).await?;
        // The protocol has no result for a mistake here.
        found.map_err(|it| ErrorData::invalid_params(it.text, Some(it.structured)))
    }

    /// Runs a job on a thread that may block, once there is a free place.
    async fn work<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        may_write: bool,
        job: impl FnOnce(&dyn Port, &dyn Watch) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let cancelled = || ErrorData::internal_error("cancelled", None);
        let turn = async {
            let has_room = self.flow.room_to_write().await;
            if has_room { self.turns.take(may_write).await } else { None }
        };
        let turn = tokio::select! {
            turn = turn => turn.ok_or_else(cancelled)?,
            () = context.ct.cancelled() => return Err(cancelled()),
        };
        let port = self.port.clone();
        let watch = Follower {
            token: context.meta.get_progress_token(),
            peer: context.peer.clone(),
            cancelled: context.ct.clone(),
            ended: self.flow.ended.clone(),
            runtime: Handle::current(),
        };
        let working = tokio::task::spawn_blocking(move || {
            let done = job(&*port, &watch);
            drop(turn);
            done
        });
        // A job that has begun runs to its end, so a write is never left halfway.
        tokio::select! {
            done = working => done.map_err(|_| broken_off()),
            () = context.ct.cancelled() => Err(cancelled()),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let builder = ServerCapabilities::builder().enable_tools().enable_resources();
        let capabilities = builder.enable_prompts().enable_completions().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(self.port.name(), self.port.version()))
            .with_instructions(self.port.instructions())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        refuse_cursor(request)?;
        let has_output = is_at_least(&context, &ProtocolVersion::V_2025_06_18);
        let tools = self.ask(|port| port.tools())?.into_iter().map(|spec| {
            let mut tool = Tool::new(spec.name, spec.description, Arc::new(spec.input));
            tool.output_schema = has_output.then(|| Arc::new(spec.output));
            let mut hints = ToolAnnotations::default();
            hints.open_world_hint = Some(false);
            if spec.reads_only {
                hints.read_only_hint = Some(true);
            } else {
                hints.destructive_hint = Some(false);
                hints.idempotent_hint = spec.is_idempotent.then_some(true);
            }
            tool.annotations = Some(hints);
            tool
        });
        let mut result = ListToolsResult::with_all_items(tools.collect());
        if is_at_least(&context, &ProtocolVersion::V_2026_07_28) {
            result = result.with_ttl_ms(TOOLS_TTL_MS).with_cache_scope(CacheScope::Public);
        }
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tools = self.ask(|port| port.tools())?;
        let Some(spec) = tools.iter().find(|spec| spec.name == request.name) else {
            let names = tools.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ");
            let message = format!("unknown tool `{}`; there are {names}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let may_write = !spec.reads_only;
        let caller = self.caller(&context).await;
        let resting = caller.clone();
        let has_output = is_at_least(&context, &ProtocolVersion::V_2025_06_18);
        let done = self
            .work(&context, may_write, move |port, watch| {
                let arguments = request.arguments.unwrap_or_default();
                let call = Call { tool: &request.name, arguments, caller: &caller, watch };
                port.call(&call)
            })
            .await?;
        let port = self.port.clone();
        tokio::task::spawn_blocking(move || port.rest(&resting, may_write));
        let is_error = done.is_err().then_some(true);
        let (Ok(Answer { text, structured }) | Err(Answer { text, structured })) = done;
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = has_output.then_some(structured);
        result.is_error = is_error;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let page = self
            .look_up(&context, move |port, caller| port.resources(caller, cursor.as_deref()))
            .await?;
        let resources = page.listed.into_iter().map(|one| {
            Resource::new(one.uri, one.name).with_title(one.title).with_mime_type(MARKDOWN)
        });
        let mut result = ListResourcesResult::with_all_items(resources.collect());
        result.next_cursor = page.next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        refuse_cursor(request)?;
        let templates = self.ask(|port| port.templates())?.iter().map(|one| {
            ResourceTemplate::new(one.uri, one.name)
                .with_description(one.description)
                .with_mime_type(MARKDOWN)
        });
        Ok(ListResourceTemplatesResult::with_all_items(templates.collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let found =
            self.look_up(&context, move |port, caller| port.read(caller, &request.uri)).await?;
        let Some(text) = found else {
            let message = format!("there is no resource `{}`; resources/list has all", short(&uri));
            return Err(ErrorData::resource_not_found(message, None));
        };
        let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        refuse_cursor(request)?;
        let prompts = self.ask(|port| port.prompts())?.iter().map(|spec| {
            let arguments = spec.arguments.iter().map(|(name, description)| {
                PromptArgument::new(*name).with_description(*description).with_required(false)
            });
            Prompt::new(spec.name, Some(spec.description), Some(arguments.collect()))
        });
        Ok(ListPromptsResult::with_all_items(prompts.collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let name = request.name.clone();
        let arguments = request.arguments.unwrap_or_default();
        let found = self
            .look_up(&context, move |port, caller| port.prompt(caller, &request.name, &arguments))
            .await?;
        let Some(text) = found else {
            let message = format!("there is no prompt `{}`; prompts/list has all", short(&name));
            return Err(ErrorData::invalid_params(message, None));
        };
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = short(&request.method);
        let known: Vec<&str> = METHODS.iter().map(|(name, _)| *name).collect();
        let text = format!("unknown method `{method}`; there are {}", known.join(", "));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, text, None))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let argument = request.argument;
        let mut values = self
            .look_up(&context, move |port, caller| {
                Ok(port.complete(caller, &argument.name, &argument.value))
            })
            .await?;
        values.truncate(CompletionInfo::MAX_VALUES);
        let info =
            CompletionInfo::new(values).map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(CompleteResult::new(info))
    }
}

/// These lists have one page, so no cursor is valid.
fn refuse_cursor(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    let text = "unknown cursor; this list is one page: ask without";
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params(text, None)),
    }
}

fn is_at_least(context: &RequestContext<RoleServer>, version: &ProtocolVersion) -> bool {
    // Versions are dates, so they compare as text.
    context.protocol_version().is_some_and(|said| said.as_str() >= version.as_str())
}

/// A client's name goes into the log, as one short line.
fn short(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(NAME_CHARS_MAX).collect()
}

/// The waiting client, seen from the thread that runs the call.
struct Follower {
    token: Option<ProgressToken>,
    peer: Peer<RoleServer>,
    cancelled: CancellationToken,
    ended: CancellationToken,
    runtime: Handle,
}

impl Watch for Follower {
    fn is_cancelled(&self) -> bool {
        self.cancelled.is_cancelled()
    }

    fn is_followed(&self) -> bool {
        self.token.is_some()
    }

    fn progress(&self, done: usize, total: usize, message: &str) {
        let Some(token) = &self.token else { return };
        let mut news = ProgressNotificationParam::new(token.clone(), done as f64);
        news.total = Some(total as f64);
        news.message = Some(message.to_owned());
        // Best effort. After the end of the input the SDK sends only answers, and would make us
        // wait until it is too late for ours.
        let told = tokio::time::timeout(PROGRESS_PATIENCE, self.peer.notify_progress(news));
        self.runtime.block_on(async {
            tokio::select! {
                _ = told => {}
                () = self.ended.cancelled() => {}
            }
        });
    }
}
