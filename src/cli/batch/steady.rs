//! A file that stays as it is while it is read, or says that it has not.

use std::fs::{File, Metadata};
use std::io::{self, Read};

/// A file, whose end is an error if it was changed in the meantime.
pub struct Steady {
    file: File,
    /// What it was when it was opened; `None` for a pipe or a device.
    was: Option<Metadata>,
}

impl Steady {
    /// This file, as it is now.
    ///
    /// # Errors
    ///
    /// If the system does not say what it is.
    pub fn new(file: File) -> io::Result<Self> {
        let meta = file.metadata()?;
        let was = meta.is_file().then_some(meta);
        Ok(Self { file, was })
    }

    /// Whether it is what it was.
    fn is_same(&self) -> io::Result<bool> {
        let Some(was) = &self.was else {
            return Ok(true);
        };
        let is = self.file.metadata()?;
        Ok(is.len() == was.len() && is.modified().ok() == was.modified().ok())
    }
}

impl Read for Steady {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let got = self.file.read(room)?;
        if got == 0 && !room.is_empty() && !self.is_same()? {
            return Err(io::Error::other("it was changed while it was read"));
        }
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    /// Opens a file, reads a little, lets `change` have it, and reads the rest.
    fn read(change: impl FnOnce(&std::path::Path)) -> io::Result<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut file = File::create(&path).unwrap();
        file.write_all(b"0123456789").unwrap();
        // Long ago, whatever the steps are in which the system's clock goes.
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
        let mut steady = Steady::new(File::open(&path).unwrap()).unwrap();
        let mut text = [0; 4];
        steady.read_exact(&mut text).unwrap();
        change(&path);
        let mut rest = String::new();
        steady.read_to_string(&mut rest)?;
        Ok(rest)
    }

    #[test]
    fn a_file_that_shrinks_grows_or_changes_is_an_error() {
        assert_eq!(read(|_| {}).unwrap(), "456789");
        let write =
            |text: &'static str| move |path: &std::path::Path| fs::write(path, text).unwrap();
        for text in ["", "012345", "0123456789ab", "abcdefghij"] {
            let error = read(write(text)).unwrap_err();
            assert_eq!(
                error.to_string(),
                "it was changed while it was read",
                "{text}"
            );
        }
    }

    #[test]
    fn a_file_that_vanishes_is_read_to_its_end() {
        let vanish = |path: &std::path::Path| fs::remove_file(path).unwrap();
        assert_eq!(read(vanish).unwrap(), "456789");
    }
}
