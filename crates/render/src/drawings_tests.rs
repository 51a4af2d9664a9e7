use super::*;
use crate::markup::shapes;

#[test]
fn drawings_are_read_and_written_alike() {
    let lines = SOURCE.lines().filter(|line| line.starts_with("<path"));
    let written: Vec<String> = lines
        .clone()
        .map(|line| shapes(&[shape(line, path(attribute(line, "d").unwrap()))]))
        .collect();
    assert!(lines.eq(written));
}
