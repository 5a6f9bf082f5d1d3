//! Serena: plain Markdown, a folder for each topic.

use oldhand_core::kind::Kind;
use oldhand_text::strings::slug;

use super::{Out, Outgoing, markdown};

pub(super) fn write(out: &mut Out<'_>, memories: &[Outgoing<'_>]) {
    for memory in memories.iter().map(|it| it.memory) {
        let domain = memory.domain.as_deref().map(slug).filter(|it| !it.is_empty());
        let path = match domain {
            Some(domain) => format!("{domain}/{}.md", memory.id),
            None => format!("{}.md", memory.id),
        };
        let body = markdown::body(memory, "##", out.kinds);
        let text = format!("# {}\n\n{body}\n", markdown::title(memory));
        out.record(memory, &path, &text, (memory.kind != Kind::Reference).then_some("reference"));
    }
}
