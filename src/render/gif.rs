//! A game as an animated GIF that repeats.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{Error, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use tiny_skia::Pixmap;

use super::raster::{Painter, rgb};
use super::recording::Recording;
use super::scene::STEPS_SHOWN;
use super::theme::Color;
use super::{HOLD, Look, RenderError};
use crate::limits::Limits;

const COLORS: usize = 255;

/// The colour index of pixels that do not change.
const TRANSPARENT: u8 = 255;

const SAMPLES: usize = 48;

pub fn animated(
    recording: &Recording,
    look: &Look,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let mut palette = Palette::of(recording, (look, limits))?;
    let mut painter = painter(recording, (look, limits))?;
    let (width, height) = painter.size();
    let (across, down) = (short(width), short(height));
    let mut encoder = Encoder::new(out, across, down, &palette.bytes()).map_err(io_error)?;
    encoder.set_repeat(Repeat::Infinite).map_err(io_error)?;
    let mut last: Option<Vec<u8>> = None;
    loop {
        limits.check_time()?;
        let indices = palette.indices(&painter.paint());
        let window = match &last {
            None => Window::whole(width as usize, height as usize),
            Some(last) => Window::of_changes(last, &indices, width as usize),
        };
        let is_last = !painter.scene.advance();
        let mut frame = window.frame((last.as_deref(), &indices), width as usize);
        frame.delay = short((look.delay * if is_last { HOLD } else { 1 }).div_ceil(10));
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame).map_err(io_error)?;
        last = Some(indices);
        if is_last {
            break;
        }
    }
    encoder.into_inner().map_err(io_error)?.flush()?;
    Ok(())
}

fn painter<'r>(
    recording: &'r Recording,
    (look, limits): (&Look, &Limits),
) -> Result<Painter<'r>, RenderError> {
    let painter = Painter::new(recording, (look, limits), (STEPS_SHOWN, 2))?;
    let (width, height) = painter.size();
    let (width, height) = (u64::from(width), u64::from(height));
    let frames = recording.positions() as u64;
    if (width * height).saturating_mul(frames) > RenderError::MOST_MOVING_PIXELS {
        return Err(RenderError::TooLong {
            frames,
            width,
            height,
        });
    }
    Ok(painter)
}

fn io_error(error: EncodingError) -> Error {
    match error {
        EncodingError::Io(error) => error,
        other => Error::other(other),
    }
}

fn short(number: u32) -> u16 {
    number.try_into().unwrap_or(u16::MAX)
}

struct Palette {
    colors: Vec<Color>,
    nearest: HashMap<Color, u8>,
}

impl Palette {
    fn of(recording: &Recording, (look, limits): (&Look, &Limits)) -> Result<Self, RenderError> {
        let mut painter = painter(recording, (look, limits))?;
        let every = recording.positions().div_ceil(SAMPLES);
        let mut counts: HashMap<Color, u64> = HashMap::new();
        loop {
            limits.check_time()?;
            let position = painter.scene.position();
            if position.is_multiple_of(every) || position == recording.halves.len() {
                for run in painter.paint().pixels().chunk_by(|one, other| one == other) {
                    *counts.entry(rgb(run[0])).or_default() += run.len() as u64;
                }
            }
            if !painter.scene.advance() {
                break;
            }
        }
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

#[derive(Debug, PartialEq, Eq)]
struct Window {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Window {
    const fn whole(width: usize, height: usize) -> Self {
        Self {
            left: 0,
            top: 0,
            width,
            height,
        }
    }

    /// Returns the smallest rectangle around all differences between two pictures, or one pixel if they are equal.
    fn of_changes(old: &[u8], new: &[u8], width: usize) -> Self {
        let rows = || old.chunks(width).zip(new.chunks(width)).enumerate();
        let mut changed = rows()
            .filter(|(_, (old, new))| old != new)
            .map(|(row, _)| row);
        let Some(top) = changed.next() else {
            return Self::whole(1, 1);
        };
        let bottom = changed.next_back().unwrap_or(top);
        let (mut left, mut right) = (width - 1, 0);
        for (_, (old, new)) in rows().take(bottom + 1).skip(top) {
            let mut differs = (0..width).filter(|&col| old[col] != new[col]);
            if let Some(first) = differs.next() {
                left = left.min(first);
                right = right.max(differs.next_back().unwrap_or(first));
            }
        }
        Self {
            left,
            top,
            width: right + 1 - left,
            height: bottom + 1 - top,
        }
    }

    fn frame(&self, (last, indices): (Option<&[u8]>, &[u8]), width: usize) -> Frame<'static> {
        let rows = (self.top..self.top + self.height).map(|row| row * width);
        let places = rows.flat_map(|row| row + self.left..row + self.left + self.width);
        let pixel = |place: usize| match last {
            Some(last) if last[place] == indices[place] => TRANSPARENT,
            _ => indices[place],
        };
        let part: Vec<u8> = places.map(pixel).collect();
        Frame {
            left: short(self.left as u32),
            top: short(self.top as u32),
            ..Frame::from_indexed_pixels(
                short(self.width as u32),
                short(self.height as u32),
                part,
                Some(TRANSPARENT),
            )
        }
    }
}

#[cfg(test)]
mod tests;
