//! Reports on a failing disk. The disk is made to fail where only this room can reach.

use super::*;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

fn output() -> Output {
    let report = serde_json::from_str(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/sample-report.json"
    )))
    .expect("the sample is a report");
    Output {
        report,
        certificates: vec![("laplace-understated".into(), Value::Bool(true))],
        other_leaks: vec![],
        plots: PlotFormat::Svg,
    }
}

/// Every file below a folder, with its content, hidden ones included.
fn snapshot(folder: &Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let mut files = std::collections::BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.insert(path.clone(), Vec::new());
            files.extend(snapshot(&path));
        } else {
            files.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    files
}

/// A folder with an earlier report that differs from `output()` in every part.
fn earlier() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut earlier = output();
    earlier.report.audits.truncate(2);
    earlier.report.run.seed += 1;
    earlier.certificates = vec![("other".into(), Value::Null)];
    write(&earlier, folder.path()).unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    folder
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_earlier_report_as_it_was() {
    // Each part in turn meets a device that is always full.
    fn full_at(path: &Path, name: &str) -> io::Result<File> {
        if path.ends_with(name) {
            File::options().write(true).open("/dev/full")
        } else {
            File::create_new(path)
        }
    }
    let disks = [
        Disk { create: |path| full_at(path, "report.json"), ..Disk::default() },
        Disk { create: |path| full_at(path, "laplace-understated.json"), ..Disk::default() },
    ];
    for disk in disks {
        let folder = earlier();
        let before = snapshot(folder.path());
        let error = write_on(&disk, &output(), folder.path()).unwrap_err();
        assert_eq!(snapshot(folder.path()), before);
        let message = error.to_string();
        assert!(
            message.contains("No space left") && message.contains("free some space"),
            "{message}"
        );
        assert!(message.contains(folder.path().to_str().unwrap()), "{message}");
        assert!(!message.contains(".plaudit-"), "the reader's path, not ours: {message}");
    }
}

#[test]
fn a_move_that_fails_is_undone() {
    fn refuse(from: &Path, to: &Path, name: &str) -> io::Result<()> {
        // Only the moves forward: `new` into place, or the old part away.
        let forward = from.components().any(|part| part.as_os_str() == "new")
            || to.components().any(|part| part.as_os_str() == "old");
        if forward && to.ends_with(name) {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        fs::rename(from, to)
    }
    let disks = [
        Disk { rename: |from, to| refuse(from, to, "report.json"), ..Disk::default() },
        Disk { rename: |from, to| refuse(from, to, "index.html"), ..Disk::default() },
        Disk { rename: |from, to| refuse(from, to, "certificates"), ..Disk::default() },
        Disk { rename: |from, to| refuse(from, to, "old/plots"), ..Disk::default() },
    ];
    // Also where folders cannot trade places.
    let apart =
        |disk: &Disk| Disk { exchange: |_, _| Err(io::ErrorKind::Unsupported.into()), ..*disk };
    let without: Vec<Disk> = disks.iter().map(apart).collect();
    for (at, disk) in disks.iter().chain(&without).enumerate() {
        if !cfg!(feature = "html") && at % 2 == 1 {
            continue;
        }
        let folder = earlier();
        let before = snapshot(folder.path());
        let error = write_on(disk, &output(), folder.path()).unwrap_err();
        assert_eq!(snapshot(folder.path()), before, "case {at}");
        assert!(error.to_string().contains("permissions"), "{error}");
    }
}

#[test]
fn an_earlier_report_that_cannot_be_moved_back_is_kept_and_its_place_told() {
    let disk = Disk {
        rename: |from, to| {
            let away = to.components().any(|part| part.as_os_str() == "old");
            if away { fs::rename(from, to) } else { Err(io::ErrorKind::Other.into()) }
        },
        ..Disk::default()
    };
    let folder = earlier();
    let report = fs::read(folder.path().join("report.json")).unwrap();
    let error = write_on(&disk, &output(), folder.path()).unwrap_err();
    let WriteError::NotUndone { kept, .. } = &error else { panic!("{error}") };
    assert!(kept.read_dir().unwrap().count() > 0, "the old parts are where the message says");
    assert!(error.to_string().contains(kept.to_str().unwrap()));
    assert_eq!(fs::read(folder.path().join("report.json")).unwrap(), report);
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_left_is_deleted_and_what_is_in_use_or_kept_is_not() {
    let folder = earlier();
    let named = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.join("old")).unwrap();
        fs::write(path.join("old/report.json"), "{}").unwrap();
        path
    };
    let abandoned = named(".plaudit-abandoned");
    fs::write(abandoned.join(Staging::LOCK), "").unwrap();
    let mine = named(".plaudit-mine");
    fs::write(mine.join(Staging::LOCK), "").unwrap();
    fs::write(mine.join("notes.txt"), "mine").unwrap();
    let in_use = Staging::new(folder.path()).unwrap();
    // Of another system, or kept for the reader: it has no lock.
    let kept = named(".plaudit-kept");
    let [empty, early] = [".plaudit-empty", ".plaudit-early"].map(|name| folder.path().join(name));
    for path in [&empty, &early] {
        fs::create_dir(path).unwrap();
        fs::write(path.join(Staging::UNLOCKED), "").unwrap();
    }
    let age = |path: &Path| {
        let long_ago = SystemTime::now() - Duration::from_secs(7_200);
        File::open(path).unwrap().set_modified(long_ago).unwrap();
    };
    age(&empty);
    age(&kept);
    let foreign = named("plaudit-notes");
    fs::write(foreign.join(Staging::LOCK), "").unwrap();
    write(&output(), folder.path()).unwrap();
    assert!(!abandoned.exists() && !empty.exists() && early.exists());
    assert!(in_use.path().exists() && kept.exists() && foreign.exists());
    assert!(mine.join("notes.txt").exists() && !mine.join("old").exists());
    let path = in_use.keep();
    write(&output(), folder.path()).unwrap();
    assert!(path.exists(), "kept for the reader");
}
