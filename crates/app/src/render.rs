//! The derived pages: the index always, the views when they are switched on. What somebody changed
//! in a view is taken into the memories first.

use oldhand_core::views::block::BlockPage;
use oldhand_core::views::{self, Page, View, ViewEdit};

use crate::context::Exchange;
use crate::prelude::*;
use crate::update::UpdateRequest;

pub(crate) const RENDER_AGAIN: &str = "take either side, then `oldhand render` rebuilds it";

#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rendered {
    pub pages: Vec<String>,
    pub imported: Vec<String>,
    pub notes: Vec<String>,
    /// Pages whose block somebody edited: they are as they were.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
}

impl Exchange<'_> {
    /// The views that the settings ask for.
    pub fn wanted_views(&self) -> Vec<View> {
        let on = self.settings.views;
        let wanted = [
            (View::Decisions, on.decisions),
            (View::Archive, on.archive),
            (View::Architecture, on.architecture),
        ];
        wanted.into_iter().filter(|(_, on)| *on).map(|(view, _)| view).collect()
    }

    /// Rebuilds the pages; edits in a view come first.
    pub fn render(&self, wanted: &[View], blocks: &[BlockPage]) -> Result<Rendered> {
        let mut rendered = Rendered::default();
        let mut seen = Vec::new();
        for view in wanted {
            seen.push((*view, self.import_view(*view, &mut rendered)?));
        }
        rendered.pages = self.vault.refresh()?;
        let memories = self.vault.scan()?.memories();
        for (view, seen) in seen {
            let text = views::render(view, &memories);
            if seen.as_deref() != Some(&text) {
                self.vault.write_page(view.file_name(), seen.as_deref(), &text)?;
                rendered.pages.push(view.file_name().to_owned());
            }
        }
        self.render_blocks(blocks, &mut rendered)?;
        Ok(rendered)
    }

    /// The page as it was read, with its edits taken in.
    fn import_view(&self, view: View, rendered: &mut Rendered) -> Result<Option<String>> {
        let Some(text) = self.vault.read_page(view.file_name())? else { return Ok(None) };
        match views::page_of(view, &text) {
            Page::Clean => return Ok(Some(text)),
            Page::Edited => {}
            Page::Conflict => {
                let message = format!("a merge conflict was left in `{}`", view.file_name());
                let text = "take either side, then {} rebuilds it";
                let hint = Hint::with_steps(text, [NextStep::Render]);
                return refuse(Code::Unreadable, message, hint);
            }
            Page::Foreign => {
                let message =
                    format!("`{}` is there and was not made by oldhand", view.file_name());
                let text = format!("rename it, or leave `views.{view}` off; {{}} takes records in");
                let hint = Hint::with_steps(text, [NextStep::Import]);
                return refuse(Code::Overwrite, message, hint);
            }
        }
        let memories = self.vault.scan()?.memories();
        let edits = views::read_edits(view, &text, &memories)?;
        self.take_edits(view.file_name(), edits, rendered)?;
        Ok(Some(text))
    }

    /// What somebody changed in a page becomes of the memories.
    pub(crate) fn take_edits(
        &self,
        page: &str,
        edits: Vec<ViewEdit>,
        rendered: &mut Rendered,
    ) -> Result<()> {
        for edit in edits {
            match edit {
                ViewEdit::Changed { id, draft } => {
                    self.take_edit(&id, &draft, "edited in a rendered view")?;
                    rendered.imported.push(id);
                }
                ViewEdit::New(draft) => {
                    let done = self.writing().create(&sourced(draft, page), Origin::External)?;
                    let id = done.answer.memory.id.to_string();
                    rendered.notes.push(format!(
                        "`{id}` was new in {page}: it is a candidate now, until somebody reviews it"
                    ));
                    rendered.imported.push(id);
                    rendered.notes.extend(done.pending.map(|p| p.settle()).unwrap_or_default());
                }
                ViewEdit::Removed { id } => rendered.notes.push(format!(
                    "`{id}` is not on {page} and still active; if it was taken out on purpose, \
                     `oldhand retire {id}` retires it"
                )),
            }
        }
        Ok(())
    }

    pub(crate) fn take_edit(&self, id: &str, draft: &Draft, summary: &str) -> Result<()> {
        let engine = Engine { by: "external", ..**self };
        let summary = Some(summary);
        let request =
            UpdateRequest { name: id, draft, grow: false, summary, kind: None, if_match: None };
        let done = engine.writing().update(&request)?;
        if let Some(pending) = done.pending {
            pending.settle();
        }
        Ok(())
    }
}

/// Where it was read is its evidence.
fn sourced(mut draft: Draft, page: &str) -> Draft {
    let list = Yaml::list(&[format!("file:{page}")]);
    draft.set("evidence", list.clone());
    draft.set("sources", list);
    draft
}
