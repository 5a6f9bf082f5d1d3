//! What a memory hangs together with: what it superseded to the left, what superseded it to the
//! right, what it rests on above, what rests on it below. Conflicts are dashed. A neighbourhood of
//! two steps, never everything.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use maud::{Markup, html};

use crate::draw::{Tone, WIDTH, clipped, linked, px, shown, svg, text, text_mid};
use crate::{Cell, Picture, Table};

pub const STEPS_MAX: u8 = 2;
pub const NODES_MAX: usize = 60;

#[derive(Debug, Clone, Default)]
pub struct Node {
    pub id: String,
    pub title: String,
    pub href: String,
    pub state: String,
    pub tone: Tone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// `from` took the place of `to`.
    Supersedes,
    RestsOn,
    Conflicts,
    Related,
}

impl Relation {
    pub fn word(self) -> &'static str {
        match self {
            Self::Supersedes => "supersedes",
            Self::RestsOn => "rests on",
            Self::Conflicts => "conflicts with",
            Self::Related => "is related to",
        }
    }

    /// Where the far end stands: columns to the right, layers down.
    fn offset(self, is_outgoing: bool) -> (i8, i8) {
        match (self, is_outgoing) {
            (Self::Supersedes, true) => (-1, 0),
            (Self::Supersedes, false) => (1, 0),
            (Self::RestsOn, true) => (0, -1),
            (Self::RestsOn, false) | (Self::Conflicts | Self::Related, _) => (0, 1),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Link {
    pub from: String,
    pub to: String,
    pub relation: Relation,
}

#[derive(Debug, Clone, Default)]
pub struct Links {
    /// The memory in the middle.
    pub center: String,
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
    /// Neighbours that were left out before this.
    pub more: usize,
}

const BOX: f64 = 40.0;
const GAP: f64 = 14.0;
const LAYER: f64 = 36.0;

struct Placed<'l> {
    node: &'l Node,
    x: f64,
    y: f64,
}

struct Layout<'l> {
    placed: BTreeMap<&'l str, Placed<'l>>,
    width: f64,
    height: f64,
    more: usize,
}

pub fn links(links: &Links) -> Picture {
    let layout = lay_out(links);
    let title = |id: &str| {
        let node = links.nodes.iter().find(|it| it.id == id);
        node.map_or_else(|| Cell::new(id), |it| Cell::linked(&it.title, &it.href))
    };
    let mut table = Table::new(&["Memory", "Relation", "Memory"]);
    let row = |it: &Link| vec![title(&it.from), Cell::new(it.relation.word()), title(&it.to)];
    table.rows = links.links.iter().map(row).collect();
    Picture { narrow: None, svg: draw(links, &layout), table }
}

/// Column and layer of each node, step by step from the center; the nearest come first.
fn spots(links: &Links) -> Vec<(&str, i8, i8)> {
    let known: BTreeSet<&str> = links.nodes.iter().map(|it| it.id.as_str()).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::from([links.center.as_str()]);
    let mut spots = Vec::new();
    let mut queue = VecDeque::from([(links.center.as_str(), 0_i8, 0_i8, 0_u8)]);
    while let Some((id, column, layer, steps)) = queue.pop_front() {
        if known.contains(id) {
            spots.push((id, column, layer));
        }
        if steps == STEPS_MAX {
            continue;
        }
        for link in &links.links {
            let (far, is_outgoing) = match (link.from == id, link.to == id) {
                (true, false) => (link.to.as_str(), true),
                (false, true) => (link.from.as_str(), false),
                _ => continue,
            };
            if seen.insert(far) {
                let (right, down) = link.relation.offset(is_outgoing);
                queue.push_back((far, column + right, layer + down, steps + 1));
            }
        }
    }
    spots
}

fn lay_out(links: &Links) -> Layout<'_> {
    let mut spots = spots(links);
    let more = spots.len().saturating_sub(NODES_MAX) + links.more;
    spots.truncate(NODES_MAX);
    let columns: Vec<i8> =
        spots.iter().map(|it| it.1).collect::<BTreeSet<_>>().into_iter().collect();
    let mut stacks: BTreeMap<(i8, i8), Vec<&str>> = BTreeMap::new();
    spots
        .iter()
        .for_each(|(id, column, layer)| stacks.entry((*layer, *column)).or_default().push(id));
    let step = WIDTH / columns.len().max(1) as f64;
    let width = (step - 36.0).min(240.0);
    let mut placed = BTreeMap::new();
    let (mut top, mut layer, mut tallest) = (8.0, None, 0.0_f64);
    for ((at, column), ids) in stacks {
        if layer.is_some_and(|layer| layer != at) {
            top += tallest + LAYER;
            tallest = 0.0;
        }
        layer = Some(at);
        let right = columns.iter().position(|it| *it == column).unwrap_or(0) as f64;
        let x = right * step + (step - width) / 2.0;
        for (row, id) in ids.iter().enumerate() {
            let Some(node) = links.nodes.iter().find(|it| it.id == *id) else { continue };
            placed.insert(*id, Placed { node, x, y: top + row as f64 * (BOX + GAP) });
        }
        tallest = tallest.max(ids.len() as f64 * (BOX + GAP) - GAP);
    }
    let height = top + tallest + if more > 0 { 32.0 } else { 8.0 };
    Layout { placed, width, height, more }
}

fn draw(links: &Links, layout: &Layout<'_>) -> Markup {
    let label =
        format!("{} memories and {} links around this one", layout.placed.len(), links.links.len());
    let label = match layout.more {
        0 => label,
        more => format!("{label}, {more} more"),
    };
    let inner = html! {
        @for link in &links.links {
            @if let (Some(from), Some(to)) = (layout.placed.get(link.from.as_str()), layout.placed.get(link.to.as_str())) {
                (draw_link(link.relation, from, to, layout.width))
            }
        }
        @for (id, one) in &layout.placed { (draw_node(one, layout.width, *id == links.center)) }
        @if layout.more > 0 {
            (text_mid(WIDTH / 2.0, layout.height - 8.0, "c-muted", &format!("{} more", layout.more)))
        }
    };
    svg(WIDTH, layout.height, &label, inner)
}

fn draw_link(relation: Relation, from: &Placed<'_>, to: &Placed<'_>, width: f64) -> Markup {
    let (tone, dashes) = match relation {
        Relation::Supersedes => (Tone::Ink, "none"),
        Relation::RestsOn => (Tone::Link, "none"),
        Relation::Conflicts => (Tone::Bad, "6 4"),
        Relation::Related => (Tone::Muted, "2 3"),
    };
    let title =
        format!("{} {} {}", shown(&from.node.title), relation.word(), shown(&to.node.title));
    // Between the sides that face each other.
    let middle = |it: &Placed<'_>| (it.x + width / 2.0, it.y + BOX / 2.0);
    let ((ax, ay), (bx, by)) = (middle(from), middle(to));
    let half = width / 2.0;
    let is_level = (ax - bx).abs() > half * 2.0;
    let (x1, y1, x2, y2) = if is_level {
        let way = (bx - ax).signum();
        (ax + way * half, ay, bx - way * half, by)
    } else {
        let way = (by - ay).signum();
        (ax, ay + way * BOX / 2.0, bx, by - way * BOX / 2.0)
    };
    let path = match is_level {
        true => format!(
            "M{} {}C{m} {} {m} {} {} {}",
            px(x1),
            px(y1),
            px(y1),
            px(y2),
            px(x2),
            px(y2),
            m = px((x1 + x2) / 2.0)
        ),
        false => format!(
            "M{} {}C{} {m} {} {m} {} {}",
            px(x1),
            px(y1),
            px(x1),
            px(x2),
            px(x2),
            px(y2),
            m = px((y1 + y2) / 2.0)
        ),
    };
    html! {
        g class=(tone.class()) {
            title { (title) }
            path d=(path) fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray=(dashes) {}
            circle cx=(px(x2)) cy=(px(y2)) r="3" fill="currentColor" {}
        }
    }
}

fn draw_node(placed: &Placed<'_>, width: f64, is_center: bool) -> Markup {
    let Placed { node, x, y } = placed;
    let most = ((width - 16.0) / 6.6).max(4.0) as usize;
    let line = if is_center { "2" } else { "1" };
    linked(
        &node.href,
        html! {
            g class=(node.tone.class()) {
                title { (shown(&node.title)) " (" (shown(&node.state)) ")" }
                rect class="paper" x=(px(*x)) y=(px(*y)) width=(px(width)) height=(px(BOX)) rx="6"
                    stroke="currentColor" stroke-width=(line) {}
                (text(x + 8.0, y + 17.0, if is_center { "c-ink t-strong" } else { "c-ink" }, &clipped(&node.title, most)))
                (text(x + 8.0, y + 32.0, "t-small", &clipped(&node.state, most)))
            }
        },
    )
}
