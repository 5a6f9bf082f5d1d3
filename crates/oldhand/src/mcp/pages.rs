//! Lists by page. A cursor names the last id that was told, so that it holds whatever is written or
//! removed in between: nothing is told twice, and nothing that was there all the time is left out.

use oldhand_text::problem::Problem;

const PREFIX: &str = "after.";

pub(super) struct Part<'i, T> {
    pub items: &'i [T],
    pub next: Option<String>,
}

/// The items after the cursor, in the order of their ids, as long as `take` says yes.
pub(super) fn page<'i, T>(
    sorted: &'i [T],
    cursor: Option<&str>,
    id: impl Fn(&T) -> &str,
    mut take: impl FnMut(&T) -> bool,
) -> Result<Part<'i, T>, Problem> {
    let after = cursor.map(read_cursor).transpose()?;
    let first = after.map_or(0, |after| sorted.partition_point(|one| id(one) <= after));
    let rest = &sorted[first..];
    let mut count = rest.iter().take_while(|one| take(one)).count();
    // Two stores may have the same id: a page does not end between the two.
    while count > 0 && rest.get(count).is_some_and(|next| id(next) == id(&rest[count - 1])) {
        count += 1;
    }
    let items = &rest[..count];
    let has_more = count < rest.len();
    let next = items.last().filter(|_| has_more).map(|last| format!("{PREFIX}{}", id(last)));
    Ok(Part { items, next })
}

fn read_cursor(cursor: &str) -> Result<&str, Problem> {
    cursor.strip_prefix(PREFIX).filter(|id| !id.is_empty()).ok_or_else(|| {
        Problem::new("cursor", "the cursor that an earlier page ended with", cursor)
            .with_fix("leave `cursor` out to begin with the first page")
    })
}

#[cfg(test)]
mod tests {
    use super::page;

    fn walk(mut list: Vec<String>, change: impl Fn(usize, &mut Vec<String>)) -> Vec<String> {
        let (mut told, mut cursor, mut round) = (Vec::new(), None, 0);
        loop {
            let mut left = 2;
            let part = page(&list, cursor.as_deref(), String::as_str, |_| {
                left -= 1;
                left >= 0
            })
            .expect("a page");
            told.extend(part.items.iter().cloned());
            cursor = part.next;
            if cursor.is_none() {
                return told;
            }
            change(round, &mut list);
            list.sort();
            round += 1;
        }
    }

    fn letters(text: &str) -> Vec<String> {
        text.chars().map(String::from).collect()
    }

    #[test]
    fn pages_join_to_the_whole_list() {
        assert_eq!(walk(letters("abcde"), |_, _| ()), letters("abcde"));
        assert!(walk(Vec::new(), |_, _| ()).is_empty());
    }

    #[test]
    fn a_cursor_survives_what_is_written_and_removed() {
        // The very item that the cursor names goes away, and others come before and after it.
        let told = walk(letters("bdfh"), |round, list| {
            if round == 0 {
                list.retain(|it| it != "d");
                list.extend(letters("aeg"));
            }
        });
        assert_eq!(told, letters("bdefgh"));
    }

    #[test]
    fn a_cursor_of_others_is_refused() {
        let list = letters("ab");
        assert!(page(&list, Some("7"), String::as_str, |_| true).is_err());
        assert!(page(&list, Some("after."), String::as_str, |_| true).is_err());
    }
}
