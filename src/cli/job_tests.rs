use super::*;

#[test]
fn every_board_is_in_one_part_wherever_its_folder_is() {
    let parts: Vec<Partition> = (1..=7)
        .map(|part| format!("{part}/7").parse().unwrap())
        .collect();
    let mut sizes = [0; 7];
    for line in 0..7000 {
        let own: Vec<_> = (0..7)
            .filter(|&part| parts[part].has("a/x.txt", line))
            .collect();
        let [part] = own[..] else {
            panic!("line {line}: {own:?}")
        };
        assert!(parts[part].has("elsewhere/x.txt", line));
        sizes[part] += 1;
    }
    assert!(
        sizes.iter().all(|size| (850..1150).contains(size)),
        "{sizes:?}"
    );
}
