use console::measure_text_width;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

/// A table whose column titles may have several lines.
#[derive(Debug)]
pub struct Table {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(columns: &[(impl AsRef<str>, Side)]) -> Self {
        let titles: Vec<Vec<&str>> = columns
            .iter()
            .map(|(title, _)| title.as_ref().split('\n').collect())
            .collect();
        let lines = titles.iter().map(Vec::len).max().unwrap_or_default();
        // Titles are aligned at the bottom.
        let line = |line: usize| {
            let part = |title: &Vec<&str>| {
                let skipped = lines - title.len();
                line.checked_sub(skipped)
                    .map_or_else(String::new, |at| title[at].to_owned())
            };
            titles.iter().map(part).collect()
        };
        Self {
            sides: columns.iter().map(|(_, side)| *side).collect(),
            rows: (0..lines).map(line).collect(),
        }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn text(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells
                .map(|cell| measure_text_width(cell))
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<_> = (0..self.sides.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(self.sides.iter().zip(&widths));
            let padded = cells.map(|(cell, (side, width))| {
                let pad = " ".repeat(width - measure_text_width(cell));
                match side {
                    Side::Left => format!("{cell}{pad}"),
                    Side::Right => format!("{pad}{cell}"),
                }
            });
            let line = padded.collect::<Vec<_>>().join("  ");
            format!("{}\n", line.trim_end())
        };
        self.rows.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests;
