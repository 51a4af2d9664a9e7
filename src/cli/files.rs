//! The folders of files, and errors that name the file.

use std::io;
use std::path::Path;

use anyhow::anyhow;
use getaway_board::words::path_name;

/// Returns the folder of a file, which is `.` for a name without a folder.
pub fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Returns an error that names the file.
pub fn failed(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("{}", named(path, error))
}

/// Returns an error of the same kind that names the file.
pub fn named(path: &Path, error: &io::Error) -> io::Error {
    let text = format!("{}: {}", path_name(path), system_message(error));
    io::Error::new(error.kind(), text)
}

/// Returns an error's message in lower case, without the system's error number. Common system errors have the same message on
/// every system.
pub fn system_message(error: &io::Error) -> String {
    let text = error.to_string();
    match (text.split_once(" (os error"), error.kind()) {
        (None, _) => text.to_lowercase(),
        (_, io::ErrorKind::NotFound) => "no such file or directory".to_owned(),
        (_, io::ErrorKind::PermissionDenied) => "permission denied".to_owned(),
        (_, io::ErrorKind::StorageFull) => "no space left on device".to_owned(),
        (Some((message, _)), _) => message.to_lowercase(),
    }
}
