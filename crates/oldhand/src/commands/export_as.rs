//! `oldhand export --as`: memories as other tools keep them, and the managed block of pages that agents read.

use oldhand_app::block::{BlockOutcome, edited};
use oldhand_core::views::block::BlockPage;
use oldhand_desk::desk::below;
use wire::program::WrittenBlock;

use super::prelude::*;

/// The formats that are a block in a page.
const BLOCKS: [(&str, BlockPage); 4] = [
    ("agents-md", BlockPage::Agents),
    ("claude-md", BlockPage::Claude),
    ("gemini-md", BlockPage::Gemini),
    ("copilot", BlockPage::Copilot),
];

pub(super) fn run(format: &str, args: &ExportArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if let Some((_, page)) = BLOCKS.iter().find(|(name, _)| *name == format) {
        return block(*page, args, desk, io);
    }
    Err(Fail::usage(format!("unknown format `{format}`"), ""))
}

fn block(page: BlockPage, args: &ExportArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let narrows = !args.names.is_empty() || args.source.is_some() || !args.state.is_empty();
    if narrows || args.bare {
        let message = "a block shows what binds in the whole project";
        return Err(Fail::usage(message, "leave out names, `--source`, `--state` and `--bare`"));
    }
    let name = match &args.to {
        Some(to) => in_repository(&to.display().to_string(), desk)?,
        None => page.file_name().to_owned(),
    };
    desk.work(|engine| {
        let outcome = engine.exchange().write_block(&name, args.force)?;
        let answer = WrittenBlock { page: &name, outcome: &outcome };
        desk.print(io, "export", &answer, || match outcome {
            BlockOutcome::Written => format!("wrote the block of `{name}`\n"),
            BlockOutcome::Unchanged => format!("the block of `{name}` is up to date\n"),
            BlockOutcome::Elsewhere => {
                format!(
                    "`{name}` brings in `AGENTS.md`, which has the block: nothing was written\n"
                )
            }
            BlockOutcome::Edited => String::new(),
        })?;
        if outcome == BlockOutcome::Edited {
            desk.remark(io, "note", [edited(&name)]);
            return Ok(FINDING);
        }
        Ok(DONE)
    })
}

/// `import --block`: what was changed between the marks becomes of the memories.
pub(super) fn take_blocks(pages: &[String], desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    for page in pages {
        let name = in_repository(page, desk)?;
        desk.work(|engine| {
            let rendered = engine.exchange().take_block(&name)?;
            desk.print(io, "render", &rendered, || {
                let edits =
                    rendered.imported.iter().map(|id| format!("took in an edit of `{id}`\n"));
                let pages = rendered.pages.iter().map(|page| format!("rebuilt `{page}`\n"));
                let text: String = edits.chain(pages).collect();
                if text.is_empty() { format!("the block of `{name}` has no edits\n") } else { text }
            })?;
            desk.remark(io, "note", &rendered.notes);
            Ok(())
        })?;
    }
    Ok(DONE)
}

fn in_repository(path: &str, desk: &Desk<'_>) -> Result<String, Fail> {
    let root = desk.located()?.repository().to_owned();
    below(&root, &desk.current_dir().join(path)).ok_or_else(|| {
        let message = format!("`{path}` is not a page of this repository");
        Fail::usage(message, "a block is kept in a page inside of the repository")
    })
}
