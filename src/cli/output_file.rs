//! Output files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{self, Path, PathBuf};

use anyhow::{Result, bail};
use tempfile::{Builder, NamedTempFile};

use super::compression::CompressedWriter;
use super::files::{failed, folder, named};
use getaway_board::words::{for_terminal, path_name};

/// Writes a file, compressed if its name says so; `-` is standard output. The old file is replaced only at the end, so a failure
/// leaves it unchanged. Pipes and devices are written directly.
pub fn write<T>(path: &Path, fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>) -> Result<T> {
    write_by(path, path, fill)
}

/// Writes to `path` like [`write()`], but the name of `coding` decides whether and how the file is compressed.
pub fn write_by<T>(
    path: &Path,
    coding: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<T> {
    if path.as_os_str() == "-" {
        return fill_and_flush(path, coding, stdout(), fill);
    }
    let failed = |error| failed(path, &error);
    let old = match fs::metadata(path) {
        Ok(old) if old.is_dir() => {
            bail!("{}: this is a folder; name a file in it", path_name(path))
        }
        Ok(old) if old.is_file() && old.permissions().readonly() => {
            bail!("{}: permission denied", path_name(path))
        }
        Ok(old) if old.is_file() => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        // Windows has no metadata of devices such as `NUL`.
        _ => {
            let special = File::options().write(true).open(path).map_err(failed)?;
            return fill_and_flush(path, coding, special, fill);
        }
    };
    // If `path` is a link, its target is replaced, and the link remains.
    let target = match old {
        Some(_) => fs::canonicalize(path).map_err(failed)?,
        None => path.to_owned(),
    };
    let mut new = beside(&target).map_err(failed)?;
    if let Some(old) = old {
        new.as_file()
            .set_permissions(old.permissions())
            .map_err(failed)?;
    }
    let filled = fill_and_flush(path, coding, new.as_file_mut(), fill)?;
    new.persist(&target).map_err(|error| failed(error.error))?;
    Ok(filled)
}

/// Returns standard output. On a terminal, control characters other than line feeds and tabs are escaped.
pub fn stdout() -> Box<dyn Write + Send> {
    let out = io::stdout();
    if out.is_terminal() {
        Box::new(Escaped(out))
    } else {
        Box::new(out)
    }
}

struct Escaped<W>(W);

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = for_terminal(&String::from_utf8_lossy(bytes));
        self.0.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

pub fn check(path: &Path) -> Result<()> {
    let failed = |error| failed(path, &error);
    match fs::metadata(path) {
        _ if path.as_os_str() == "-" => Ok(()),
        Ok(old) if old.is_dir() => {
            bail!("{}: this is a folder; name a file in it", path_name(path))
        }
        Ok(old) if !old.is_file() => Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            let device = File::options().write(true).open(path);
            device.map(drop).map_err(failed)
        }
        // A file that is created and removed shows that the folder can be written to.
        _ => beside(path).map(drop).map_err(failed),
    }
}

/// Fails if two of the outputs are the same file, or if one of them is also among the inputs. Pipes and devices may be the same.
pub fn must_differ(outputs: &[&Path], inputs: &[&Path]) -> Result<()> {
    for (number, &path) in outputs.iter().enumerate() {
        let Some(file) = absolute(path) else {
            continue;
        };
        let is_this = |other: &Path| absolute(other).as_ref() == Some(&file);
        if outputs[..number].iter().any(|other| is_this(other)) {
            bail!("{}: two outputs need two files", path_name(path));
        }
        // To look up each of a million inputs would take too long.
        let is_input = |input: &&Path| input.file_name() == path.file_name() && is_this(input);
        if inputs.iter().any(is_input) {
            let name = path_name(path);
            bail!("{name}: this is one of the board files; name another file for the output");
        }
    }
    Ok(())
}

/// Returns the path without links; `None` for `-`, and for a folder, pipe or device.
fn absolute(path: &Path) -> Option<PathBuf> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_file() => fs::canonicalize(path).ok(),
        Err(_) if path.as_os_str() != "-" => path::absolute(path).ok(),
        _ => None,
    }
}

fn fill_and_flush<T>(
    path: &Path,
    coding: &Path,
    out: impl Write + Send,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<T> {
    let mut out = CompressedWriter::new(BufWriter::new(Named::new(out, path)), coding);
    let filled = fill(&mut out)?;
    out.finish()?;
    Ok(filled)
}

/// A writer that adds the file's name to errors. It keeps their kinds, by which callers recognize a closed pipe.
pub struct Named<'p, W> {
    out: W,
    path: &'p Path,
}

impl<'p, W> Named<'p, W> {
    pub fn new(out: W, path: &'p Path) -> Self {
        let path = if path.as_os_str() == "-" {
            Path::new("standard output")
        } else {
            path
        };
        Self { out, path }
    }
}

impl<W: Write> Write for Named<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.out.write(bytes) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                Err(named(self.path, &error))
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| named(self.path, &error))
    }
}

fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".getaway-");
    // By default, only the owner could read a temporary file, but this one becomes the output.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder(target))
}
