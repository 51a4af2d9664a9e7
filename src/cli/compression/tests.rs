use super::*;

fn compressed(name: &str, text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = CompressedWriter::new(&mut out, Path::new(name));
    writer.write_all(text).unwrap();
    writer.finish().unwrap();
    out
}

fn plain(name: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    super::plain(bytes, Path::new(name), 1 << 27)
        .and_then(|mut input| input.read_to_end(&mut text))
        .map_err(|error| error.to_string())?;
    Ok(text)
}

fn text(len: u32) -> Vec<u8> {
    let line = |number: u32| format!("{} {}\n", number, number.wrapping_mul(2_654_435_761));
    (0..len / 12)
        .flat_map(|number| line(number).into_bytes())
        .collect()
}

#[test]
fn compressed_text_is_read_back() {
    // The largest length exceeds both a buffer and a block.
    for len in [0, 1 << 10, (1 << 19) + 1] {
        let text = text(len);
        for name in ["a.txt", "a.txt.gz", "a.txt.ZST"] {
            let bytes = compressed(name, &text);
            assert_eq!(plain(name, &bytes).unwrap(), text, "{name} {len}");
            // A pipe has no name, so only the first bytes tell the format.
            assert_eq!(plain("-", &bytes).unwrap(), text, "{name} {len}");
        }
    }
    let rows = b"#..#\n".repeat(1 << 10);
    assert!(compressed("a.gz", &rows).len() < 1 << 9);
    assert!(compressed("a.zst", &rows).len() < 1 << 9);
}

#[test]
fn one_after_the_other_is_one_text() {
    for name in ["a.gz", "a.zst"] {
        let both = [compressed(name, b"one\n"), compressed(name, b"two\n")].concat();
        assert_eq!(plain(name, &both).unwrap(), b"one\ntwo\n");
    }
    // A skippable frame of three bytes (RFC 8878, 3.1.2) comes before the data.
    let zstd = compressed("a.zst", b"one\n");
    let skipped = [
        &zstd[..],
        &[0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3],
        &zstd,
    ]
    .concat();
    assert_eq!(plain("a.zst", &skipped).unwrap(), b"one\none\n");
}

#[test]
fn truncated_and_damaged_streams_are_reported() {
    for (name, way) in [("a.gz", "gzip"), ("a.zst", "zstd")] {
        let bytes = compressed(name, &text(1 << 10));
        for len in [bytes.len() - 1, bytes.len() / 2, 5] {
            let cut = format!("the {way} data is cut short");
            assert_eq!(plain(name, &bytes[..len]), Err(cut), "{len}");
        }
        let damaged: usize = (8..bytes.len())
            .filter(|&at| {
                let mut bytes = bytes.clone();
                bytes[at] ^= 0x55;
                let read = plain(name, &bytes);
                assert!(read != Ok(text(1 << 10)) || at < 12, "{name}: byte {at}");
                read == Err(format!("the {way} data is damaged"))
            })
            .count();
        assert!(damaged > bytes.len() / 2, "{name}: {damaged}");
    }
}

#[test]
fn a_misleading_file_extension_is_an_error() {
    let no = "this is not gzip data, though its name ends in `.gz`";
    assert_eq!(plain("a.gz", b"o\n"), Err(no.into()));
    assert_eq!(plain("a.gz", b""), Err(no.into()));
    assert_eq!(plain("a.txt", b"\x1f").unwrap(), b"\x1f");
    assert_eq!(plain_name(Path::new("b/a.jsonl.gz")), Path::new("a.jsonl"));
    assert_eq!(plain_name(Path::new("b/a.jsonl")), Path::new("b/a.jsonl"));
}

/// The frame has a window of 1 GiB: magic, no checksum or size, and window exponent 20.
#[test]
fn a_window_is_no_larger_than_the_memory() {
    let frame = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 20 << 3, 1, 0, 0];
    let told = plain("-", &frame).unwrap_err();
    assert!(told.contains("raise `--max-memory`"), "{told}");
}

/// As `gzip -t` does: zero bytes are padding, anything else is garbage.
#[test]
fn data_after_the_end_is_padding_or_garbage() {
    let zeros = vec![0; 100_000];
    for (name, way) in [("a.gz", "gzip"), ("a.zst", "zstd")] {
        let whole = compressed(name, b"one\n");
        let with = |rest: &[u8]| plain(name, &[&whole[..], rest].concat());
        let trailing_data = Err(format!(
            "other bytes follow the end of the {way} data; remove them"
        ));
        for rest in [&b"x"[..], b"junk", b"junk, and more of it", b"\0\0x"] {
            assert_eq!(with(rest), trailing_data, "{way} {rest:?}");
        }
        for rest in [&zeros[..1], &zeros[..]] {
            let read = with(rest);
            assert_eq!(
                read,
                if way == "gzip" {
                    Ok(b"one\n".to_vec())
                } else {
                    trailing_data.clone()
                }
            );
        }
        assert_eq!(with(&[&zeros, &whole[..]].concat()), trailing_data);
        let cut = Err(format!("the {way} data is cut short"));
        assert_eq!(with(&whole[..whole.len() - 1]), cut);
    }
}
