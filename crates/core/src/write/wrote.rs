//! What a memory says, as a fingerprint.

use crate::content::FieldValue;
use crate::memory::Memory;

/// 16 digits over title, description, content, sections and tags: as long as they are those that the
/// import wrote, nobody has edited it.
pub fn wrote(memory: &Memory) -> String {
    let mut hasher = blake3::Hasher::new();
    // With its length before it, no text can pass for two.
    let mut put = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    };
    put(&memory.title);
    put(memory.description.as_deref().unwrap_or_default());
    for (name, value) in memory.content.iter() {
        put(name);
        match value {
            FieldValue::Text(text) => put(text),
            FieldValue::Flag(flag) => put(if *flag { "true" } else { "false" }),
            FieldValue::List(items) => items.iter().for_each(|item| put(item)),
            FieldValue::Alternatives(items) => items.iter().for_each(|item| {
                put(&item.option);
                put(&item.rejected_reason);
            }),
        }
    }
    put("sections");
    for (heading, text) in &memory.sections {
        put(heading);
        put(text);
    }
    put("tags");
    memory.tags.iter().for_each(|tag| put(tag));
    hasher.finalize().to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests;
