use std::io::Write;

use super::super::answers;
use super::super::output::TableWriter;
use super::*;

const FORMATS: [TableFormat; 2] = [TableFormat::Parquet, TableFormat::Arrow];

fn table(format: TableFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    let columns = answers();
    let mut table = TableWriter::new(&mut bytes, format, &columns).unwrap();
    let rows = [r#"{"id":"a","moves":["U"]}"#, r#"{"board":7,"ok":true}"#];
    for row in rows {
        writeln!(table, "{row}").unwrap();
    }
    table.finish().unwrap();
    bytes
}

fn read(bytes: &[u8], format: TableFormat) -> io::Result<String> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.rewind()?;
    let mut text = String::new();
    TableReader::new(file, format)?.read_to_string(&mut text)?;
    Ok(text)
}

#[test]
fn a_damaged_table_is_an_error_or_another_table() {
    for format in FORMATS {
        let whole = table(format);
        let rows = read(&whole, format).unwrap();
        assert_eq!(rows.lines().count(), 2, "{rows}");
        let mut refused = 0;
        for at in (0..whole.len()).step_by(5) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x41;
            refused += usize::from(read(&damaged, format).is_err());
            assert!(read(&whole[..at], format).is_err(), "{format:?}, {at}");
        }
        assert!(refused > 20, "{format:?}: {refused}");
    }
}

/// A footer may declare a block larger than any machine's memory.
#[test]
fn no_memory_is_allocated_for_data_beyond_the_file() {
    let whole = table(TableFormat::Arrow);
    let footer_len = u32::from_le_bytes(whole[whole.len() - 10..][..4].try_into().unwrap());
    let footer_start = whole.len() - 10 - footer_len as usize;
    let footer = root_as_footer(&whole[footer_start..whole.len() - 10]).unwrap();
    let body = footer.recordBatches().unwrap().get(0).bodyLength();
    let at = footer_start..whole.len();
    let at = at
        .rev()
        .find(|&at| whole[at..].starts_with(&body.to_le_bytes()));
    for length in [1 << 33, i64::MAX, -1] {
        let mut damaged = whole.clone();
        damaged[at.unwrap()..][..8].copy_from_slice(&i64::to_le_bytes(length));
        let taken = getaway_testing::measure(|| {
            let error = read(&damaged, TableFormat::Arrow).unwrap_err().to_string();
            assert!(error.contains("outside the file"), "{error}");
        });
        assert!(taken.bytes_max < 1 << 20, "{}", taken.bytes_max);
    }
}

#[test]
fn fuzzer_inputs_are_read_or_refused_in_little_memory() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/tables");
    let files = std::fs::read_dir(folder).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 6);
    let all = files
        .iter()
        .flat_map(|file| FORMATS.map(|format| (file, format)));
    let read = |(file, format)| {
        let bytes = std::fs::read(file).unwrap();
        let mut is_table = false;
        let taken = getaway_testing::measure(|| is_table = read(&bytes, format).is_ok());
        assert!(taken.bytes_max < 1 << 20, "{file:?}: {}", taken.bytes_max);
        is_table
    };
    assert_eq!(all.filter(|&one| read(one)).count(), 4);
}

#[test]
fn rows_without_columns_are_refused() {
    let schema = std::sync::Arc::new(arrow_schema::Schema::empty());
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(usize::MAX >> 1));
    let batch = RecordBatch::try_new_with_options(schema, Vec::new(), &options).unwrap();
    let error = write_rows(&batch, &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "the table has no columns");
}

#[test]
fn a_panic_of_the_library_reports_a_damaged_table() {
    let panics = || -> io::Result<()> { panic!("range end index 7 out of range") };
    let error = catch_damage(panics).unwrap_err().to_string();
    assert_eq!(error, "the table is damaged");
    assert_eq!(catch_damage(|| 7).unwrap(), 7);
}
