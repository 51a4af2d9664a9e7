use super::*;

#[test]
fn each_of_a_few_whole_numbers_has_a_bar() {
    let values = [Some(2.0), Some(4.0), Some(2.0), None];
    let bar = "#".repeat(50);
    let half = "#".repeat(25);
    assert_eq!(
        text("length", &values),
        format!(
            "length  boards\n     2       2  {bar}\n     3       0\n     4       1  {half}\n1 board without length\n"
        )
    );
}

#[test]
fn many_values_and_fractions_are_gathered_in_ranges() {
    let values: Vec<_> = (0..1000).map(|number| Some(f64::from(number))).collect();
    let drawn = text("states", &values);
    assert_eq!(drawn.lines().count(), 1 + 20);
    assert!(
        drawn.lines().nth(1).unwrap().contains("0..49      50"),
        "{drawn}"
    );
    assert!(drawn.lines().all(|line| line.len() <= 80));
    let drawn = text("random", &[Some(0.0), Some(0.25), Some(1.0)]);
    assert_eq!(drawn.lines().count(), 1 + 11, "tenths");
    assert!(drawn.contains("0.2..0.3       1"), "{drawn}");
    assert_eq!(text("random", &[]), "");
}
