//! Files that a change touches, according to git.

use super::{links, provenance};
use crate::cli::{Failure, output};
use crate::rebuild;
use crate::regressions;
use crate::spec::Loaded;
use glob::{MatchOptions, Pattern};
use plaudit_core::visible::visible;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Maximum number of audits named; the report has all.
const MOST_NAMES: usize = 10;

/// Settings of all audits: a change of these files affects every audit.
const SETTINGS: &str = "plaudit.toml";

/// Removes the audits that a change does not affect, reports that, and returns their names. If this is unknown, the
/// audit counts as affected.
pub(in crate::cli) fn leave_out(
    audits: &mut Vec<Loaded>,
    revision: &str,
) -> Result<Vec<String>, Failure> {
    let change = RepositoryChange::since(revision)?;
    let all = audits.len();
    let mut left_out = Vec::new();
    audits.retain(|loaded| {
        let touched = change.touches(loaded);
        if !touched {
            left_out.push(loaded.audit.name.clone());
        }
        touched
    });
    if left_out.is_empty() {
        return Ok(left_out);
    }
    let mut names =
        left_out.iter().take(MOST_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    if left_out.len() > MOST_NAMES {
        names += &format!(" and {} more", left_out.len() - MOST_NAMES);
    }
    output::note(&format!(
        "left out {} of {all} audits: no file that they watch has changed since {}: {}",
        left_out.len(),
        visible(revision),
        visible(&names)
    ));
    Ok(left_out)
}

/// Files that git knows, by the folder that was asked for.
#[derive(Default)]
pub(in crate::cli) struct WatchedFiles(HashMap<PathBuf, Option<(PathBuf, BTreeSet<String>)>>);

impl WatchedFiles {
    /// The files that an audit watches, of those that git does not ignore: path from the root, and where it is. Empty where
    /// git does not know its spec.
    pub fn of(&mut self, loaded: &Loaded) -> Vec<(String, PathBuf)> {
        let folder = loaded.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let known = self.0.entry(folder.to_owned()).or_insert_with(|| known_files(folder));
        let (Some(patterns), Some((root, known))) = (&loaded.watch, known) else {
            return Vec::new();
        };
        let known = known.iter().filter(|path| patterns.iter().any(|it| is_match(it, path)));
        known.map(|path| (path.clone(), root.join(path))).collect()
    }
}

/// The root of the repository that a folder is in, and the files there that git does not ignore.
fn known_files(folder: &Path) -> Option<(PathBuf, BTreeSet<String>)> {
    let root = answer(folder, &["rev-parse", "--show-toplevel"]).ok()?;
    let root = PathBuf::from(text(&root).trim_end_matches(['\r', '\n']));
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let known = names(&answer(&root, &list).ok()?);
    Some((root, known))
}

/// The files of a repository, and those of them that differ from a revision.
struct RepositoryChange {
    root: PathBuf,
    /// Paths from the root of all files that git does not ignore.
    known: BTreeSet<String>,
    changed: BTreeSet<String>,
}

impl RepositoryChange {
    /// Changes of the working tree, committed or not, since it left a revision.
    fn since(revision: &str) -> Result<Self, Failure> {
        let here = Path::new(".");
        let root = answer(here, &["rev-parse", "--show-toplevel"])?;
        let root = PathBuf::from(text(&root).trim_end_matches(['\r', '\n']));
        let wanted = format!("{revision}^{{commit}}");
        let found = ask(&root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])?;
        if !found.status.success() {
            return Err(Failure::Message(format!(
                "--changed-since: git knows no revision `{}` here: name a branch, a tag or a commit, and fetch it \
                 first (`git fetch origin main`)",
                visible(revision)
            )));
        }
        let commit = text(&found.stdout).trim().to_owned();
        let base = ask(&root, &["merge-base", "HEAD", &commit])?;
        if !base.status.success() {
            return Err(Failure::Message(format!(
                "--changed-since: git finds no common ancestor of HEAD and `{}`: fetch the whole history \
                 (`git fetch --unshallow`; `fetch-depth: 0` of actions/checkout)",
                visible(revision)
            )));
        }
        let base = text(&base.stdout).trim().to_owned();
        let diff = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-relative"];
        let diff = [&diff[..], &["--ignore-submodules=none", "--end-of-options", &base, "--"]];
        let mut changed = names(&answer(&root, &diff.concat())?);
        let untracked = ["ls-files", "-z", "--others", "--exclude-standard"];
        changed.extend(names(&answer(&root, &untracked)?));
        let mut known = names(&answer(&root, &["ls-files", "-z", "--cached"])?);
        known.extend(changed.iter().cloned());
        Ok(Self { root, known, changed })
    }

    /// `true` if an audit may end otherwise than before.
    fn touches(&self, loaded: &Loaded) -> bool {
        let Some(patterns) = &loaded.watch else { return true };
        // A folder is another repository: its files are not listed.
        let is_open = |path: &String| path.ends_with('/') || self.root.join(path).is_dir();
        let sets = |path: &String| path.rsplit('/').next() == Some(SETTINGS);
        if self.changed.iter().any(|path| is_open(path) || sets(path)) {
            return true;
        }
        let Some(spec) = self.path_of(&loaded.file).filter(|spec| self.known.contains(spec)) else {
            return true;
        };
        let kept = self.path_of(&regressions::regressions_of(&loaded.file));
        if self.changed.contains(&spec) || kept.is_some_and(|kept| self.changed.contains(&kept)) {
            return true;
        }
        if self.names_changed(loaded) {
            return true;
        }
        patterns.iter().any(|pattern| {
            if self.changed.iter().any(|path| is_match(pattern, path)) {
                return true;
            }
            let mut watched = self.known.iter().filter(|path| is_match(pattern, path)).peekable();
            if watched.peek().is_none() {
                let pattern = visible(pattern.as_str());
                let why = format!("its `watch` names `{pattern}`, which matches no tracked file");
                return is_run(loaded, &why);
            }
            let links = watched.map(|path| self.root.join(path)).filter(|path| path.is_symlink());
            links.into_iter().any(|link| match self.is_changed(&link) {
                Some(changed) => changed,
                None => is_run(
                    loaded,
                    &format!(
                        "it watches the link {}, and git does not track its target",
                        output::path(&link)
                    ),
                ),
            })
        })
    }

    /// `true` if a file that the spec names has changed: data, recorded outcomes, datasets, or files of a command. Data that git does
    /// not know may have; of commands those files are installed, or built from what is watched.
    fn names_changed(&self, loaded: &Loaded) -> bool {
        let of_data = data_files(loaded).into_iter().any(|file| match self.is_changed(&file) {
            Some(changed) => changed,
            None => {
                is_run(loaded, &format!("git does not track its data, {}", output::path(&file)))
            }
        });
        let programs = provenance::program_files(loaded);
        of_data || programs.iter().any(|(file, _)| self.is_changed(file) == Some(true))
    }

    /// `true` if a file, or a link on the way to it, differs; `None` if git does not know the file.
    fn is_changed(&self, file: &Path) -> Option<bool> {
        let root = self.root.canonicalize().ok()?;
        let trail = links::trail(file)?;
        let below = |path: &PathBuf| {
            let parts = path.strip_prefix(&root).ok()?.components();
            let parts = parts.map(|part| part.as_os_str().to_string_lossy());
            Some(parts.collect::<Vec<_>>().join("/"))
        };
        let names: Vec<Option<String>> = trail.iter().map(below).collect();
        let is_in = |files: &BTreeSet<String>, name: &String| {
            let folder = format!("{name}/");
            files.contains(name)
                || files.range(folder.clone()..).next().is_some_and(|it| it.starts_with(&folder))
        };
        if names.iter().flatten().any(|name| is_in(&self.changed, name)) {
            return Some(true);
        }
        let end = names.last()?.as_ref()?;
        is_in(&self.known, end).then_some(false)
    }

    /// The path from the root, of a file below it.
    fn path_of(&self, file: &Path) -> Option<String> {
        let root = self.root.canonicalize().ok()?;
        // The file itself may be a link, which git knows by its own name.
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        let path = folder.join(file.file_name()?);
        let is_link = path.symlink_metadata().is_ok_and(|data| data.is_symlink());
        let parts = path.strip_prefix(root).ok().filter(|_| !is_link)?.components();
        let parts = parts.map(|part| part.as_os_str().to_string_lossy());
        Some(parts.collect::<Vec<_>>().join("/"))
    }
}

/// Explains why an audit is run without a known change.
fn is_run(loaded: &Loaded, why: &str) -> bool {
    output::note(&format!("{} is run: {why}", visible(&loaded.audit.name)));
    true
}

/// The files of data that a spec names.
fn data_files(loaded: &Loaded) -> Vec<PathBuf> {
    let Loaded { audit, file: spec, .. } = loaded;
    let mut files: Vec<PathBuf> = loaded.table.iter().cloned().collect();
    if rebuild::is_recorded(&audit.summary) {
        let path = |key: &str| audit.summary.parameters[key].as_str().map(PathBuf::from);
        files.extend(["d", "d_prime"].into_iter().filter_map(path));
    }
    let folder = spec.parent().unwrap_or(Path::new(""));
    let datasets = audit.pairs.iter().flat_map(|pair| [&pair.d, &pair.d_prime]);
    files.extend(datasets.filter_map(|it| Some(folder.join(it.file()?.path))));
    files
}

/// `true` if a pattern names a file, or a folder above it.
fn is_match(pattern: &Pattern, path: &str) -> bool {
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    folders.chain([path]).any(|part| pattern.matches_with(part, options))
}

/// Names that end with a zero each.
fn names(bytes: &[u8]) -> BTreeSet<String> {
    bytes.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(text).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Answer of git; a failure is one of git's own.
fn answer(folder: &Path, words: &[&str]) -> Result<Vec<u8>, Failure> {
    let output = ask(folder, words)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = text(&output.stderr);
    let why = match said.contains("not a git repository") {
        true => {
            "this folder is not in a git repository: run it in one, or leave the option out".into()
        }
        false => format!("`git {}` failed: {}", words[0], visible(said.trim())),
    };
    Err(Failure::Message(format!("--changed-since: {why}")))
}

fn ask(folder: &Path, words: &[&str]) -> Result<Output, Failure> {
    // Its messages are parsed, so they must not depend on the user's language.
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(words).env("LC_ALL", "C");
    command.output().map_err(|error| {
        Failure::Message(format!(
            "--changed-since needs git, which cannot be started ({error}): install it, or leave the option out"
        ))
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/running/changed.rs"]
mod tests;
