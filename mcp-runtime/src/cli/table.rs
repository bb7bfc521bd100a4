//! Tables of text: aligned columns, cells of several lines, nothing wider than it needs to be.

/// How far apart columns stand.
const GAP: usize = 2;
/// The width at which a list inside of a cell goes on in the next line.
const WRAP: usize = 44;

/// A cell's lines.
pub(super) type Cell = Vec<String>;

/// A table with a line of headings. A column without any text is left out.
pub(super) struct Table<const N: usize> {
    headings: [&'static str; N],
    rows: Vec<[Cell; N]>,
}

impl<const N: usize> Table<N> {
    /// An empty table.
    pub(super) fn new(headings: [&'static str; N]) -> Self {
        Table { headings, rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: [Cell; N]) {
        self.rows.push(cells);
    }

    /// The table as text; nothing if it has no rows.
    pub(super) fn into_text(self) -> Option<String> {
        if self.rows.is_empty() {
            return None;
        }
        let widths: [Option<usize>; N] = std::array::from_fn(|column| self.width(column));
        let mut text = String::new();
        push_line(&mut text, &widths, |column| self.headings[column]);
        for row in &self.rows {
            let height = row.iter().map(Vec::len).max().unwrap_or_default().max(1);
            for line in 0..height {
                push_line(&mut text, &widths, |column| row[column].get(line).map_or("", String::as_str));
            }
        }
        Some(text)
    }

    /// A column's width; `None` if there is nothing in it.
    fn width(&self, column: usize) -> Option<usize> {
        let lines = self.rows.iter().flat_map(|row| &row[column]);
        let widest = lines.map(|line| line.chars().count()).max().filter(|width| *width > 0)?;
        Some(widest.max(self.headings[column].chars().count()))
    }
}

/// Adds one line, without spaces at its end.
fn push_line<'t, const N: usize>(text: &mut String, widths: &[Option<usize>; N], cell: impl Fn(usize) -> &'t str) {
    let mut line = String::new();
    let (mut start, mut length) = (0, 0);
    for (column, width) in widths.iter().enumerate() {
        let Some(width) = width else { continue };
        let cell = cell(column);
        if !cell.is_empty() {
            line.extend(std::iter::repeat_n(' ', start - length));
            line.push_str(cell);
            length = start + cell.chars().count();
        }
        start += width + GAP;
    }
    text.push_str(&line);
    text.push('\n');
}

/// A cell of one line: the first line of a text, without control characters.
pub(super) fn first_line(text: &str) -> Cell {
    let line = text.trim().lines().next().unwrap_or_default().trim_end();
    if line.is_empty() { Vec::new() } else { vec![printable(line)] }
}

/// A cell that lists items, some on each line.
pub(super) fn list(items: &[String]) -> Cell {
    let mut lines: Cell = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { "" };
        let item = format!("{}{comma}", printable(item));
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + item.chars().count() <= WRAP => {
                line.push(' ');
                line.push_str(&item);
            }
            _ => lines.push(item),
        }
    }
    lines
}

/// Control characters would break the table, or the terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_end_with_text() {
        let mut table = Table::new(["TOOL", "ARGUMENTS", "DESCRIPTION"]);
        table.row([first_line("add"), list(&["a: integer".into(), "b: integer".into()]), first_line("Adds.\n\nMore.")]);
        table.row([first_line("größer"), Vec::new(), first_line("Has\tno arguments.")]);
        table.row([first_line("x"), Vec::new(), Vec::new()]);
        let expected = "\
TOOL    ARGUMENTS               DESCRIPTION
add     a: integer, b: integer  Adds.
größer                          Has no arguments.
x
";
        assert_eq!(table.into_text().as_deref(), Some(expected));
    }

    #[test]
    fn long_lists_go_on_in_the_next_line() {
        let items: Vec<String> = (1..=6).map(|n| format!("argument_{n}: string")).collect();
        let mut table = Table::new(["TOOL", "ARGUMENTS", "DESCRIPTION"]);
        table.row([first_line("t"), list(&items), first_line("Does much.")]);
        let expected = "\
TOOL  ARGUMENTS                                DESCRIPTION
t     argument_1: string, argument_2: string,  Does much.
      argument_3: string, argument_4: string,
      argument_5: string, argument_6: string
";
        assert_eq!(table.into_text().as_deref(), Some(expected));
    }

    #[test]
    fn without_rows_there_is_no_table() {
        assert_eq!(Table::new(["A"]).into_text(), None);
    }

    #[test]
    fn empty_columns_are_left_out() {
        let mut table = Table::new(["A", "B", "C"]);
        table.row([first_line("1"), first_line(" \n"), first_line("3")]);
        assert_eq!(table.into_text().as_deref(), Some("A  C\n1  3\n"));
    }
}
