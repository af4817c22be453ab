//! The report as files, written whole or not at all.
//!
//! Everything is first written and flushed into a staging folder inside the output folder, then
//! moved into place, `report.json` last. A failure before the moves leaves the previous report unchanged; a move that
//! fails is undone. Each file and, where the system can, each folder is replaced in one step, so that a killed process
//! leaves the old or the new one. The next report deletes any remains of the staging folder.

#[cfg(feature = "html")]
use super::file::sha256_of;
use super::file::{json, other_leak_file};
use super::slug::Slugs;
use super::staging::Staging;
use plaudit_core::finding::{LeakKind, Report};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Everything that a run leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub report: Report,
    /// The certificates of its violations, with the name of the audit of each.
    pub certificates: Vec<(String, Value)>,
    /// Certificates of the leaks that are not the findings' own, likewise.
    pub other_leaks: Vec<(String, LeakKind, Value)>,
    pub plots: PlotFormat,
}

/// Format of plots, each in a file of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlotFormat {
    /// SVG, in the colours of the page, light or dark.
    #[default]
    Svg,
    /// PNG, 1 280 pixels wide, on white.
    #[cfg(feature = "png")]
    Png,
}

/// Paths written by [`write()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenReport {
    pub report: PathBuf,
    pub page: Option<PathBuf>,
    /// The plots, five an audit, with the feature `html`.
    pub plots: Vec<PathBuf>,
    /// The certificates, in the order given, with the name of the audit of each.
    pub certificates: Vec<(String, PathBuf)>,
}

/// Reason why a report could not be written. The previous one, if any, is unchanged, unless the error is
/// [`WriteError::NotUndone`].
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("cannot {action} `{}`: {source}; {remedy}; an earlier report is untouched", .path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error, remedy: &'static str },
    /// A foreign file is in the place of a part of the report.
    #[error(
        "`{}` is in the way: {problem}; move it, or choose another output folder", .path.display()
    )]
    InTheWay { path: PathBuf, problem: &'static str },
    /// Moving the new report into place failed, and so did moving the old one back.
    #[error(
        "cannot move `{}` into place: {source}; the earlier report could not be moved back either \
         and is kept in `{}`: copy it from there after removing the cause",
        .path.display(), .kept.display()
    )]
    NotUndone {
        path: PathBuf,
        /// Place of the parts of the earlier report that were moved away.
        kept: PathBuf,
        source: io::Error,
    },
}

/// Parts of a report that are folders, with the endings of the files in them; they are replaced
/// whole.
const FOLDERS: &[(&str, &[&str])] = if cfg!(feature = "html") {
    &[("plots", &["svg", "png"]), ("certificates", &["json"]), ("reproducers", &["md"])]
} else {
    &[("certificates", &["json"])]
};

/// Parts of a report that are files, in the order in which they are moved.
const FILES: &[&str] = if cfg!(feature = "html") {
    &["index.html", "evaluation.md", "evaluation.json", "report.json"]
} else {
    &["report.json"]
};

/// Writes the report, its page, plots and certificates into `folder`, which is made if need be.
///
/// The subfolders `plots`, `certificates` and `reproducers` are replaced whole, and what a run left that was killed while it
/// wrote (`.plaudit-…`) is deleted; any other file is left alone.
///
/// # Errors
/// If the folder cannot be made or written, something is in the way, or the disk is full.
pub fn write(output: &Output, folder: &Path) -> Result<WrittenReport, WriteError> {
    write_on(&Disk::default(), output, folder)
}

/// Checks that [`write()`] could write a report into `folder`, before a long run. Makes the folder if need be, and
/// leaves nothing in it.
///
/// # Errors
/// Same as [`write()`].
pub fn check_writable(folder: &Path) -> Result<(), WriteError> {
    make_folder(folder)?;
    nothing_in_the_way(folder)?;
    let probe = || -> io::Result<()> {
        // It has no name where the system allows that, so that a process killed here leaves nothing.
        let mut file = tempfile::tempfile_in(folder)?;
        file.write_all(&[b' '; 4096])?;
        file.sync_all()
    };
    probe().map_err(failed("write into", folder))
}

/// The operations that tests make fail.
struct Disk {
    create: fn(&Path) -> io::Result<File>,
    rename: fn(&Path, &Path) -> io::Result<()>,
    /// Lets two folders trade places in one step, where the system can.
    exchange: fn(&Path, &Path) -> io::Result<()>,
}

impl Default for Disk {
    fn default() -> Self {
        Self {
            create: |path| File::create_new(path),
            rename: |from, to| fs::rename(from, to),
            exchange,
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A file of the report: path below the output folder, and content.
type ReportFile = (PathBuf, Vec<u8>);

fn write_on(disk: &Disk, output: &Output, folder: &Path) -> Result<WrittenReport, WriteError> {
    make_folder(folder)?;
    nothing_in_the_way(folder)?;
    let (parts, written) = render(output, folder);
    let staging = Staging::new(folder).map_err(failed("write into", folder))?;
    let (new, old) = (staging.path().join("new"), staging.path().join("old"));
    stage(disk, &parts, &new, folder)?;
    fs::create_dir(&old).map_err(failed("write into", folder))?;
    match swap(disk, folder, &new, &old) {
        Ok(()) => {
            staging.remove_abandoned(folder);
            Ok(written)
        }
        Err(Failed { path, source, undone: true }) => Err(failed("replace", &path)(source)),
        Err(Failed { path, source, undone: false }) => {
            Err(WriteError::NotUndone { path, source, kept: staging.keep().join("old") })
        }
    }
}

/// All files of the report, in memory.
fn render(output: &Output, folder: &Path) -> (Vec<ReportFile>, WrittenReport) {
    let mut slugs = Slugs::default();
    let named: Vec<(&str, String)> =
        output.report.audits.iter().map(|a| (a.name.as_str(), slugs.of(&a.name))).collect();
    let mut parts: Vec<ReportFile> = Vec::new();
    #[cfg(feature = "html")]
    for (finding, (_, slug)) in output.report.audits.iter().zip(&named) {
        let plots = super::plot::all(finding);
        parts.extend(plots.iter().map(|plot| drawn(plot, slug, output.plots)));
    }
    #[cfg(feature = "html")]
    for finding in &output.report.attacks {
        let slug = slugs.of(&finding.name);
        let plot = super::plot::attack(finding);
        parts.extend(plot.map(|plot| drawn(&plot, &slug, output.plots)));
    }
    let plots = parts.iter().map(|(path, _)| folder.join(path)).collect();
    let mut certificates = Vec::new();
    let mut unused = named.clone();
    for (name, certificate) in &output.certificates {
        // The n-th certificate of a name belongs to the n-th audit of that name.
        let slug = match unused.iter().position(|(audit, _)| audit == name) {
            Some(at) => unused.remove(at).1,
            None => slugs.of(name),
        };
        let path = Path::new("certificates").join(format!("{slug}.json"));
        certificates.push((name.clone(), folder.join(&path)));
        parts.push((path, json(certificate)));
    }
    for (name, leak, certificate) in &output.other_leaks {
        let named = named.iter().find(|(audit, _)| audit == name);
        let slug = named.map_or_else(|| slugs.of(name), |(_, slug)| slug.clone());
        let path = Path::new("certificates").join(other_leak_file(&slug, *leak));
        certificates.push((name.clone(), folder.join(&path)));
        parts.push((path, json(certificate)));
    }
    let page = cfg!(feature = "html").then(|| folder.join("index.html"));
    let report = json(&output.report);
    #[cfg(feature = "html")]
    {
        for (finding, (_, slug)) in output.report.audits.iter().zip(&named) {
            let text = super::reproducer::reproducer(&output.report, finding, slug);
            let path = Path::new("reproducers").join(format!("{slug}.md"));
            parts.extend(text.map(|text| (path, text.into_bytes())));
        }
        let page = super::html::page_of(&output.report, &sha256_of(&report));
        parts.push(("index.html".into(), page.into_bytes()));
        let sheets = super::evaluation::sheets(&output.report);
        parts.push(("evaluation.json".into(), json(&sheets)));
        let markdown = super::evaluation::markdown(&output.report);
        parts.push(("evaluation.md".into(), markdown.into_bytes()));
    }
    parts.push(("report.json".into(), report));
    (parts, WrittenReport { report: folder.join("report.json"), page, plots, certificates })
}

#[cfg(feature = "html")]
fn drawn(plot: &super::plot::Plot, slug: &str, format: PlotFormat) -> ReportFile {
    let (ending, content) = match format {
        PlotFormat::Svg => ("svg", plot.standalone().into_bytes()),
        #[cfg(feature = "png")]
        PlotFormat::Png => ("png", plot.png()),
    };
    (Path::new("plots").join(format!("{slug}-{}.{ending}", plot.kind.word())), content)
}

/// Writes all files below `new`, and only then flushes them: the first flush takes most along.
/// Errors name the place where a file was to go.
fn stage(disk: &Disk, parts: &[ReportFile], new: &Path, folder: &Path) -> Result<(), WriteError> {
    for (path, content) in parts {
        let target = new.join(path);
        let parent = target.parent().expect("a file below a folder has a parent");
        fs::create_dir_all(parent)
            .and_then(|()| (disk.create)(&target)?.write_all(content))
            .map_err(failed("write", &folder.join(path)))?;
    }
    for (path, _) in parts {
        File::options()
            .write(true)
            .open(new.join(path))
            .and_then(|file| file.sync_all())
            .map_err(failed("write", &folder.join(path)))?;
    }
    Ok(())
}

struct Failed {
    path: PathBuf,
    source: io::Error,
    /// `true` if all earlier moves were undone.
    undone: bool,
}

/// Moves the old parts of the report out of `folder` and the new ones in, or changes nothing.
fn swap(disk: &Disk, folder: &Path, new: &Path, old: &Path) -> Result<(), Failed> {
    let places = |name: &str| [folder, new, old].map(|parent| parent.join(name));
    // Files stay until the new ones take their place, and have a second name to come back from. All of them get it
    // first, so that the moves are quick: a process killed among them leaves parts of both reports.
    for name in FILES {
        let [place, fresh, away] = places(name);
        if place.is_file() && fresh.is_file() {
            let linked =
                fs::hard_link(&place, &away).or_else(|_| fs::copy(&place, &away).map(drop));
            linked.map_err(|source| Failed { path: place, source, undone: true })?;
        }
    }
    // What moves everything back, the last first.
    let mut back: Vec<(PathBuf, PathBuf)> = Vec::new();
    let names = FOLDERS.iter().map(|(name, _)| *name).chain(FILES.iter().copied());
    for name in names {
        let [place, fresh, away] = places(name);
        let moved = (|| {
            if away.is_file() {
                (disk.rename)(&fresh, &place)?;
                back.push((away, place.clone()));
                return Ok(());
            }
            if place.is_dir() && fresh.is_dir() && (disk.exchange)(&fresh, &place).is_ok() {
                if let Err(source) = (disk.rename)(&fresh, &away) {
                    (disk.exchange)(&fresh, &place)?;
                    return Err(source);
                }
                back.push((away, place.clone()));
                back.push((place.clone(), fresh));
                return Ok(());
            }
            if place.symlink_metadata().is_ok() {
                (disk.rename)(&place, &away)?;
                back.push((away, place.clone()));
            }
            if fresh.exists() {
                (disk.rename)(&fresh, &place)?;
                back.push((place.clone(), fresh));
            }
            Ok(())
        })();
        if let Err(source) = moved {
            let stuck = |(from, to): &&(PathBuf, PathBuf)| (disk.rename)(from, to).is_err();
            // All of them are moved back, even if one cannot be.
            let stuck = back.iter().rev().filter(stuck).count();
            return Err(Failed { path: place, source, undone: stuck == 0 });
        }
    }
    // Best effort: the files are flushed, and not every system can flush a folder.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn make_folder(folder: &Path) -> Result<(), WriteError> {
    if folder.exists() && !folder.is_dir() {
        return Err(WriteError::InTheWay { path: folder.into(), problem: "it is not a folder" });
    }
    fs::create_dir_all(folder).map_err(failed("create the folder", folder))
}

/// Refuses to replace what no report wrote.
fn nothing_in_the_way(folder: &Path) -> Result<(), WriteError> {
    let in_the_way = |path, problem| Err(WriteError::InTheWay { path, problem });
    for name in FILES {
        let path = folder.join(name);
        if path.is_dir() {
            return in_the_way(path, "a file of the report has this name");
        }
    }
    for (name, endings) in FOLDERS {
        let path = folder.join(name);
        let Ok(metadata) = path.symlink_metadata() else { continue };
        if !metadata.is_dir() {
            return in_the_way(path, "a folder of the report has this name");
        }
        for entry in fs::read_dir(&path).map_err(failed("read", &path))? {
            let entry = entry.map_err(failed("read", &path))?.path();
            let ours = |given: &std::ffi::OsStr| endings.iter().any(|ending| given == *ending);
            if entry.is_dir() || !entry.extension().is_some_and(ours) {
                return in_the_way(
                    entry,
                    "every run replaces its whole folder, but no run wrote it",
                );
            }
        }
    }
    Ok(())
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError::Io { action, path, remedy: remedy(source.kind()), source }
}

fn remedy(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space, or choose an output folder on another disk"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose an output folder that you may write, or change its permissions"
        }
        _ => "check the path, or choose another output folder",
    }
}

#[cfg(test)]
#[path = "../../tests/unit/report/write.rs"]
mod tests;
