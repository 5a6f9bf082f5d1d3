//! Tables of what goes in and what comes out.

use proptest::prelude::*;

use super::*;

fn folder(name: &str, files: u64, children: Vec<Folder>) -> Folder {
    Folder { name: name.to_owned(), files, children, ..Folder::default() }
}

fn overlaps(a: &Rect, b: &Rect) -> bool {
    let apart = 1e-6;
    a.x + apart < b.x + b.width
        && b.x + apart < a.x + a.width
        && a.y + apart < b.y + b.height
        && b.y + apart < a.y + a.height
}

proptest! {
    #[test]
    fn cells_of_a_level_never_overlap_and_stay_inside(
        sizes in prop::collection::vec(prop::collection::vec(0_u64..100_000, 0..20), 1..20)
    ) {
        let folders: Vec<Folder> = sizes
            .iter()
            .enumerate()
            .map(|(at, inner)| {
                let children = inner.iter().enumerate();
                let children = children.map(|(at, files)| folder(&at.to_string(), *files, vec![]));
                folder(&at.to_string(), inner.iter().sum(), children.collect())
            })
            .collect();
        let placed = place(&folders);
        let top: Vec<&Placed<'_>> =
            placed.iter().filter(|it| folders.iter().any(|f| std::ptr::eq(f, it.folder))).collect();
        for (at, one) in top.iter().enumerate() {
            prop_assert!(top[at + 1..].iter().all(|other| !overlaps(&one.rect, &other.rect)));
            let inner: Vec<&Placed<'_>> = placed
                .iter()
                .filter(|it| one.folder.children.iter().any(|f| std::ptr::eq(f, it.folder)))
                .collect();
            for (at, child) in inner.iter().enumerate() {
                prop_assert!(inner[at + 1..].iter().all(|it| !overlaps(&child.rect, &it.rect)));
                let (outer, rect) = (&one.rect, &child.rect);
                prop_assert!(rect.x >= outer.x && rect.y >= outer.y);
                prop_assert!(rect.x + rect.width <= outer.x + outer.width + 1e-6);
                prop_assert!(rect.y + rect.height <= outer.y + outer.height + 1e-6);
            }
        }
        for one in &placed {
            prop_assert!(one.rect.x >= 0.0 && one.rect.x + one.rect.width <= WIDTH + 1e-6);
            prop_assert!(one.rect.y >= 0.0 && one.rect.y + one.rect.height <= HEIGHT + 1e-6);
        }
    }
}

#[test]
fn the_area_is_the_share_of_files() {
    let folders = [folder("a", 3, vec![]), folder("b", 1, vec![])];
    let placed = place(&folders);
    let area = |at: usize| placed[at].rect.width * placed[at].rect.height;
    assert!((area(0) / area(1) - 3.0).abs() < 1e-9);
}

#[test]
fn no_more_cells_than_allowed() {
    let many = |count: usize| (0..count).map(|at| folder(&at.to_string(), 1, vec![])).collect();
    let folders: Vec<Folder> = vec![folder("a", 3_000, many(3_000)), folder("b", 9, many(9))];
    assert_eq!(place(&folders).len(), CELLS_MAX);
}
