//! Cutting a memory into the passages that are embedded: the model sees a few hundred words at
//! once, and a question is answered by one paragraph more often than by a whole text.

/// About two thirds of what the model reads, so that its own cut is never met.
const PASSAGE_CHARS: usize = 700;
/// A longer memory is found by its beginning, its title and its words.
const PASSAGES_MAX: usize = 8;

/// Each passage carries the title: a paragraph alone does not say what it is about.
pub fn passages(title: &str, body: &str) -> Vec<String> {
    let mut passages: Vec<String> = Vec::new();
    let mut current = String::new();
    let mut chars = 0;
    for block in blocks(body) {
        let length = block.chars().count();
        if chars > 0 && chars + length > PASSAGE_CHARS {
            passages.push(std::mem::take(&mut current));
            chars = 0;
            if passages.len() == PASSAGES_MAX {
                break;
            }
        }
        if chars > 0 {
            current.push('\n');
        }
        current.push_str(block);
        chars += length + 1;
    }
    if !current.is_empty() && passages.len() < PASSAGES_MAX {
        passages.push(current);
    }
    if passages.is_empty() {
        passages.push(String::new());
    }
    let title = title.trim();
    passages
        .into_iter()
        .map(|passage| format!("{title}\n{passage}").trim().to_owned())
        .filter(|passage| !passage.is_empty())
        .collect()
}

/// Lines with words in them; a line longer than a passage is cut at its sentences or words.
fn blocks(body: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    for line in body.lines() {
        let mut rest = line.trim();
        while rest.chars().count() > PASSAGE_CHARS {
            let limit = rest.char_indices().nth(PASSAGE_CHARS).map_or(rest.len(), |(at, _)| at);
            let head = &rest[..limit];
            let cut = head
                .rfind(". ")
                .map(|at| at + 1)
                .or_else(|| head.rfind(' '))
                .filter(|at| *at > limit / 2)
                .unwrap_or(limit);
            blocks.push(rest[..cut].trim());
            rest = rest[cut..].trim();
        }
        if rest.chars().any(char::is_alphanumeric) {
            blocks.push(rest);
        }
    }
    blocks
}

#[cfg(test)]
mod tests;
