//! Code: the map of folders, and the memories of one.

use oldhand_app::map::{CodeMap, MapFolder};
use oldhand_charts::map::Folder;
use oldhand_core::fresh::Verdict;
use oldhand_ui::house::code::{Code, CodeMemory, CodePage};
use oldhand_ui::house::{Answer, Named};
use oldhand_ui::parts::code_path;

use super::house::Household;
use super::values::{json_text, tone_of_verdict};

const MEMORIES_SHOWN: usize = 30;

impl Household {
    fn map(&self, path: &str) -> Answer<CodeMap> {
        self.at_desk(|desk| {
            let cards = self.cards(desk)?;
            // Git is asked for hundreds of files, so it counts for a minute.
            let key = format!("{} {} {path}", desk.now.as_second() / 60, cards.mark());
            let map = || desk.work(|engine| Ok(engine.memories().map(&cards.all, path)?));
            Ok(CodeMap::clone(&*self.worked_out("code", desk, &key, map)?))
        })
    }
}

impl CodePage for Household {
    fn code(&self, path: &str) -> Answer<Code> {
        let map = self.map(path)?;
        let memories = map.memories.iter().take(MEMORIES_SHOWN).map(|it| CodeMemory {
            memory: Named { id: it.id.clone(), title: it.title.clone() },
            kind: it.kind.clone(),
            state: it.state.as_str().to_owned(),
            verdict: it.verdict.map_or("not checked", |it| it.as_str()).to_owned(),
            tone: it.verdict.map_or("c-muted", |it| tone_of_verdict(it).class()),
            reasons: it.reasons.clone(),
            paths: it.paths.clone(),
            hash: it.hash.clone(),
            asks: it.verdict.is_some_and(|it| it > Verdict::Fresh),
        });
        Ok(Code {
            memories: memories.collect(),
            total: map.memories.len() + map.unchecked,
            path: map.path,
            files: map.files,
            folders: map.folders.iter().map(folder).collect(),
            unchecked: map.unchecked,
            notes: map.notes,
        })
    }

    fn code_json(&self, path: &str) -> Answer<String> {
        let map = self.map(path)?;
        self.at_desk(|_| json_text("map", &map))
    }
}

fn folder(folder: &MapFolder) -> Folder {
    Folder {
        name: folder.name.clone(),
        href: code_path(&folder.path),
        files: folder.files as u64,
        memories: folder.memories as u64,
        worst: folder.worst.map(|it| (tone_of_verdict(it), it.as_str().to_owned())),
        children: folder.folders.iter().map(self::folder).collect(),
    }
}
