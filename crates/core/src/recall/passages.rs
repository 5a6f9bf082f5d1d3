//! Cuts a memory into the passages that are embedded: the model reads a few hundred words at once,
//! and one paragraph answers a question more often than a whole text.

/// About two thirds of what the model reads, so that its own cut is never met.
const PASSAGE_CHARS: usize = 700;
/// A longer memory is found by its beginning, its title and its words.
const PASSAGES_MAX: usize = 8;

/// Each passage carries the title: a paragraph alone does not say what it is about.
pub fn passages(title: &str, body: &str) -> Vec<String> {
    let mut passages: Vec<(usize, String)> = Vec::new();
    for block in blocks(body) {
        let length = block.chars().count();
        match passages.last_mut() {
            Some((chars, passage)) if *chars + length < PASSAGE_CHARS => {
                *chars += length + 1;
                *passage += &format!("\n{block}");
            }
            _ => passages.push((length, format!("{}\n{block}", title.trim()))),
        }
    }
    passages.truncate(PASSAGES_MAX);
    if passages.is_empty() {
        passages.push((0, title.to_owned()));
    }
    let passages = passages.iter().map(|(_, passage)| passage.trim().to_owned());
    passages.filter(|passage| !passage.is_empty()).collect()
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
