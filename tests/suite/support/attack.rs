//! Attacks on tables by the command line.

use super::cli::{Folder, plaudit, stderr};
use serde_json::Value;
use std::process::Output;

/// `plaudit attack KIND` in a folder, with arguments separated by spaces.
pub fn attack(kind: &str, folder: &Folder, arguments: &str) -> Output {
    let arguments = ["attack", kind].into_iter().chain(arguments.split(' '));
    plaudit().current_dir(folder.path()).args(arguments).output().unwrap()
}

/// Its answer in JSON.
pub fn answer(kind: &str, folder: &Folder, arguments: &str) -> Value {
    let output = attack(kind, folder, &format!("{arguments} --format json"));
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
}
