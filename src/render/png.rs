//! One position as a PNG.

use std::io::{Error, Write};

use super::raster::Painter;
use super::recording::Recording;
use super::{Look, RenderError};
use crate::limits::Limits;

/// Writes the picture of a position, counted from 0.
///
/// # Panics
///
/// Panics if the position does not exist.
pub fn still(
    recording: &Recording,
    position: usize,
    (look, limits): (&Look, &Limits),
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    // The memory holds a pixmap, its colours, and the encoded file.
    let mut painter = Painter::new(recording, (look, limits), (usize::MAX, 3))?;
    painter.scene.go_to(position, limits)?;
    let picture = painter.paint();
    let opaque: Vec<u8> = picture
        .pixels()
        .iter()
        .flat_map(|pixel| rgb(*pixel))
        .collect();
    let mut encoder = png::Encoder::new(out, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&opaque));
    written.map_err(|error| match error {
        png::EncodingError::IoError(error) => error,
        other => Error::other(other),
    })?;
    Ok(())
}

/// Returns the colour of a pixel. Pictures are opaque, so premultiplication has no effect.
pub(super) const fn rgb(pixel: tiny_skia::PremultipliedColorU8) -> [u8; 3] {
    [pixel.red(), pixel.green(), pixel.blue()]
}
