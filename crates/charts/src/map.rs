//! A map of folders: nested rectangles, whose area is the number of files, whose fill is the worst
//! verdict of their memories, and whose number is how many memories there are. Hatched where there
//! are files and no memory.

mod squarify;

use maud::{Markup, html};

use self::squarify::{Rect, squarify};
use crate::draw::{Tone, WIDTH, clipped, hatch, linked, px, shown, svg, text};
use crate::{Cell, Picture, Table};

pub const CELLS_MAX: usize = 250;

#[derive(Debug, Clone, Default)]
pub struct Folder {
    pub name: String,
    /// One level down.
    pub href: String,
    pub files: u64,
    pub memories: u64,
    /// What its worst memory is, in colour and in a word.
    pub worst: Option<(Tone, String)>,
    pub children: Vec<Folder>,
}

const HEIGHT: f64 = 420.0;
const HEAD: f64 = 20.0;
const PADDING: f64 = 3.0;

struct Placed<'f> {
    folder: &'f Folder,
    rect: Rect,
    /// The strip for its name, if folders stand below it.
    is_parent: bool,
}

pub fn map(folders: &[Folder]) -> Picture {
    let mut table = Table::new(&["Folder", "Files", "Memories", "Worst verdict"]);
    let mut rows: Vec<&Folder> = folders.iter().collect();
    rows.sort_by_key(|it| (std::cmp::Reverse(it.files), it.name.clone()));
    rows.truncate(CELLS_MAX);
    table.rows = rows.into_iter().map(row).collect();
    Picture { narrow: None, svg: draw(folders), table }
}

fn row(folder: &Folder) -> Vec<Cell> {
    vec![
        Cell::linked(&folder.name, &folder.href),
        Cell::new(folder.files),
        Cell::linked(folder.memories, &folder.href),
        Cell::new(verdict(folder)),
    ]
}

fn verdict(folder: &Folder) -> &str {
    match &folder.worst {
        Some((_, word)) => word,
        None if folder.memories == 0 => "no memory",
        None => "not checked",
    }
}

fn place(folders: &[Folder]) -> Vec<Placed<'_>> {
    let mut placed = Vec::new();
    let whole = Rect { x: 0.0, y: 0.0, width: WIDTH, height: HEIGHT };
    let mut room = CELLS_MAX;
    for (folder, rect) in place_in(folders, whole, &mut room) {
        let inside = rect.inside(PADDING, HEAD);
        let is_parent = folder.children.len() > 1 && inside.width > 24.0 && inside.height > 24.0;
        placed.push(Placed { folder, rect, is_parent });
        if is_parent {
            let children = place_in(&folder.children, inside, &mut room);
            let child = |(folder, rect)| Placed { folder, rect, is_parent: false };
            placed.extend(children.into_iter().map(child));
        }
    }
    placed
}

/// The largest come first; what has no files, or no room any more, is in the table only.
fn place_in<'f>(folders: &'f [Folder], rect: Rect, room: &mut usize) -> Vec<(&'f Folder, Rect)> {
    let mut sorted: Vec<&Folder> = folders.iter().filter(|it| it.files > 0).collect();
    sorted.sort_by_key(|it| (std::cmp::Reverse(it.files), it.name.clone()));
    sorted.truncate(*room);
    *room -= sorted.len();
    let sizes: Vec<f64> = sorted.iter().map(|it| it.files as f64).collect();
    sorted.into_iter().zip(squarify(&sizes, rect)).collect()
}

fn draw(folders: &[Folder]) -> Markup {
    let placed = place(folders);
    let sum =
        |of: fn(&Folder) -> u64| folders.iter().fold(0_u64, |sum, it| sum.saturating_add(of(it)));
    let bare = folders.iter().filter(|it| it.memories == 0).count();
    let label = format!(
        "Map of {} folders with {} files and {} memories; {bare} folders have no memory",
        folders.len(),
        sum(|it| it.files),
        sum(|it| it.memories),
    );
    let inner = html! { @for one in &placed { (linked(&one.folder.href, cell(one))) } };
    svg(WIDTH, HEIGHT, &label, inner)
}

fn cell(placed: &Placed<'_>) -> Markup {
    let Placed { folder, rect, is_parent } = placed;
    let tone = folder.worst.as_ref().map_or(Tone::Muted, |worst| worst.0);
    let is_bare = folder.memories == 0;
    let opacity = match (is_parent, is_bare) {
        (true, _) => "0.06",
        (false, true) => "0.04",
        (false, false) => "0.22",
    };
    let title = format!(
        "{}: {} files, {} memories, {}",
        shown(&folder.name),
        folder.files,
        folder.memories,
        shown(verdict(folder)),
    );
    // Half a pixel inside, so that lines of neighbours don't lie on each other.
    let (side, above) = (rect.width.min(1.0) / 2.0, rect.height.min(1.0) / 2.0);
    let (x, y) = (rect.x + side, rect.y + above);
    let (width, height) = (rect.width - 2.0 * side, rect.height - 2.0 * above);
    html! {
        g class=(tone.class()) {
            title { (title) }
            rect x=(px(x)) y=(px(y)) width=(px(width)) height=(px(height)) fill="currentColor"
                fill-opacity=(opacity) stroke="currentColor" stroke-opacity="0.6" {}
            @if is_bare && !is_parent {
                path d=(hatch(x, y, width, height, 8.0)) stroke="currentColor" stroke-opacity="0.3" fill="none" {}
            }
            (words(placed))
        }
    }
}

/// The name, and below it the count and the verdict, as far as there is room.
fn words(placed: &Placed<'_>) -> Markup {
    let Placed { folder, rect, is_parent } = placed;
    let most = ((rect.width - 12.0) / 6.8).max(0.0) as usize;
    if most < 4 || rect.height < 20.0 {
        return html! {};
    }
    let second = match folder.memories {
        0 => "no memory".to_owned(),
        count => format!("{count} {}", verdict(folder)),
    };
    // A name keeps its end free for the numbers, where both share the strip.
    let name = clipped(&folder.name, if *is_parent { most / 2 } else { most });
    let name_width = name.chars().count() as f64 * 6.8 + 14.0;
    let (x, y, left) = match is_parent {
        true => (rect.x + name_width, rect.y + 15.0, most.saturating_sub(most / 2 + 2)),
        false => (rect.x + 6.0, rect.y + 31.0, most),
    };
    html! {
        (text(rect.x + 6.0, rect.y + 15.0, "c-ink", &name))
        @if left >= 8 && (*is_parent || rect.height >= 38.0) {
            (text(x, y, "t-small", &clipped(&second, left)))
        }
    }
}

#[cfg(test)]
mod tests;
