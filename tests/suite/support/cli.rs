//! What the tests of the program share.

use super::program::path;
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A right mechanism; more keys can be appended. Its claim is violated at level 1e-6 with
/// probability at most 1e-6.
pub const LAPLACE: &str = r#"[[audit]]
name = "laplace"
mechanism = { kind = "laplace", epsilon = 1.0, sensitivity = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
trials = 20_000
"#;

/// A mechanism that claims epsilon = 1 and has epsilon = 4: found at 40 000 trials but with
/// probability below 1e-9.
pub const UNDERSTATED: &str = r#"[[audit]]
name = "laplace-understated"
mechanism = { kind = "laplace", epsilon = 4.0, sensitivity = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
trials = 40_000
"#;

/// An audit of a mechanism on the pair 0 and 1, as a spec; with more keys, or none.
pub fn audit(name: &str, mechanism: &str, claim: &str, more: &str) -> String {
    format!(
        "[[audit]]\nname = \"{name}\"\nmechanism = {{ {mechanism} }}\nrelation = {{ linf = 1.0 }}\n\
         pairs = [{{ d = [0.0], d_prime = [1.0] }}]\nclaim = {{ {claim} }}\n{more}\n\n"
    )
}

/// The program, in an environment without settings for colors.
pub fn plaudit() -> Command {
    let mut command = Command::new(cargo_bin!("plaudit"));
    command.env("PATH", path());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(variable);
    }
    command
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder of its own.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and gives its path.
    pub fn spec(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Writes a program, and gives its path. A process of its own writes it: a file that this one holds open
    /// for writing is inherited by whatever another test starts in that moment, and cannot be executed then
    /// (ETXTBSY).
    #[cfg(unix)]
    pub fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        let text = self.spec(&format!("{name}.text"), text);
        let script = "cat \"$1\" > \"$2\" && chmod 755 \"$2\" && rm \"$1\"";
        let written = Command::new("sh").args(["-c", script, "sh"]).args([&text, &path]).status();
        assert!(written.unwrap().success(), "{}", path.display());
        path
    }

    /// What plaudit says to these arguments in this folder.
    pub fn run(&self, arguments: &[&str]) -> Output {
        plaudit().current_dir(self.path()).args(arguments).output().unwrap()
    }

    /// The report in the folder `out`, but for how long its audits took.
    pub fn report(&self, out: &str) -> Value {
        let text = std::fs::read_to_string(self.path().join(out).join("report.json")).unwrap();
        let mut report: Value = serde_json::from_str(&text).unwrap();
        for audit in report["audits"].as_array_mut().unwrap() {
            audit["wall_s"] = Value::Null;
        }
        report
    }

    /// Runs git in it, as somebody.
    pub fn git(&self, words: &[&str]) {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        let output =
            Command::new("git").current_dir(self.path()).args(identity).args(words).output();
        let output = output.unwrap();
        assert!(output.status.success(), "git {words:?}: {output:?}");
    }

    /// Commits all that is in it.
    pub fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "more"]);
    }
}

/// A file of a shard with something changed, and the hash that belongs to it then.
pub fn forged_shard(folder: &Folder, path: &Path, change: impl FnOnce(&mut Value)) -> PathBuf {
    let text = std::fs::read_to_string(path).unwrap();
    let mut file: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    change(&mut file);
    let line = file.to_string();
    let hash: String =
        Sha256::digest(line.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let forged = folder.path().join("forged.json");
    std::fs::write(&forged, format!("{line}\n{{\"sha256\":\"{hash}\"}}\n")).unwrap();
    forged
}
