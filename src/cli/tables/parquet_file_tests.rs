use std::io::{Seek, Write};

use super::*;

#[test]
fn nothing_is_read_beyond_the_end() {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(b"0123456789").unwrap();
    file.rewind().unwrap();
    let file = ParquetFile(file);
    assert_eq!(Length::len(&file), 10);
    assert_eq!(file.get_bytes(7, 3).unwrap(), b"789"[..]);
    for (start, length) in [(7, 4), (11, 0), (0, usize::MAX), (u64::MAX, 1)] {
        assert!(file.get_bytes(start, length).is_err(), "{start}, {length}");
    }
    let mut rest = Vec::new();
    let error = file.get_read(4).unwrap().read_to_end(&mut rest);
    assert_eq!(error.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    assert_eq!(rest, b"456789");
    let mut whole = [0; 6];
    file.get_read(4).unwrap().read_exact(&mut whole).unwrap();
}
