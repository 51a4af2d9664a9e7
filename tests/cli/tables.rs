//! Apache Parquet and Arrow IPC files.

use crate::run::Run;

#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_tables_says_how_to_get_them() {
    let how = "this program was built without table support; rebuild it with `cargo build --release --features parquet`";
    Run::new(&["solve", "a.parquet"])
        .file("a.parquet", "PAR1")
        .stderr(format!("error: a.parquet: {how}\n\n"))
        .status(2)
        .check();
    for command in [
        ["check", "a.txt", "--output", "b.parquet"],
        ["convert", "a.txt", "--to=arrow", "b"],
    ] {
        let mut run = Run::new(&command).file("a.txt", "o\n");
        let told = run.output();
        assert_eq!(
            (told.status, told.stderr),
            (Some(2), format!("error: {how}\n\n"))
        );
        assert!(!run.path().join("b.parquet").exists());
    }
}

#[test]
fn answers_go_into_a_file_and_the_summary_to_the_terminal() {
    let boards = "; expect: escape\no\n\n###\n#o#\n###\n";
    let mut run =
        Run::new(&["check", "--no-timing", "a.txt", "--output", "b.jsonl"]).file("a.txt", boards);
    let told = run.output();
    assert_eq!((told.status, &*told.stderr), (Some(0), ""));
    assert!(
        told.stdout
            .starts_with("2 boards in 1 file: 1 escape, 1 caught\n"),
        "{}",
        told.stdout
    );
    let answers = std::fs::read_to_string(run.path().join("b.jsonl")).unwrap();
    let direct = Run::new(&["check", "--no-timing", "--json", "a.txt"])
        .file("a.txt", boards)
        .output();
    assert_eq!(answers, direct.stdout);
}

#[test]
fn answers_are_not_written_as_a_report() {
    for (name, format) in [
        ("b.csv", "csv"),
        ("b.HTML", "html"),
        ("b.md.gz", "markdown"),
        ("b.xml", "junit"),
    ] {
        let mut run = Run::new(&["check", "missing.txt", "--output", name]);
        let told = run.output();
        let why = format!(
            "error: {name}: `--output` writes JSON Lines or tables; use `--report {format}=FILE`\n\n"
        );
        assert_eq!((told.status, told.stderr), (Some(2), why));
        assert!(!run.path().join(name).exists());
    }
}

#[test]
fn new_boards_are_not_written_as_a_table() {
    for command in ["generate jimmy -o b.parquet", "mutate a.txt -o b.parquet"] {
        let args: Vec<_> = command.split(' ').collect();
        let mut run = Run::new(&args).file("a.txt", "#o.\n");
        let told = run.output();
        let why = "error: b.parquet: only `convert` writes tables\n\n";
        assert_eq!((told.status, &*told.stderr), (Some(2), why));
        assert!(!run.path().join("b.parquet").exists());
    }
}

#[cfg(feature = "parquet")]
mod with_tables {
    use std::fs::File;
    use std::io::Write;
    use std::sync::Arc;

    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};
    use arrow_array::{
        Array, ArrayRef, DictionaryArray, Int32Array, LargeStringArray, ListArray, RecordBatch,
        StringArray,
    };
    use arrow_ipc::reader::FileReader;
    use arrow_ipc::writer::StreamWriter;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use crate::run::Run;

    fn puzzles() -> String {
        concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles").to_owned()
    }

    #[test]
    fn boards_are_the_same_after_a_round_trip() {
        let lines = Run::new(&["convert", &puzzles(), "-", "--to", "jsonl"])
            .output()
            .stdout;
        for name in ["all.parquet", "all.arrow"] {
            let mut first = Run::new(&["convert", &puzzles(), name]);
            let told = first.output();
            assert_eq!((told.status, &*told.stderr), (Some(0), ""));
            let table = std::fs::read(first.path().join(name)).unwrap();
            let back = Run::new(&["convert", name, "-", "--to", "jsonl"])
                .file(name, &table)
                .output();
            assert_eq!((back.status, &*back.stderr), (Some(0), ""));
            let sorted = |text: &str| -> Vec<serde_json::Value> {
                text.lines()
                    .map(|line| serde_json::from_str(line).unwrap())
                    .collect()
            };
            assert_eq!(sorted(&back.stdout), sorted(&lines), "{name}");
        }
    }

    #[test]
    fn a_table_is_checked_like_the_boards_it_was_made_of() {
        let collection = puzzles() + "/collection";
        let check = |mut run: Run| {
            let told = run.output().stdout;
            assert!(told.contains("as expected, 0 mismatched"), "{told}");
            told.lines().nth(1).unwrap().to_owned()
        };
        let of_files = check(Run::new(&["check", "--no-timing", &collection]));
        for name in ["all.parquet", "all.arrow"] {
            let mut made = Run::new(&["convert", &collection, name]);
            assert_eq!(made.output().status, Some(0));
            let table = std::fs::read(made.path().join(name)).unwrap();
            let of_table = check(Run::new(&["check", "--no-timing", name]).file(name, &table));
            assert_eq!(of_table, of_files, "{name}");
        }
    }

    #[test]
    fn ids_are_kept_as_they_are() {
        for ids in [
            ["1", "2"],
            ["\"a\"", "\"7\""],
            ["1", "\"1\""],
            ["[1]", "null"],
        ] {
            let line = |id: &str| format!("{{\"id\": {id}, \"rows\": [\"o\"]}}\n");
            let lines = ids.map(line).concat();
            let mut first = Run::new(&["convert", "a.jsonl", "a.parquet"]).file("a.jsonl", &lines);
            assert_eq!(first.output().status, Some(0));
            let table = std::fs::read(first.path().join("a.parquet")).unwrap();
            let back = Run::new(&["convert", "a.parquet", "b.jsonl", "--to", "jsonl"]);
            let mut back = back.file("a.parquet", table);
            assert_eq!(back.output().status, Some(0));
            let text = std::fs::read_to_string(back.path().join("b.jsonl")).unwrap();
            assert_eq!(text, lines);
        }
    }

    const BOARDS: &str = "; name: out\n; expect: escape\n#.#\n#o#\n###\n\n; ruleset: dungeon\nPE\n\n\
                          ; ruleset: maze\nR*\n\n; ruleset: jimmy\nx\n";

    fn check_answers(batch: &RecordBatch) {
        let column = |name: &str| {
            batch
                .column_by_name(name)
                .unwrap_or_else(|| panic!("{name}"))
        };
        let text = |name: &str, row: usize| {
            let column = column(name).as_string::<i32>();
            (!column.is_null(row)).then(|| column.value(row).to_owned())
        };
        assert_eq!(batch.num_rows(), 4);
        let verdicts: Vec<_> = (0..4).map(|row| text("verdict", row)).collect();
        let expected = [Some("escape"), Some("escape"), Some("food"), None];
        assert_eq!(verdicts, expected.map(|word| word.map(str::to_owned)));
        assert_eq!(text("name", 0).as_deref(), Some("out"));
        assert_eq!(text("path", 3).as_deref(), Some("a.txt"));
        assert_eq!(
            column("board")
                .as_primitive::<Int64Type>()
                .values()
                .to_vec(),
            [0, 1, 2, 3]
        );
        assert_eq!(column("length").as_primitive::<Int64Type>().value(0), 1);
        let moves = column("moves").as_list::<i32>().value(0);
        assert_eq!(moves.as_string::<i32>().value(0), "U");
        assert!((column("probability").as_primitive::<Float64Type>().value(1) - 1.0).abs() < 1e-9);
        assert!((column("lower").as_primitive::<Float64Type>().value(1) - 1.0).abs() < 1e-9);
        assert!(column("certain").as_boolean().value(1) && column("ok").as_boolean().value(0));
        assert_eq!(column("direction").as_primitive::<Int64Type>().value(2), 1);
        let error = text("error", 3).unwrap();
        assert!(error.starts_with("no Jimmy (`o`) on this board"), "{error}");
        assert!(column("micros").is_null(0));
    }

    #[test]
    fn answers_are_written_as_tables() {
        for name in ["b.parquet", "b.arrow"] {
            let mut run = Run::new(&["check", "--no-timing", "-q", "a.txt", "--output", name]);
            run = run.file("a.txt", BOARDS);
            assert_eq!(run.output().status, Some(2));
            let file = File::open(run.path().join(name)).unwrap();
            let batch = if name == "b.arrow" {
                FileReader::try_new(file, None)
                    .unwrap()
                    .next()
                    .unwrap()
                    .unwrap()
            } else {
                let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
                builder.build().unwrap().next().unwrap().unwrap()
            };
            check_answers(&batch);
        }
    }

    fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
        RecordBatch::try_from_iter(columns).unwrap()
    }

    fn parquet(batch: &RecordBatch) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(batch).unwrap();
        writer.close().unwrap();
        bytes
    }

    /// Unlike the tables that this program writes, the table has rows in a single text, other column types, numbers as
    /// headers, and nulls.
    #[test]
    fn tables_of_others_are_read() {
        let rulesets: DictionaryArray<arrow_array::types::Int32Type> =
            vec![Some("jimmy"), None, Some("maze")]
                .into_iter()
                .collect();
        let table = batch(vec![
            ("id", Arc::new(Int32Array::from(vec![7, 8, 9]))),
            ("ruleset", Arc::new(rulesets)),
            (
                "rows",
                Arc::new(LargeStringArray::from(vec![
                    "###\n#o.\n###\n",
                    "H*",
                    "[6, -1]",
                ])),
            ),
            (
                "runner",
                Arc::new(Int32Array::from(vec![None, None, Some(3)])),
            ),
        ]);
        let told = "a.parquet#1 (7): escape in 1 move: R\na.parquet#2 (8): escape in 1 move: d\n\
                    a.parquet#3 (9): food: move 1 (right)\n";
        let bytes = parquet(&table);
        let solved = Run::new(&["solve", "a.parquet"])
            .file("a.parquet", &bytes)
            .output();
        assert_eq!((solved.status, &*solved.stderr), (Some(0), ""));
        assert_eq!(solved.stdout.lines().count(), 3, "{}", solved.stdout);
        assert!(
            solved
                .stdout
                .starts_with(&told[..told.find("food").unwrap() + 4]),
            "{}",
            solved.stdout
        );
        let mut stream = Vec::new();
        let mut writer = StreamWriter::try_new(&mut stream, &table.schema()).unwrap();
        writer.write(&table).unwrap();
        writer.finish().unwrap();
        let of_stream = Run::new(&["solve", "a.arrows"])
            .file("a.arrows", &stream)
            .output();
        assert_eq!(
            of_stream.stdout,
            solved.stdout.replace("a.parquet", "a.arrows")
        );
        let one = Run::new(&["solve", "a.parquet#3"])
            .file("a.parquet", bytes)
            .output();
        assert!(one.stdout.contains("food"), "{}", one.stdout);
    }

    #[test]
    fn faults_of_a_table_name_the_row() {
        let rows = ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(1)])]);
        let numbers = batch(vec![("rows", Arc::new(rows))]);
        let told = Run::new(&["solve", "a.parquet"])
            .file("a.parquet", parquet(&numbers))
            .output();
        assert!(
            told.stderr.contains("the field `rows[0]` is not a string"),
            "{}",
            told.stderr
        );
        let dates = arrow_array::Date32Array::from(vec![1]);
        let odd = batch(vec![
            ("rows", Arc::new(StringArray::from(vec!["o"]))),
            ("day", Arc::new(dates)),
        ]);
        let told = Run::new(&["solve", "a.parquet"])
            .file("a.parquet", parquet(&odd))
            .output();
        assert!(
            told.stderr
                .contains("column `day` has type date32: only text"),
            "{}",
            told.stderr
        );
        let bad = batch(vec![(
            "rows",
            Arc::new(StringArray::from(vec!["o", "?", "o"])),
        )]);
        let told = Run::new(&["check", "a.parquet", "b.txt"])
            .file("a.parquet", parquet(&bad))
            .file("b.txt", "o\n")
            .output();
        assert!(told.stderr.contains("--> a.parquet:2:"), "{}", told.stderr);
        assert!(told.stdout.contains("3 escape"), "{}", told.stdout);
        let mut cut = parquet(&bad);
        cut.truncate(cut.len() / 2);
        let told = Run::new(&["check", "a.parquet", "b.txt"])
            .file("a.parquet", cut)
            .file("b.txt", "o\n")
            .output();
        assert!(
            told.stderr.contains("a.parquet: this is not a table"),
            "{}",
            told.stderr
        );
        assert!(told.stdout.contains("1 escape"), "{}", told.stdout);
    }

    /// The table has more rows than one batch holds.
    #[test]
    fn a_table_is_read_batch_by_batch() {
        let rows: Vec<_> = (0..5000)
            .map(|number| {
                if number % 2 == 0 {
                    "o"
                } else {
                    "###\n#o#\n###"
                }
            })
            .collect();
        let table = batch(vec![("rows", Arc::new(StringArray::from(rows)))]);
        let mut out = Vec::new();
        out.write_all(&parquet(&table)).unwrap();
        let told = Run::new(&["check", "--no-timing", "a.parquet"])
            .file("a.parquet", out)
            .output();
        assert!(
            told.stdout
                .contains("5,000 boards in 1 file: 2,500 escape, 2,500 caught"),
            "{}",
            told.stdout
        );
    }

    /// Tables as other programs write them: see `tests/cases/README.md`.
    #[test]
    fn tables_of_other_programs_are_read_or_their_compression_is_named() {
        let run = |args: &[&str], name: &str| {
            let path = format!("{}/tests/cases/tables/{name}", env!("CARGO_MANIFEST_DIR"));
            let args: Vec<_> = args.iter().map(|arg| arg.replace("PATH", &path)).collect();
            let args: Vec<_> = args.iter().map(String::as_str).collect();
            let told = Run::new(&args).output();
            (told.status, told.stdout.replace(&path, ""), told.stderr)
        };
        let answer = |name: &str| run(&["solve", "PATH"], name);
        let both = "#1 (a): escape in 1 move: U\n#2 (b): caught\n";
        for name in [
            "pyarrow-dictionary.parquet",
            "polars-array.parquet",
            "duckdb.parquet",
            "polars-categorical.arrow",
        ] {
            assert_eq!(
                answer(name),
                (Some(1), both.into(), String::new()),
                "{name}"
            );
        }
        for name in ["pyarrow-things.parquet", "duckdb-things.parquet"] {
            let (status, answer, stderr) = run(&["convert", "PATH", "-", "--to", "jsonl"], name);
            assert_eq!((status, &*stderr), (Some(0), ""));
            let things = r#""things": [{"glyph":"K","at":[1,2]}]"#;
            assert!(answer.contains(things), "{answer}");
        }
        for (name, codec) in [
            ("polars.parquet", "zstd"),
            ("polars-lz4.parquet", "lz4"),
            ("duckdb-brotli.parquet", "brotli"),
            ("pyarrow-lz4.feather", "lz4"),
            ("polars-zstd.arrow", "zstd"),
        ] {
            let (status, _, stderr) = answer(name);
            assert_eq!(status, Some(2));
            let told = format!(
                ": {codec} compression can't be read; write the table with `compression=\"snappy\"` (parquet) or uncompressed\n\n"
            );
            assert!(stderr.ends_with(&told), "{stderr}");
        }
    }
}
