//! `oldhand index`: the registry in a few tokens each.

use oldhand_app::list::Filter;
use oldhand_app::registry::Registry;
use oldhand_store::port::index::Index;
use wire::list::RegistryPage;

use super::list::filter;
use super::prelude::*;
use crate::cli::IndexArgs;

pub(super) fn run(args: &IndexArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let (level, path) = (args.level.clone(), args.path.clone());
        let filter = Filter { level, path, ..filter(&args.filter, reading.engine)? };
        let engine = reading.engine;
        let registry = engine.registry(reading.index, &filter, args.long, args.budget)?;
        desk.print(io, "index", &RegistryPage::of(&registry), || text(&registry))?;
        reading.index.notes().iter().for_each(|note| io.note("note", note));
        Ok(DONE)
    })
}

fn text(registry: &Registry) -> String {
    let Registry { text, shown, total, tokens } = registry;
    if *total == 0 {
        return "no memories match\n".to_owned();
    }
    let mut part = counted(*total, "memory", "memories");
    if shown.len() < *total {
        part = format!("{} of {part} shown: filter, or `--budget 0` for all", shown.len());
    }
    format!("{text}\n{part}, {tokens} tokens\n")
}
