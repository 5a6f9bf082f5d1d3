//! The block of memories on pages that agents read by themselves: in step with the store, and out again.

use oldhand_core::views::block::{self, BlockEdits, BlockPage, Earned, Frame, Woven};

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

/// Memories that may stand in a block, with the trust that they have earned.
struct Shown(Vec<(Memory, f64)>);

impl Shown {
    /// Where this page would be in the folders that memories are about.
    fn nested_pages(&self, block: BlockPage) -> BTreeSet<String> {
        let pages = self.0.iter().filter_map(|(memory, _)| match &memory.scope {
            Scope::Component(folder) => Some(format!("{folder}/{}", block.file_name())),
            _ => None,
        });
        // Copilot has one page for the whole repository.
        pages.filter(|_| block != BlockPage::Copilot).collect()
    }
}

/// How a block is put onto a page.
#[derive(Clone, Copy)]
struct Put {
    /// A new one is about the folder of its page.
    is_nested: bool,
    force: bool,
}

/// What the block of a page is about: what it was about before, or what is wanted of a new one.
fn scope_of(name: &str, page: Option<&str>, is_nested: bool) -> Result<Scope> {
    let marked = page.map(|page| block::find(name, page)).transpose()?.flatten();
    let is_nested = is_nested || marked.is_some_and(|it| it.is_nested);
    Ok(match name.rsplit_once('/').filter(|_| is_nested) {
        Some((folder, _)) => Scope::Component(folder.to_owned()),
        None => Scope::Project,
    })
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
        if blocks.is_empty() {
            return Ok(());
        }
        let shown = self.shown()?;
        for name in self.pages_with_block(blocks, &shown)? {
            match self.put_block(&name, &shown, Put { is_nested: false, force: false })? {
                BlockOutcome::Written => rendered.pages.push(name),
                BlockOutcome::Edited => {
                    rendered.notes.push(edited(&name));
                    rendered.left.push(name);
                }
                BlockOutcome::Unchanged | BlockOutcome::Elsewhere => {}
            }
        }
        Ok(())
    }

    /// The pages of these names in the top folder, and those further down that have a block already.
    fn pages_with_block(&self, blocks: &[BlockPage], shown: &Shown) -> Result<Vec<String>> {
        let mut pages: Vec<String> =
            blocks.iter().map(|page| page.file_name().to_owned()).collect();
        for block in blocks {
            for name in shown.nested_pages(*block) {
                let page = self.vault.read_page(&name)?;
                // One whose marks are no pair is named, and not passed over.
                let has_block = page.is_some_and(|it| !matches!(block::find(&name, &it), Ok(None)));
                pages.extend(has_block.then_some(name));
            }
        }
        Ok(pages)
    }

    /// Puts the block onto this page of the repository.
    pub fn write_block(&self, name: &str, force: bool) -> Result<BlockOutcome> {
        self.put_block(name, &self.shown()?, Put { is_nested: false, force })
    }

    /// The same for each folder that memories are about and that has such a page: what is about the folder
    /// stands there.
    pub fn write_nested_blocks(
        &self,
        block: BlockPage,
        force: bool,
    ) -> Result<Vec<(String, BlockOutcome)>> {
        let shown = self.shown()?;
        let mut written = Vec::new();
        for name in shown.nested_pages(block) {
            if self.vault.read_page(&name)?.is_some() {
                let outcome = self.put_block(&name, &shown, Put { is_nested: true, force })?;
                written.push((name, outcome));
            }
        }
        Ok(written)
    }

    fn put_block(&self, name: &str, shown: &Shown, put: Put) -> Result<BlockOutcome> {
        let Some((name, page)) = self.page_for_block(name)? else {
            return Ok(BlockOutcome::Elsewhere);
        };
        // What git could not merge in the block is made from the memories, which it has merged.
        let repaired = page.as_deref().and_then(|page| block::without_conflict(&name, page));
        let force = put.force || repaired.is_some();
        let there = repaired.as_deref().or(page.as_deref());
        let scope = scope_of(&name, there, put.is_nested)?;
        let lines = self.lines(shown, &scope);
        write::refuse_secret(&name, &lines)?;
        let is_nested = scope != Scope::Project;
        let frame = Frame { budget_tokens: self.settings.export.block_tokens, is_nested };
        let woven = match (block::weave(&name, there, &lines, frame, force)?, &repaired) {
            (Woven::Same, Some(text)) => Woven::New(text.clone()),
            (woven, _) => woven,
        };
        Ok(match woven {
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
        let file_name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        if file_name(name) != agents && file_name(&behind) == agents {
            return Ok(None);
        }
        let page = self.vault.read_page(&behind)?;
        let is_claude = file_name(&behind) == BlockPage::Claude.file_name();
        let imports = is_claude && page.as_deref().is_some_and(block::imports_agents);
        Ok((!imports).then_some((behind, page)))
    }

    /// What may stand in a block. What a file claims and the log does not carry is not in it.
    fn shown(&self) -> Result<Shown> {
        let events = self.upkeep().events_by_memory()?;
        let stored = self.vault.scan()?.stored.into_iter().map(|it| it.memory);
        let earned = stored.filter_map(|memory| {
            let events = events.get(memory.id.as_str()).map_or(&[][..], |it| it);
            let signals = Signals::fold(&memory, events, &self.settings.trust);
            signals.is_recorded.then_some((memory, signals.trust))
        });
        Ok(Shown(earned.collect()))
    }

    fn lines(&self, Shown(earned): &Shown, scope: &Scope) -> String {
        let earned: Vec<Earned<'_>> =
            earned.iter().map(|(memory, trust)| Earned { memory, trust: *trust }).collect();
        block::render(&earned, scope, self.settings.export.block_tokens, self.now)
    }

    /// Takes what somebody changed between the marks into the memories, and makes the block anew. A line that
    /// can't be taken in stays, and the block with it.
    pub fn take_block(&self, name: &str) -> Result<Rendered> {
        let mut rendered = Rendered::default();
        let Some((name, page)) = self.page_for_block(name)? else {
            let message = format!("`{name}` has no block of its own");
            return refuse(Code::NotFound, message, "name `AGENTS.md`, which it brings in");
        };
        let made = self.lines(&self.shown()?, &scope_of(&name, page.as_deref(), false)?);
        let memories = self.vault.scan()?.memories();
        let BlockEdits { edits, mut refused } =
            block::read_edits(&name, page.as_deref().unwrap_or_default(), &made, &memories)?;
        for edit in edits {
            match self.take_edits(&name, vec![edit], &mut rendered) {
                Err(Failure::Refused(refusal)) => refused.push(refusal),
                other => other?,
            }
        }
        if !refused.is_empty() {
            rendered.notes.extend(refused.iter().map(crate::transfer::reason_of));
            rendered.left.push(name);
        } else if self.write_block(&name, true)? == BlockOutcome::Written {
            rendered.pages.push(name);
        }
        Ok(rendered)
    }

    /// The pages whose blocks the settings keep in step.
    pub(crate) fn kept_blocks(&self) -> Result<Vec<String>> {
        match self.wanted_blocks().as_slice() {
            [] => Ok(Vec::new()),
            wanted => self.pages_with_block(wanted, &self.shown()?),
        }
    }

    /// What `doctor` says about a page; nothing where it is as it should be.
    pub(crate) fn check_block(&self, name: &str) -> Result<Option<(String, String)>> {
        let page = self.vault.read_page(name)?;
        if page.is_some_and(|page| block::without_conflict(name, &page).is_some()) {
            let hint =
                "`oldhand render` rebuilds it from the memories, and keeps what is outside of it";
            return Ok(Some((
                "a merge conflict was left in its block".to_owned(),
                hint.to_owned(),
            )));
        }
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
