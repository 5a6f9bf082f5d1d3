//! `oldhand plugin`: the files of a plugin, in a folder.

use oldhand_app::wire::setup::WrittenPlugin;
use oldhand_hosts::plugin::{Bundle, bundle};
use oldhand_store::failure::StoreError;
use oldhand_text::strings::counted;

use crate::cli::{PluginArgs, PluginKind};
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::{DONE, Fail, Outcome};
use oldhand_desk::printer::Io;

pub(super) fn run(args: &PluginArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let kind = match args.kind {
        PluginKind::ClaudeCode => Bundle::ClaudeCode,
        PluginKind::AgentPlugin => Bundle::AgentPlugin,
        PluginKind::Gemini => Bundle::Gemini,
        PluginKind::Codex => Bundle::Codex,
    };
    let folder = desk.current_dir().join(&args.out);
    if std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
        let message = format!("`{}` is not empty", folder.display());
        return Err(Fail::usage(message, "name a folder that is empty or new"));
    }
    let files = bundle(kind, env!("CARGO_PKG_VERSION"), args.with_mcp);
    for (below, text) in &files {
        let path = folder.join(below);
        let failed = |error| StoreError::io("write", &path, error);
        if let Some(above) = path.parent() {
            std::fs::create_dir_all(above).map_err(failed)?;
        }
        desk.env.disk.create(&path, text.as_bytes()).map_err(failed)?;
    }
    let shown = folder.display().to_string();
    let paths = files.iter().map(|(path, _)| path.as_str()).collect();
    io.answer(desk.flags.json, "plugin", WrittenPlugin::of(&shown, paths), || {
        format!("wrote {} into {shown}\n", counted(files.len(), "file", "files"))
    })?;
    Ok(DONE)
}
