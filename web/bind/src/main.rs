//! `bind INPUT FOLDER` does the work of `wasm-bindgen --target no-modules --no-typescript`, and also removes the sections
//! `name` and `producers`.

use std::env::args_os;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = args_os().skip(1);
    let (Some(input), Some(folder)) = (args.next(), args.next()) else {
        return Err("usage: bind INPUT FOLDER".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(input)
        .out_name("getaway")
        .typescript(false);
    bindgen
        .no_modules(true)?
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)?;
    Ok(())
}
