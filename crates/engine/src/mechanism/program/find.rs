//! Location of a program before it is started, so that mistakes of a spec are reported at once, and
//! not by the first of many audits.

use rustix::fs::{Access, access};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Longest first line of a script that is read: at least as much as systems read.
const FIRST_LINE: u64 = 4096;
/// Folders that are searched without PATH, as systems do.
const DEFAULT_PATH: &str = "/bin:/usr/bin";
/// Programs whose first argument is the file that they run, unless it is an option.
const RUN_A_FILE: [&str; 7] = ["python", "pypy", "node", "ruby", "perl", "Rscript", "julia"];

/// Reason why a program cannot be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Index of the part of the command that is wrong.
    pub word: usize,
    pub why: String,
    pub help: String,
}

impl Missing {
    fn new(word: usize, why: impl Into<String>, help: impl Into<String>) -> Self {
        Self { word, why: why.into(), help: help.into() }
    }
}

/// The program of a command in the form for the system: a path is relative to the folder, a name is
/// searched in PATH.
pub fn path_of(program: &str, folder: &Path) -> std::io::Result<PathBuf> {
    match program.contains('/') {
        true => std::path::absolute(folder.join(program)),
        false => Ok(program.into()),
    }
}

/// Checks that the system finds a command that is started in a folder, and may run it: the program,
/// the interpreter of a script, and the file for a known interpreter.
///
/// # Errors
/// The missing file.
pub fn check(command: &[String], folder: &Path) -> Result<(), Missing> {
    let Some(program) = command.first() else { return Ok(()) };
    let found = match program.contains('/') {
        true => by_path(program, folder)?,
        false => by_name(program, folder)?,
    };
    check_interpreter(program, &found, folder)?;
    match command.get(1) {
        Some(file) if runs_a_file(program) && is_script(file) && !folder.join(file).exists() => {
            let why =
                format!("the file `{}` that `{program}` should run was not found", shown(file));
            Err(Missing::new(1, why, format!("there is no {}: {RELATIVE}", full(file, folder))))
        }
        _ => Ok(()),
    }
}

const RELATIVE: &str = "correct the path, which is relative to the folder of this spec";

fn by_path(program: &str, folder: &Path) -> Result<PathBuf, Missing> {
    let name = shown(program);
    let path = folder.join(program);
    let place = full(program, folder);
    if path.is_dir() {
        let why = format!("the program `{name}` is a folder");
        return Err(Missing::new(0, why, "write the path of a file that can be executed"));
    }
    if !path.exists() {
        let help = format!("there is no {place}: build or install it, or {RELATIVE}");
        return Err(Missing::new(0, format!("the program `{name}` is not found"), help));
    }
    if !is_executable(&path) {
        let help = format!(
            "allow it with `chmod +x {place}`, or name its interpreter: command = [\"python3\", \
             \"mechanism.py\"]"
        );
        return Err(Missing::new(0, format!("the program `{name}` is not executable"), help));
    }
    Ok(path)
}

fn by_name(program: &str, folder: &Path) -> Result<PathBuf, Missing> {
    let name = shown(program);
    let places = in_path(program, folder);
    if let Some(found) = places.iter().find(|path| is_executable(path)) {
        return Ok(found.clone());
    }
    if let Some(found) = places.first() {
        let why = format!("the program `{name}` is not executable");
        let help = format!("allow it with `chmod +x {}`", found.display());
        return Err(Missing::new(0, why, help));
    }
    let why = format!("the program `{name}` is not found: no folder of PATH has it");
    let help = match folder.join(program).is_file() {
        true => format!(
            "write \"./{name}\" for the one in the folder of this spec: a name without `/` is looked for \
             in the folders of PATH only"
        ),
        false => {
            "install it, correct the name, or write a path, which has a `/` and is relative to the \
                  folder of this spec"
                .into()
        }
    };
    Err(Missing::new(0, why, help))
}

fn in_path(name: &str, folder: &Path) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
    // A program searches from the folder that it is started in.
    let places = std::env::split_paths(&path).map(|place| folder.join(place).join(name));
    places.filter(|path| path.is_file()).collect()
}

/// Checks the interpreter in the first line of a script.
fn check_interpreter(program: &str, script: &Path, folder: &Path) -> Result<(), Missing> {
    let Some(line) = first_line(script) else { return Ok(()) };
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let Some(interpreter) = words.next() else { return Ok(()) };
    let missing = |interpreter: &str| {
        let why = format!(
            "the interpreter `{}` named in the first line of `{}` was not found",
            interpreter.escape_debug(),
            shown(program)
        );
        let help = match interpreter.ends_with('\r') {
            true => "save the script with Unix line endings: its first line ends with \\r\\n",
            false => {
                "install the interpreter, correct the line, or name another one: command = \
                 [\"python3\", \"mechanism.py\"]"
            }
        };
        Missing::new(0, why, help)
    };
    if !is_executable(&folder.join(interpreter)) {
        return Err(missing(interpreter));
    }
    let mut asked = words.skip_while(|word| *word == "-S");
    match asked.next() {
        Some(name)
            if interpreter.ends_with("/env") && !name.starts_with('-') && !name.contains('=') =>
        {
            let found = match name.contains('/') {
                true => is_executable(&folder.join(name)),
                false => in_path(name, folder).iter().any(|path| is_executable(path)),
            };
            if found { Ok(()) } else { Err(missing(name)) }
        }
        _ => Ok(()),
    }
}

/// The first line of a script, without `#!` and its end; `None` if it is not a script.
fn first_line(script: &Path) -> Option<String> {
    let mut start = Vec::new();
    std::fs::File::open(script).ok()?.take(FIRST_LINE).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).into_owned())
}

/// `true` for an interpreter that runs the file that it is given: `python3`, `python3.12`.
fn runs_a_file(program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or_default();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    RUN_A_FILE.contains(&name)
}

/// `true` if an argument is the name of a file, not an option, a module or the text of a program.
fn is_script(argument: &str) -> bool {
    let strange = |c: char| c.is_whitespace() || c.is_control();
    !argument.starts_with('-')
        && !argument.contains(strange)
        && Path::new(argument).extension().is_some()
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

fn shown(word: &str) -> String {
    word.escape_debug().to_string()
}

/// A path that does not depend on the current folder.
pub(in crate::mechanism) fn full(path: &str, folder: &Path) -> String {
    let path = folder.join(path);
    std::path::absolute(&path).unwrap_or(path).display().to_string()
}
