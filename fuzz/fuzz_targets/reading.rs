#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| getaway_fuzz::targets::reading(bytes));
