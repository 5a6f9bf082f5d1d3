//! The block of memories on pages that agents read by themselves: in step with the store, and out again.

use oldhand_core::views::block::{self, BlockPage, Earned, Woven};

use crate::context::Exchange;
use crate::prelude::*;
use crate::render::Rendered;

/// What became of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum BlockOutcome {
    Written,
    Unchanged,
    /// Somebody changed the lines between the marks: the page is as it was.
    Edited,
    /// The page brings in `AGENTS.md`, and has the block from there.
    Elsewhere,
}

impl Exchange<'_> {
    /// The pages that the settings ask for.
    pub fn wanted_blocks(&self) -> Vec<BlockPage> {
        let on = self.settings.views;
        let wanted = [
            (BlockPage::Agents, on.agents),
            (BlockPage::Claude, on.claude),
            (BlockPage::Gemini, on.gemini),
            (BlockPage::Copilot, on.copilot),
        ];
        wanted.into_iter().filter(|(_, on)| *on).map(|(page, _)| page).collect()
    }

    pub(crate) fn render_blocks(
        &self,
        blocks: &[BlockPage],
        rendered: &mut Rendered,
    ) -> Result<()> {
        let lines =
            if blocks.is_empty() { String::new() } else { self.block_lines(&Scope::Project)? };
        for name in blocks.iter().map(|block| block.file_name()) {
            match self.put_block(name, &lines, false)? {
                BlockOutcome::Written => rendered.pages.push(name.to_owned()),
                BlockOutcome::Edited => {
                    rendered.notes.push(edited(name));
                    rendered.left.push(name.to_owned());
                }
                BlockOutcome::Unchanged | BlockOutcome::Elsewhere => {}
            }
        }
        Ok(())
    }

    /// Puts the block onto this page of the repository.
    pub fn write_block(&self, name: &str, force: bool) -> Result<BlockOutcome> {
        self.put_block(name, &self.block_lines(&Scope::Project)?, force)
    }

    fn put_block(&self, name: &str, lines: &str, force: bool) -> Result<BlockOutcome> {
        let Some((name, page)) = self.page_for_block(name)? else {
            return Ok(BlockOutcome::Elsewhere);
        };
        write::refuse_secret(&name, lines)?;
        let budget = self.settings.export.block_tokens;
        Ok(match block::weave(&name, page.as_deref(), lines, budget, force)? {
            Woven::Same => BlockOutcome::Unchanged,
            Woven::Edited => BlockOutcome::Edited,
            Woven::New(_) if self.is_preview => BlockOutcome::Written,
            Woven::New(text) => {
                self.vault.write_page(&name, page.as_deref(), &text)?;
                BlockOutcome::Written
            }
        })
    }

    /// The page behind links and its text; nothing where it only stands for `AGENTS.md`.
    fn page_for_block(&self, name: &str) -> Result<Option<(String, Option<String>)>> {
        let agents = BlockPage::Agents.file_name();
        let behind = self.vault.page_behind(name)?;
        if name != agents && behind == agents {
            return Ok(None);
        }
        let page = self.vault.read_page(&behind)?;
        let is_claude = behind.rsplit('/').next() == Some(BlockPage::Claude.file_name());
        let imports = is_claude && page.as_deref().is_some_and(block::imports_agents);
        Ok((!imports).then_some((behind, page)))
    }

    /// The lines between the marks. What a file claims and the log does not carry is not in them.
    pub fn block_lines(&self, scope: &Scope) -> Result<String> {
        let events = self.upkeep().events_by_memory()?;
        let scan = self.vault.scan()?;
        let earned = scan.stored.iter().filter_map(|Stored { memory, .. }| {
            let events = events.get(memory.id.as_str()).map_or(&[][..], |it| it);
            let signals = Signals::fold(memory, events, &self.settings.trust);
            signals.is_recorded.then_some(Earned { memory, trust: signals.trust })
        });
        let earned: Vec<Earned<'_>> = earned.collect();
        Ok(block::render(&earned, scope, self.settings.export.block_tokens, self.now))
    }

    /// Takes what somebody changed between the marks into the memories, and makes the block anew.
    pub fn take_block(&self, name: &str) -> Result<Rendered> {
        let mut rendered = Rendered::default();
        let Some((name, page)) = self.page_for_block(name)? else {
            let message = format!("`{name}` has no block of its own");
            return refuse(Code::NotFound, message, "name `AGENTS.md`, which it brings in");
        };
        let made = self.block_lines(&Scope::Project)?;
        let memories = self.vault.scan()?.memories();
        let edits =
            block::read_edits(&name, page.as_deref().unwrap_or_default(), &made, &memories)?;
        self.take_edits(&name, edits, &mut rendered)?;
        if self.write_block(&name, true)? == BlockOutcome::Written {
            rendered.pages.push(name);
        }
        Ok(rendered)
    }

    /// What `doctor` says about a page; nothing where it is as it should be.
    pub(crate) fn check_block(&self, name: &str) -> Result<Option<(String, String)>> {
        Ok(match self.preview().exchange().write_block(name, false) {
            Ok(BlockOutcome::Unchanged | BlockOutcome::Elsewhere) => None,
            Ok(BlockOutcome::Written) => Some((
                "its block lags behind the memories".to_owned(),
                "`oldhand render` brings it up to date".to_owned(),
            )),
            Ok(BlockOutcome::Edited) => {
                Some(("somebody edited its block".to_owned(), take_or_replace(name)))
            }
            Err(Failure::Refused(refusal)) => Some((refusal.message, refusal.hint.to_string())),
            Err(other) => return Err(other),
        })
    }
}

fn take_or_replace(name: &str) -> String {
    format!(
        "`oldhand import {name} --block` takes the lines in; `oldhand export --as … --force` replaces them"
    )
}

/// The word about a block that was left as it is.
pub fn edited(name: &str) -> String {
    format!(
        "somebody edited the block in `{name}`: it was left as it is; {}",
        take_or_replace(name)
    )
}
