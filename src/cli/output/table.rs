use console::{Alignment, measure_text_width, pad_str};

/// Returns a table. The titles of its columns may have several lines, which are aligned at the bottom.
pub fn table(
    columns: &[(impl AsRef<str>, Alignment)],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let titles = columns.iter().map(|(title, _)| title.as_ref().split('\n'));
    let titles: Vec<Vec<_>> = titles.map(|title| title.rev().collect()).collect();
    let height = titles.iter().map(Vec::len).max().unwrap_or_default();
    let part =
        |title: &Vec<&str>, line: usize| title.get(line).copied().unwrap_or_default().to_owned();
    let lines: Vec<Vec<_>> = (0..height)
        .rev()
        .map(|line| titles.iter().map(|title| part(title, line)).collect())
        .chain(rows)
        .collect();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|row| row.get(column));
        cells.map(|cell| measure_text_width(cell)).max()
    };
    let widths: Vec<_> = (0..columns.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(columns.iter().zip(&widths));
        let padded = cells.map(|(cell, ((_, alignment), width))| {
            pad_str(cell, width.unwrap_or(0), *alignment, None)
        });
        let line = padded.collect::<Vec<_>>().join("  ");
        format!("{}\n", line.trim_end())
    };
    lines.iter().map(line).collect()
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
