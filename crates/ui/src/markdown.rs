//! Text of memories as elements. Raw HTML is shown as text, images are shown as links, and a link
//! leads only to `http` and `https`, with its host beside it.

use maud::{Markup, PreEscaped, Render, html};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Markdown to elements. The page around it has the first heading, so these begin at the third.
pub fn markdown(text: &str) -> Markup {
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let mut writer = Writer::default();
    for event in parser {
        writer.take(event);
    }
    PreEscaped(writer.out)
}

#[derive(Default)]
struct Writer {
    out: String,
    /// What closes each open link or image.
    links: Vec<String>,
    is_head: bool,
}

impl Writer {
    fn text(&mut self, text: &str) {
        self.out.push_str(&text.render().into_string());
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            // What is written as HTML is read, not run.
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.out.push_str("<code>");
                self.text(&text);
                self.out.push_str("</code>");
            }
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            Event::FootnoteReference(name) => self.text(&format!("[{name}]")),
            Event::TaskListMarker(done) => self.out.push_str(if done { "☑ " } else { "☐ " }),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Link { dest_url, .. } => self.open_link(&dest_url, ""),
            Tag::Image { dest_url, .. } => self.open_link(&dest_url, "image: "),
            Tag::List(Some(start)) => self.out.push_str(&format!("<ol start=\"{start}\">")),
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.out.push_str("<pre><code>");
            }
            Tag::HtmlBlock => self.out.push_str("<pre class=\"raw\">"),
            Tag::TableHead => {
                self.is_head = true;
                self.out.push_str("<tr>");
            }
            other => {
                if let Some(name) = name_of(&other.to_end(), self.is_head) {
                    self.out.push_str(&format!("<{name}>"));
                }
            }
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link | TagEnd::Image => {
                let close = self.links.pop().unwrap_or_default();
                self.out.push_str(&close);
            }
            TagEnd::CodeBlock => self.out.push_str("</code></pre>"),
            TagEnd::HtmlBlock => self.out.push_str("</pre>"),
            TagEnd::TableHead => {
                self.is_head = false;
                self.out.push_str("</tr>");
            }
            other => {
                if let Some(name) = name_of(&other, self.is_head) {
                    self.out.push_str(&format!("</{name}>"));
                }
            }
        }
    }

    fn open_link(&mut self, address: &str, prefix: &str) {
        let Some(host) = host_of(address) else {
            // Not a way out of the page: the address is shown beside the words.
            self.text(prefix);
            self.links.push(html! { " " span.host { (address) } }.into_string());
            return;
        };
        let attributes = html! { (address) }.into_string();
        self.out.push_str(&format!(
            "<a href=\"{attributes}\" rel=\"noopener noreferrer\" target=\"_blank\">"
        ));
        self.text(prefix);
        self.links.push(html! { (PreEscaped("</a>")) " " span.host { (host) } }.into_string());
    }
}

/// The host of an address that may be a link.
pub(crate) fn host_of(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    // What stands before an `@` only looks like a host.
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}

fn name_of(tag: &TagEnd, is_head: bool) -> Option<&'static str> {
    Some(match tag {
        TagEnd::Paragraph => "p",
        TagEnd::Heading(HeadingLevel::H1 | HeadingLevel::H2) => "h3",
        TagEnd::Heading(HeadingLevel::H3) => "h4",
        TagEnd::Heading(_) => "h5",
        TagEnd::BlockQuote(_) => "blockquote",
        TagEnd::List(true) => "ol",
        TagEnd::List(false) => "ul",
        TagEnd::Item => "li",
        TagEnd::Table => "table",
        TagEnd::TableRow => "tr",
        TagEnd::TableCell if is_head => "th",
        TagEnd::TableCell => "td",
        TagEnd::Emphasis => "em",
        TagEnd::Strong => "strong",
        TagEnd::Strikethrough => "del",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[track_caller]
    fn check(text: &str, want: &str) {
        assert_eq!(markdown(text).into_string(), want);
    }

    #[test]
    fn prose_becomes_elements() {
        check(
            "Use **cents**, not `f64`.",
            "<p>Use <strong>cents</strong>, not <code>f64</code>.</p>",
        );
        check("# A\n- b\n", "<h3>A</h3><ul><li>b</li></ul>");
        check(
            "a | b\n--|--\n1 | 2",
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
        );
    }

    #[test]
    fn html_is_text() {
        check("<b onclick=x>hi</b>", "<p>&lt;b onclick=x&gt;hi&lt;/b&gt;</p>");
        check(
            "<script>alert(1)</script>",
            "<pre class=\"raw\">&lt;script&gt;alert(1)&lt;/script&gt;</pre>",
        );
    }

    #[test]
    fn links_lead_to_the_web_only() {
        check(
            "[docs](https://a.example/x?y=\"z)",
            "<p><a href=\"https://a.example/x?y=&quot;z\" rel=\"noopener noreferrer\" target=\"_blank\">docs</a> <span class=\"host\">a.example</span></p>",
        );
        check(
            "[x](javascript:alert(1))",
            "<p>x <span class=\"host\">javascript:alert(1)</span></p>",
        );
        check(
            "[x](https://good.example@evil.example/)",
            "<p><a href=\"https://good.example@evil.example/\" rel=\"noopener noreferrer\" target=\"_blank\">x</a> <span class=\"host\">evil.example</span></p>",
        );
        check(
            "![cat](data:image/png;base64,AA)",
            "<p>image: cat <span class=\"host\">data:image/png;base64,AA</span></p>",
        );
    }
}
