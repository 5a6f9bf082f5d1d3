//! A port without memories, for the server of the protocol: what it answers is what it was asked.

use oldhand_mcp::{
    Answer, Call, Caller, Listed, Mistake, Page, Port, PromptSpec, Template, ToolSpec,
};
use serde_json::{Map, Value, json};

const PAGES: usize = 4;
const STEPS_MAX: u64 = 6;

pub(crate) struct Echo;

impl Port for Echo {
    fn name(&self) -> &str {
        "echo"
    }
    fn version(&self) -> &str {
        "1"
    }
    fn instructions(&self) -> &str {
        "say anything"
    }
    fn wants_roots(&self) -> bool {
        false
    }
    fn rest(&self, _: &Caller, _: bool) {}
    fn connection(&self) -> String {
        "connection".to_owned()
    }

    fn tools(&self) -> Vec<ToolSpec> {
        let object: Map<String, Value> =
            [("type".to_owned(), json!("object"))].into_iter().collect();
        let spec = |name, reads_only| ToolSpec {
            name,
            description: "for random input",
            input: object.clone(),
            output: object.clone(),
            reads_only,
            is_idempotent: !reads_only,
        };
        vec![spec("echo", true), spec("refuse", false), spec("slow", false)]
    }

    fn call(&self, call: &Call<'_>) -> Result<Answer, Mistake> {
        let Caller { client, agent, connection, .. } = call.caller;
        let structured = json!({
            "client": client, "agent": agent, "connection": connection, "said": call.arguments,
        });
        let text = structured.to_string();
        match call.tool {
            "refuse" => Err(Mistake { text, structured }),
            "slow" => {
                let steps = call.arguments.get("steps").and_then(Value::as_u64).unwrap_or(1);
                let steps = steps.min(STEPS_MAX) as usize;
                for step in 0..steps {
                    if call.watch.is_cancelled() {
                        break;
                    }
                    call.watch.progress(step, steps, &text);
                }
                Ok(Answer { text, structured })
            }
            _ => Ok(Answer { text, structured }),
        }
    }

    fn resources(&self, _: &Caller, cursor: Option<&str>) -> Result<Page, Mistake> {
        let page: usize = match cursor {
            None => 0,
            Some(cursor) => cursor.parse().map_err(|_| mistake(cursor))?,
        };
        let one = Listed {
            uri: format!("echo://{page}"),
            name: page.to_string(),
            title: "one of a few".to_owned(),
        };
        let next = (page < PAGES).then(|| (page + 1).to_string());
        Ok(Page { listed: vec![one], next })
    }

    fn templates(&self) -> &'static [Template] {
        &[Template { uri: "echo://{id}", name: "any", description: "what was asked" }]
    }

    fn read(&self, _: &Caller, uri: &str) -> Result<Option<String>, Mistake> {
        match uri.strip_prefix("echo://") {
            Some("refuse") => Err(mistake(uri)),
            Some(rest) => Ok(Some(rest.to_owned())),
            None => Ok(None),
        }
    }

    fn prompts(&self) -> &'static [PromptSpec] {
        &[PromptSpec {
            name: "say",
            description: "what was asked",
            arguments: &[("task", "what is to be done")],
        }]
    }

    fn prompt(
        &self,
        _: &Caller,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Option<String>, Mistake> {
        match name {
            "say" => Ok(Some(Value::Object(arguments.clone()).to_string())),
            "refuse" => Err(mistake(name)),
            _ => Ok(None),
        }
    }

    fn complete(&self, _: &Caller, argument: &str, typed: &str) -> Vec<String> {
        // More than the protocol lets through.
        (0..argument.len() * 50).map(|number| format!("{typed}{number}")).collect()
    }
}

fn mistake(about: &str) -> Mistake {
    Mistake { text: format!("not `{about}`"), structured: json!({ "about": about }) }
}
