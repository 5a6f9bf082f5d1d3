//! The steps of the day, in their order, and what each has to come out as.

use std::collections::BTreeSet;

use rmcp::ServiceError;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ErrorCode, GetPromptRequestParams,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ResourceContents, Role,
};
use serde_json::{Map, Value, json};

use crate::Connected;
use crate::said::{Wrong, expect, same, wrong};
use crate::scene::SEEDED;

pub(crate) const DECIDED: &str = "use-postgresql-for-storage";
const TOOLS: [&str; 6] = ["recall", "remember", "check", "feedback", "resume", "review"];
const PAGES_MAX: usize = 100;

pub(crate) struct Day<'d> {
    pub(crate) client: &'d Connected,
    pub(crate) version: ProtocolVersion,
}

impl Day<'_> {
    pub(crate) async fn whole(&self) -> Result<(), Wrong> {
        self.greet()?;
        self.list_tools().await?;
        self.remember().await?;
        self.check().await?;
        self.clash().await?;
        self.judge().await?;
        self.resources().await?;
        self.prompts().await?;
        self.mistakes().await
    }

    fn greet(&self) -> Result<(), Wrong> {
        let Some(info) = self.client.peer_info() else {
            return Err(wrong("the server's own words", "some", "none"));
        };
        same("version", &self.version, &info.protocol_version)?;
        let name = info.server_info.as_ref().map(|server| server.name.as_str());
        same("the server's name", Some("oldhand"), name)?;
        let instructions = info.instructions.as_deref().unwrap_or_default();
        let holds = instructions.contains("resume");
        expect("instructions", holds, "a word about resume", instructions)?;
        let offered = &info.capabilities;
        let has_all = offered.tools.is_some()
            && offered.resources.is_some()
            && offered.prompts.is_some()
            && offered.completions.is_some();
        expect("capabilities", has_all, "tools, resources, prompts, completions", offered)
    }

    async fn list_tools(&self) -> Result<(), Wrong> {
        let tools = self.client.list_tools(None).await?.tools;
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        same("six tools in their order", TOOLS.to_vec(), names)?;
        let bare = tools.iter().find(|tool| {
            tool.output_schema.is_none() || tool.annotations.is_none() || tool.description.is_none()
        });
        expect("every tool has its schemas and annotations", bare.is_none(), "all", bare)
    }

    async fn remember(&self) -> Result<(), Wrong> {
        let (answer, _) = self.works("resume", json!({})).await?;
        let holds = answer["text"].as_str().is_some_and(|text| !text.is_empty());
        expect("resume", holds, "a text", answer)?;
        let decision = json!({
            "kind": "decision", "title": "Use PostgreSQL for storage",
            "text": "Use PostgreSQL for storage, because we need transactions.",
        });
        let (answer, _) = self.works("remember", decision).await?;
        let found = (answer["action"].as_str(), answer["id"].as_str());
        same("remember a decision", (Some("created"), Some(DECIDED)), found)?;
        let question = json!({"query": "which database do we use for storage"});
        let (answer, text) = self.works("recall", question).await?;
        let holds = ids(&answer["memories"]).contains(&DECIDED) && text.contains("transactions");
        expect("recall by a question", holds, DECIDED, (&answer, text))?;
        let (answer, _) = self.works("recall", json!({"ids": [DECIDED]})).await?;
        same("recall by its id", vec![DECIDED], ids(&answer["memories"]))
    }

    async fn check(&self) -> Result<(), Wrong> {
        let french = json!({"proposal": "Write the release notes in French"});
        let (answer, _) = self.works("check", french).await?;
        same("check what is clear", Some("clear"), answer["verdict"].as_str())?;
        let (answer, _) = self.works("check", json!({"proposal": "Use MySQL"})).await?;
        same("check what clashes", Some("conflict"), answer["verdict"].as_str())?;
        same("the conflict names the decision", vec![DECIDED], ids(&answer["conflicts"]))
    }

    async fn clash(&self) -> Result<(), Wrong> {
        let decision = json!({
            "kind": "decision", "title": "Use MySQL for storage", "text": "Use MySQL for storage.",
        });
        let said = self.fails("a clash is stopped", "remember", decision, DECIDED).await?;
        same("the clash as data", Some("CONFLICT"), said["code"].as_str())?;
        let (answer, text) = self.works("review", json!({})).await?;
        let holds = text.contains("use-mysql-for-storage");
        expect("the clash waits for a person", holds, "use-mysql-for-storage", &answer)?;
        same("one waits", Some(1), answer["waiting"].as_array().map(Vec::len))
    }

    async fn judge(&self) -> Result<(), Wrong> {
        let (answer, _) = self.works("recall", json!({"ids": [DECIDED]})).await?;
        let before = answer["memories"][0]["trust"].as_f64();
        let helped = json!({"id": DECIDED, "effect": "positive", "note": "it held", "task": "T-1"});
        let (answer, _) = self.works("feedback", helped).await?;
        let after = answer["trust"].as_f64();
        let rises = matches!((before, after), (Some(before), Some(after)) if after > before);
        expect("trust rises with feedback", rises, ("more than", before), answer)
    }

    async fn resources(&self) -> Result<(), Wrong> {
        let (mut seen, mut cursor, mut pages) = (Vec::new(), None, 0);
        while pages < PAGES_MAX {
            let onward = PaginatedRequestParams::default().with_cursor(cursor);
            let page = self.client.list_resources(Some(onward)).await?;
            seen.extend(page.resources.into_iter().map(|resource| resource.uri));
            cursor = page.next_cursor;
            pages += 1;
            if cursor.is_none() {
                break;
            }
        }
        let distinct: BTreeSet<&String> = seen.iter().collect();
        let memories = distinct.iter().filter(|uri| uri.starts_with("oldhand://memory/")).count();
        let holds = pages > 1 && distinct.len() == seen.len() && memories == SEEDED + 1;
        let found = (pages, seen.len(), memories);
        expect(&format!("resources in {pages} pages"), holds, ("memories", SEEDED + 1), found)?;
        let uri = format!("oldhand://memory/{DECIDED}");
        let read = self.client.read_resource(ReadResourceRequestParams::new(&uri)).await?;
        let holds = matches!(&read.contents[..],
            [ResourceContents::TextResourceContents { uri: its, text, mime_type, .. }]
                if *its == uri && text.contains("transactions") && mime_type.is_some());
        expect(&format!("read {uri}"), holds, "its text", read)?;
        let unknown = ReadResourceRequestParams::new("oldhand://memory/nothing-at-all");
        // Older clients know the first code, newer ones the second.
        let code = match self.version >= ProtocolVersion::V_2026_07_28 {
            false => ErrorCode::RESOURCE_NOT_FOUND,
            true => ErrorCode::INVALID_PARAMS,
        };
        refused("an unknown resource", code, self.client.read_resource(unknown).await)?;
        let odd = PaginatedRequestParams::default().with_cursor(Some("no-cursor-of-ours".into()));
        let answer = self.client.list_resources(Some(odd)).await;
        refused("an unknown cursor", ErrorCode::INVALID_PARAMS, answer)
    }

    async fn prompts(&self) -> Result<(), Wrong> {
        let prompts = self.client.list_prompts(None).await?.prompts;
        let names: Vec<&str> = prompts.iter().map(|prompt| prompt.name.as_str()).collect();
        same("three prompts", vec!["resume", "compact", "review"], names)?;
        // What has to stand in the text.
        for (name, arguments, word) in [
            ("resume", json!({"task": "Move the storage"}), "PostgreSQL"),
            ("compact", json!({"focus": "the storage"}), "the storage"),
            ("review", json!({}), "MySQL"),
        ] {
            let asked = GetPromptRequestParams::new(name).with_arguments(object(arguments));
            let messages = self.client.get_prompt(asked).await?.messages;
            let holds = messages.first().is_some_and(|message| {
                let text = message.content.as_text().map(|text| text.text.as_str());
                message.role == Role::User && text.is_some_and(|text| text.contains(word))
            });
            expect(&format!("prompt {name}"), holds, word, messages)?;
        }
        let unknown = self.client.get_prompt(GetPromptRequestParams::new("nothing")).await;
        refused("an unknown prompt", ErrorCode::INVALID_PARAMS, unknown)
    }

    async fn mistakes(&self) -> Result<(), Wrong> {
        let unknown = self.client.call_tool(CallToolRequestParams::new("nothing")).await;
        refused("an unknown tool", ErrorCode::INVALID_PARAMS, unknown)?;
        self.fails("a missing argument", "check", json!({}), "proposal").await?;
        let great = json!({"id": DECIDED, "effect": "great"});
        self.fails("a wrong choice", "feedback", great, "positive").await?;
        Ok(())
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, Wrong> {
        let call = CallToolRequestParams::new(tool).with_arguments(object(arguments));
        Ok(self.client.call_tool(call).await?)
    }

    /// A call that has to work: its answer as data and as text.
    async fn works(&self, tool: &'static str, arguments: Value) -> Result<(Value, String), Wrong> {
        let result = self.call(tool, arguments).await?;
        let text = text_of(&result);
        match (&result.structured_content, result.is_error) {
            (Some(answer), None | Some(false)) if !text.is_empty() => Ok((answer.clone(), text)),
            _ => Err(wrong(tool, "an answer as text and as data", result)),
        }
    }

    /// A call that has to come back as the tool's own mistake, with this word.
    async fn fails(
        &self,
        what: &str,
        tool: &'static str,
        arguments: Value,
        word: &str,
    ) -> Result<Value, Wrong> {
        let result = self.call(tool, arguments).await?;
        let holds = result.is_error == Some(true) && text_of(&result).contains(word);
        let said = result.structured_content.clone().unwrap_or_default();
        expect(what, holds, ("is_error with", word), result)?;
        Ok(said)
    }
}

/// A request that the protocol itself refuses.
fn refused<T: std::fmt::Debug>(
    what: &str,
    code: ErrorCode,
    answer: Result<T, ServiceError>,
) -> Result<(), Wrong> {
    let holds = matches!(&answer, Err(ServiceError::McpError(error)) if error.code == code);
    expect(what, holds, code, answer)
}

fn text_of(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|block| block.as_text()).map(|it| it.text.as_str()).collect()
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(|one| one["id"].as_str()).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
