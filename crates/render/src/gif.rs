//! A game as an animated GIF that repeats.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{Error, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use tiny_skia::Pixmap;

use super::raster::{Painter, rgb};
use super::scene::STEPS_SHOWN;
use super::theme::Color;
use super::{HOLD, RenderError, Request};

const COLORS: usize = 255;

/// The colour index of pixels that do not change.
const TRANSPARENT: u8 = 255;

const SAMPLES: usize = 48;

pub fn animated(request: &Request, out: &mut dyn Write) -> Result<(), RenderError> {
    let (recording, style, limits) = (request.recording, request.style, request.limits);
    let mut palette = Palette::of(request)?;
    let painter = painter(request)?;
    let [width, height] = [painter.sheet.width, painter.sheet.height].map(|size| size as usize);
    let mut encoder = Encoder::new(out, saturated(width), saturated(height), &palette.bytes())
        .map_err(io_error)?;
    encoder.set_repeat(Repeat::Infinite).map_err(io_error)?;
    let mut last: Option<Vec<u8>> = None;
    each(painter, &mut |painter| {
        let position = painter.sheet.scene.position();
        limits.note_states(position as u64);
        let indices = palette.indices(&painter.paint());
        let is_last = position == recording.plies.len();
        let mut frame = frame(last.as_deref(), &indices, width);
        // A GIF has delays in hundredths of a second.
        frame.delay =
            saturated((style.delay * if is_last { HOLD } else { 1 }).div_ceil(10) as usize);
        encoder.write_frame(&frame).map_err(io_error)?;
        last = Some(indices);
        Ok(())
    })?;
    encoder.into_inner().map_err(io_error)?.flush()?;
    Ok(())
}

fn painter<'r>(request: &Request<'r>) -> Result<Painter<'r>, RenderError> {
    let painter = Painter::new(request, STEPS_SHOWN, 2)?;
    let [width, height] = [painter.sheet.width, painter.sheet.height].map(u64::from);
    let frames = request.recording.positions() as u64;
    if (width * height).saturating_mul(frames) > RenderError::MAX_MOVING_PIXELS {
        return Err(RenderError::TooLong {
            frames,
            width,
            height,
        });
    }
    Ok(painter)
}

fn each(
    mut painter: Painter,
    visit: &mut dyn FnMut(&Painter) -> Result<(), Error>,
) -> Result<(), RenderError> {
    loop {
        painter.sheet.request.limits.check_time()?;
        visit(&painter)?;
        if !painter.sheet.scene.advance() {
            return Ok(());
        }
    }
}

/// Returns a frame of the rectangle around all changes; its unchanged pixels are transparent.
fn frame(last: Option<&[u8]>, indices: &[u8], width: usize) -> Frame<'static> {
    let mut pixels = indices.to_vec();
    for (pixel, before) in pixels.iter_mut().zip(last.unwrap_or_default()) {
        if pixel == before {
            *pixel = TRANSPARENT;
        }
    }
    let changed = || (0..pixels.len()).filter(|&place| pixels[place] != TRANSPARENT);
    let top = changed().next().unwrap_or(0) / width;
    let bottom = changed().next_back().unwrap_or(0) / width;
    let left = changed().map(|place| place % width).min().unwrap_or(0);
    let right = changed().map(|place| place % width).max().unwrap_or(0);
    let rows = pixels[top * width..].chunks(width).take(bottom + 1 - top);
    let part: Vec<u8> = rows.flat_map(|row| &row[left..=right]).copied().collect();
    let (across, down) = (saturated(right + 1 - left), saturated(bottom + 1 - top));
    Frame {
        left: saturated(left),
        top: saturated(top),
        dispose: DisposalMethod::Keep,
        ..Frame::from_indexed_pixels(across, down, part, Some(TRANSPARENT))
    }
}

fn io_error(error: EncodingError) -> Error {
    match error {
        EncodingError::Io(error) => error,
        other => Error::other(other),
    }
}

fn saturated(number: usize) -> u16 {
    number.try_into().unwrap_or(u16::MAX)
}

struct Palette {
    colors: Vec<Color>,
    nearest: HashMap<Color, u8>,
}

impl Palette {
    fn of(request: &Request) -> Result<Self, RenderError> {
        let recording = request.recording;
        let every = recording.positions().div_ceil(SAMPLES);
        let mut counts: HashMap<Color, u64> = HashMap::new();
        each(painter(request)?, &mut |painter| {
            let position = painter.sheet.scene.position();
            if position.is_multiple_of(every) || position == recording.plies.len() {
                for run in painter.paint().pixels().chunk_by(|one, other| one == other) {
                    *counts.entry(rgb(run[0])).or_default() += run.len() as u64;
                }
            }
            Ok(())
        })?;
        let mut colors: Vec<_> = counts.keys().copied().collect();
        colors.sort_unstable_by_key(|color| Reverse((counts[color], *color)));
        colors.truncate(COLORS);
        Ok(Self {
            nearest: colors.iter().copied().zip(0..).collect(),
            colors,
        })
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.concat();
        bytes.resize(3 * (COLORS + 1), 0);
        bytes
    }

    fn indices(&mut self, picture: &Pixmap) -> Vec<u8> {
        let mut indices = Vec::with_capacity(picture.pixels().len());
        for run in picture.pixels().chunk_by(|one, other| one == other) {
            let index = self.index(rgb(run[0]));
            indices.resize(indices.len() + run.len(), index);
        }
        indices
    }

    fn index(&mut self, color: Color) -> u8 {
        let square = |(one, other): (&u8, &u8)| u32::from(one.abs_diff(*other)).pow(2);
        let far = |other: &Color| -> u32 { color.iter().zip(other).map(square).sum() };
        let colors = &self.colors;
        *self.nearest.entry(color).or_insert_with(|| {
            let nearest = colors.iter().zip(0..).min_by_key(|(other, _)| far(other));
            nearest.map_or(0, |(_, index)| index)
        })
    }
}

#[cfg(test)]
#[path = "gif_tests.rs"]
mod tests;
