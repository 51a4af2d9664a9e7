#![no_main]
//! Files that pose as tables: each is rows of JSON or an error.

use std::io::{Read, Seek, Write};

/// What of the program reads them.
#[allow(dead_code, unused_imports)]
#[path = "../../src/cli"]
mod cli {
    pub mod compression;
    pub mod panics;
    pub mod tables;
}

use cli::tables::{self, TableFormat};

// What the libraries panic on is an error; any other panic ends the run.
libfuzzer_sys::fuzz_target!(init: cli::panics::keep_quiet(), |bytes: &[u8]| {
    for format in [TableFormat::Parquet, TableFormat::Arrow] {
        let mut file = tempfile::tempfile().expect("there is room for files");
        file.write_all(bytes).expect("it is written");
        file.rewind().expect("it is a file");
        if let Ok(mut rows) = tables::read(file, format) {
            let mut lines = Vec::new();
            let _ = rows.by_ref().take(1 << 20).read_to_end(&mut lines);
            getaway::internals::targets::reading(&lines);
        }
    }
});
