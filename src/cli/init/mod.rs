//! `plaudit init`: a spec, its mutant and a program to start from, which run as they are.

use super::args::{InitArguments, StarterLanguage};
use super::{Failure, exit, output};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

const SPEC: &str = include_str!("starters/count.toml");

/// Command that adds one run's noise, and its files; `SCALE` is replaced.
struct Starter {
    command: &'static str,
    /// How the spec describes the running of the program.
    protocol: &'static str,
    /// The file that has the mechanism, from the folder of the spec.
    program: &'static str,
    /// Files and their texts, from the folder of the spec.
    files: &'static [(&'static str, &'static str)],
}

const PYTHON: Starter = Starter {
    command: r#"["python3", "count.py", "SCALE"]"#,
    protocol: "Started here, in the folder of this spec. The last word is the scale of the noise.",
    program: "count.py",
    files: &[("count.py", include_str!("starters/count.py"))],
};

const RUST: Starter = Starter {
    command: r#"["cargo", "run", "--quiet", "--release", "--manifest-path", "count/Cargo.toml", "--", "SCALE"], timeout = 600"#,
    protocol: "Cargo builds it first, within the time limit. The last word is the scale of the noise.",
    program: "count/src/main.rs",
    files: &[
        ("count/Cargo.toml", include_str!("starters/package.toml")),
        ("count/src/main.rs", include_str!("starters/main.rs.txt")),
        ("count/.gitignore", "target\n"),
    ],
};

const OTHER: Starter = Starter {
    command: r#"["sh", "count.sh", "SCALE"]"#,
    protocol: "Started here, in the folder of this spec. The last word is the scale of the noise.",
    program: "count.sh",
    files: &[("count.sh", include_str!("starters/count.sh"))],
};

/// Writes the files, without overwriting any.
pub(super) fn run(raw: &InitArguments) -> Result<u8, Failure> {
    let starter = match raw.language.unwrap_or_else(|| language_of(Path::new("."))) {
        StarterLanguage::Python => PYTHON,
        StarterLanguage::Rust => RUST,
        StarterLanguage::Other => OTHER,
    };
    let folder = raw.folder.display().to_string();
    let folder = folder.trim_end_matches('/');
    let spec = SPEC
        .replace("PROTOCOL", starter.protocol)
        .replace("COMMAND", &starter.command.replace("SCALE", "1.0"))
        .replace("MUTANT", &starter.command.replace("SCALE", "0.5"))
        .replace("PROGRAM", starter.program)
        .replace("DIR", &comment(folder));
    let files = std::iter::once(("count.toml", &*spec)).chain(starter.files.iter().copied());
    let files: Vec<_> = files.map(|(name, text)| (raw.folder.join(name), text)).collect();
    let there: Vec<String> = files
        .iter()
        .filter(|(file, _)| file.symlink_metadata().is_ok())
        .map(|(file, _)| output::path(file))
        .collect();
    if !there.is_empty() {
        return Err(Failure::Message(format!(
            "existing files are not overwritten: {}; name another folder, as in `plaudit init privacy`",
            there.join(", ")
        )));
    }
    for (file, text) in &files {
        write(file, text)?;
    }
    let written: String =
        files.iter().map(|(file, _)| format!("wrote {}\n", output::path(file))).collect();
    let folder = output::path(&raw.folder);
    output::print(&format!(
        "{written}\nNow run: plaudit audit --until-clear {folder}\nIn CI: plaudit gate {folder}\n"
    ))?;
    Ok(exit::AS_EXPECTED)
}

/// A folder's name in a comment of a spec: one line.
fn comment(folder: &str) -> String {
    plaudit_core::visible::visible(folder)
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let all = || {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // Nothing is overwritten that came meanwhile, either.
        File::create_new(file)?.write_all(text.as_bytes())
    };
    all().map_err(|error: std::io::Error| Failure::of_file("cannot write", file, &error))
}

fn language_of(project: &Path) -> StarterLanguage {
    let names = std::fs::read_dir(project).into_iter().flatten().flatten();
    let names: Vec<String> =
        names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    if has("pyproject.toml") || has("setup.py") || names.iter().any(|it| it.ends_with(".py")) {
        StarterLanguage::Python
    } else if has("Cargo.toml") {
        StarterLanguage::Rust
    } else {
        StarterLanguage::Other
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/init/mod.rs"]
mod tests;
