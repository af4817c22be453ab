//! What the tests of programs share.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// The file that `python3` is in the end: a version manager may have put a script before it, which takes several
/// times as long to start as Python does.
static FILE: LazyLock<Option<String>> = LazyLock::new(|| {
    let code = "import json, sys; print(sys.executable)";
    let output = Command::new("python3").args(["-c", code]).output().ok()?;
    let file = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && Path::new(&file).is_file()).then_some(file)
});

/// How programs that need nothing but the standard library are started: without a look at what else is installed,
/// which takes Python as long as to start.
pub fn interpreter() -> [&'static str; 3] {
    [FILE.as_deref().unwrap_or("python3"), "-E", "-S"]
}

/// `PATH` such that `python3` is that file.
pub fn path() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = std::env::split_paths(&path).collect();
    let folder = FILE.as_deref().and_then(|file| Path::new(file).parent());
    if let Some(folder) = folder.filter(|folder| folder.join("python3").is_file())
        && !folders.iter().any(|it| it == folder)
    {
        folders.insert(0, folder.to_owned());
    }
    std::env::join_paths(folders).unwrap_or(path)
}

/// Whether there is a Python to run them with; if not, it is said that they were not tested.
pub fn python() -> bool {
    if FILE.is_none() {
        eprintln!("no python3: programs in Python were not tested");
    }
    FILE.is_some()
}
