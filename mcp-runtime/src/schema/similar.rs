//! "Did you mean": the known name that a mistyped one most likely stands for.

/// Names longer than this are not compared.
const LONGEST: usize = 64;

/// The one of `known` that is closest to `name`, if any is close enough to be what was meant.
///
/// Case, `_` and `-` do not count: `fileName` finds `file_name`. Beyond that a third of the
/// characters may differ, one at least and three at most. The first of equally close ones wins.
pub(crate) fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(name)?;
    let limit = (wanted.len() / 3).clamp(1, 3);
    known
        .into_iter()
        .filter_map(|candidate| Some((distance(&wanted, &plain(candidate)?), candidate)))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn plain(name: &str) -> Option<Vec<char>> {
    let plain: Vec<char> = name
        .chars()
        .take(LONGEST + 1)
        .filter(|character| !matches!(character, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect();
    (plain.len() <= LONGEST).then_some(plain)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before = vec![0; to.len() + 1];
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (row, left) in from.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, right) in to.iter().enumerate() {
            let replaced = above[column] + usize::from(left != right);
            let mut cost = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *left == to[column - 1] && from[row - 1] == *right {
                cost = cost.min(before[column - 1] + 1);
            }
            current.push(cost);
        }
        before = above;
        above = current;
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_what_was_meant() {
        for (typed, meant) in [
            ("txet", Some("text")),
            ("tex", Some("text")),
            ("Text", Some("text")),
            ("fileName", Some("file_name")),
            ("limits", Some("limit")),
            ("colour", None),
            ("x", None),
            ("", None),
        ] {
            let known = ["text", "file_name", "limit", "q"];
            assert_eq!(closest(typed, known), meant, "{typed:?}");
        }
    }

    #[test]
    fn a_single_letter_stands_for_no_other() {
        assert_eq!(closest("a", ["b", "c"]), None);
        assert_eq!(closest("B", ["b", "c"]), Some("b"));
    }

    #[test]
    fn a_huge_name_is_not_compared() {
        assert_eq!(closest(&"text".repeat(300_000), ["text"]), None);
    }

    #[test]
    fn the_first_of_equally_close_names_wins() {
        assert_eq!(closest("cat", ["bat", "car"]), Some("bat"));
    }
}
