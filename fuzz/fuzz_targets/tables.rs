#![no_main]
//! Reads arbitrary files as tables: rows of JSON or an error.

use std::io::{Read, Seek, Write};

#[allow(dead_code, unused_imports)]
#[path = "../../src/cli"]
mod cli {
    pub mod compression;
    pub mod panics;
    pub mod tables;
}

use cli::tables::{self, TableFormat};

// A panic in the table libraries becomes an error; any other panic ends the run.
libfuzzer_sys::fuzz_target!(init: cli::panics::keep_quiet(), |bytes: &[u8]| {
    for format in [TableFormat::Parquet, TableFormat::Arrow] {
        let mut file = tempfile::tempfile().expect("a temporary file can be created");
        file.write_all(bytes).expect("the file can be written");
        file.rewind().expect("a file can be rewound");
        if let Ok(mut rows) = tables::read(file, format) {
            let mut lines = Vec::new();
            let _ = rows.by_ref().take(1 << 20).read_to_end(&mut lines);
            getaway_fuzz::targets::reading(&lines);
        }
    }
});
