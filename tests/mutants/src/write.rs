//! Writes a file with its mutants behind switches.

use crate::find::{Change, Edit};

/// The first byte of a mutant, the byte after its last, and its number.
type Region = (usize, usize, usize);

pub fn written(text: &str, edits: &[Edit]) -> (String, Vec<Region>) {
    let mut writer = Writer {
        text,
        out: String::new(),
        regions: Vec::new(),
    };
    writer.copy(0..text.len(), edits);
    (writer.out, writer.regions)
}

fn on(number: usize) -> String {
    format!("crate::woven::on({number})")
}

struct Writer<'a> {
    text: &'a str,
    out: String,
    regions: Vec<Region>,
}

impl Writer<'_> {
    fn mutant(&mut self, number: usize, text: &str) {
        let start = self.out.len();
        self.out.push_str(text);
        self.regions.push((start, self.out.len(), number));
    }

    fn copy(&mut self, stretch: std::ops::Range<usize>, edits: &[Edit]) {
        let mut at = stretch.start;
        let mut rest = edits;
        while let [edit, others @ ..] = rest {
            let inner = others.iter().take_while(|other| is_in(other, edit)).count();
            let (inner, others) = others.split_at(inner);
            self.out.push_str(&self.text[at..edit.stretch.start]);
            self.edit(edit, inner);
            at = edit.stretch.end;
            rest = others;
        }
        self.out.push_str(&self.text[at..stretch.end]);
    }

    /// Writes one edit. Its whole text is a region of each of its mutants, any of which may be the cause of an error there.
    fn edit(&mut self, edit: &Edit, inner: &[Edit]) {
        let start = self.out.len();
        let stretch = edit.stretch.clone();
        let mut numbers = Vec::new();
        match &edit.change {
            Change::Operator { operator, mutants } => {
                let before = &self.text[stretch.start..operator.start];
                let after = &self.text[operator.end..stretch.end];
                self.out.push('(');
                for (number, replacement) in mutants {
                    self.out.push_str(&format!("if {} {{ ", on(*number)));
                    self.mutant(*number, &format!("{before}{replacement}{after}"));
                    self.out.push_str(" } else ");
                }
                self.out.push_str("{ ");
                self.copy(stretch, inner);
                self.out.push_str(" })");
                numbers.extend(mutants.iter().map(|(number, _)| *number));
            }
            Change::Return(mutants) => {
                for (number, value) in mutants {
                    self.out
                        .push_str(&format!(" if {} {{ return ", on(*number)));
                    self.mutant(*number, value);
                    self.out.push_str("; }");
                }
            }
            Change::NoArm(number) => self.mutant(*number, &format!(" if !{}", on(*number))),
            Change::Guard {
                no_arm,
                always,
                never,
            } => {
                let is_on = |number: &Option<usize>| number.map_or("false".to_owned(), on);
                self.out.push_str(&format!("!{} && ", is_on(no_arm)));
                self.out
                    .push_str(&format!("({} || (!{} && (", is_on(always), is_on(never)));
                self.copy(stretch, inner);
                self.out.push_str(")))");
                numbers.extend([no_arm, always, never].into_iter().flatten());
            }
        }
        let end = self.out.len();
        self.regions
            .extend(numbers.into_iter().map(|number| (start, end, number)));
    }
}

fn is_in(inner: &Edit, outer: &Edit) -> bool {
    inner.stretch.start < outer.stretch.end && inner.stretch.end <= outer.stretch.end
}
