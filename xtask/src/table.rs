//! Plain text tables for the ends of long tasks.

/// Lays rows out in columns as wide as their widest line; a cell may hold several lines. The first row is the heading.
pub(crate) fn render(rows: &[Vec<String>]) -> String {
    let widths = widths(rows);
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        push_row(&mut text, row, &widths);
        if index == 0 {
            let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            push_row(&mut text, &rules, &widths);
        }
    }
    text
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.flat_map(|cell| cell.lines()).map(|line| line.chars().count()).max().unwrap_or(0)
    };
    (0..columns).map(width).collect()
}

fn push_row(text: &mut String, row: &[String], widths: &[usize]) {
    let height = row.iter().map(|cell| cell.lines().count()).max().unwrap_or(0);
    for line in 0..height {
        let mut printed = String::new();
        for (cell, width) in row.iter().zip(widths) {
            let part = cell.lines().nth(line).unwrap_or("");
            printed.push_str(&format!("{part:<width$}  "));
        }
        text.push_str(printed.trim_end());
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::render;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_line() {
        let text = render(&[row(&["set", "failing"]), row(&["first", "one\nthree"]), row(&["b", ""])]);
        assert_eq!(text, "set    failing\n-----  -------\nfirst  one\n       three\nb\n");
    }
}
