//! Writing a report: whole or not at all, and nowhere but into its folder.
#![cfg(feature = "html")]

use crate::support::report::names::NAMES;
use crate::support::report::report;
use plaudit::finding::{Finding, Report};
use plaudit::report::{
    Output, PlotFormat, WriteError, WrittenReport, check_writable, slugs, write,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn output() -> Output {
    let certificate = serde_json::json!({"schema_version": "1", "audit": "svt-4"});
    Output {
        report: report(),
        certificates: vec![("svt-4".into(), certificate)],
        other_leaks: vec![],
        plots: PlotFormat::Svg,
    }
}

/// Every file and folder below a folder, hidden ones included, with its content.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(snapshot(&path));
            all.insert(path, Vec::new());
        } else {
            let content = fs::read(&path).unwrap();
            all.insert(path, content);
        }
    }
    all
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_report_is_complete_and_lies_where_it_says() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("new/and/deep");
    let written = write(&output(), &folder).unwrap();
    let WrittenReport { report: json, page, plots, certificates } = &written;
    let text = fs::read_to_string(json).unwrap();
    assert!(text.ends_with("}\n") && text.contains("\n  \"schema_version\": \"1\""));
    let read: Report = serde_json::from_str(&text).unwrap();
    let json = |report: &Report| serde_json::to_value(report).unwrap();
    assert_eq!(json(&read), json(&output().report));
    // There is nothing to draw where nothing was counted.
    let counted = output().report.audits.iter().filter(|a| a.tally.trials() > 0).count();
    assert_eq!(plots.len(), 5 * counted);
    let files = plots.iter().chain(page).chain(certificates.iter().map(|(_, path)| path));
    assert!(files.clone().all(|path| path.is_file()));
    let violated = output().report.audits.iter().filter(|a| a.verdict.is_violation()).count();
    // The report, the evaluation sheet twice, and a text for each violation.
    assert_eq!(
        files.count() + 3 + violated,
        snapshot(&folder).values().filter(|c| !c.is_empty()).count()
    );
    assert_eq!(certificates[0].0, "svt-4");
    assert_eq!(certificates[0].1, folder.join("certificates/svt-4.json"));
    let page = fs::read_to_string(page.as_ref().unwrap()).unwrap();
    assert!(page.contains("plaudit replay certificates&#x2f;svt-4.json"));
    let expected = [
        "certificates",
        "evaluation.json",
        "evaluation.md",
        "index.html",
        "plots",
        "report.json",
        "reproducers",
    ];
    assert_eq!(names(&folder), expected.map(String::from).into());
}

#[test]
fn the_same_report_is_the_same_bytes() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&output(), a.path()).unwrap();
    write(&output(), b.path()).unwrap();
    let below = |folder: &Path| -> Vec<(PathBuf, Vec<u8>)> {
        let all = snapshot(folder).into_iter();
        all.map(|(path, content)| (path.strip_prefix(folder).unwrap().into(), content)).collect()
    };
    assert_eq!(below(a.path()), below(b.path()));
}

#[test]
fn a_new_report_replaces_the_earlier_one_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(&output(), folder).unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    let mut later = output();
    later.report.audits.truncate(1);
    later.certificates = vec![(later.report.audits[0].name.clone(), true.into())];
    write(&later, folder).unwrap();
    assert_eq!(names(&folder.join("certificates")), ["laplace-understated.json".into()].into());
    assert_eq!(names(&folder.join("plots")).len(), 5);
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "mine");
    later.certificates.clear();
    write(&later, folder).unwrap();
    assert!(!folder.join("certificates").exists(), "no certificate is left of the run before");
}

#[test]
fn hostile_names_stay_in_the_folder_and_apart() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    let mut output = output();
    let finding = output.report.audits[0].clone();
    // Every name twice: equal names are equal slugs too.
    output.report.audits = [NAMES, NAMES]
        .concat()
        .into_iter()
        .map(|name| Finding { name: name.into(), ..finding.clone() })
        .collect();
    let audits = output.report.audits.len();
    output.certificates =
        output.report.audits.iter().map(|a| (a.name.clone(), a.seed.into())).collect();
    let written = write(&output, &folder).unwrap();
    assert_eq!(names(place.path()), ["out".to_owned()].into(), "nothing outside the folder");
    let distinct: BTreeSet<_> = written.certificates.iter().map(|(_, path)| path).collect();
    assert_eq!(distinct.len(), audits);
    assert_eq!(names(&folder.join("plots")).len(), 5 * audits);
    for ((name, path), slug) in written.certificates.iter().zip(slugs(&output.report)) {
        assert_eq!(path, &folder.join(format!("certificates/{slug}.json")), "{name:?}");
    }
}

#[test]
fn what_is_in_the_way_is_named_and_kept() {
    let cases: [(&str, bool); 6] = [
        ("report.json/inside.txt", true),
        ("index.html/inside.txt", true),
        ("plots", false),
        ("certificates", false),
        ("certificates/server.pem", false),
        ("plots/mine/inside.txt", true),
    ];
    for (path, deep) in cases {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "mine").unwrap();
        let before = snapshot(folder.path());
        for result in [write(&output(), folder.path()).map(|_| ()), check_writable(folder.path())] {
            let error = result.unwrap_err();
            assert!(matches!(error, WriteError::InTheWay { .. }), "{error}");
            let named = if deep { file.parent().unwrap() } else { &file };
            assert!(error.to_string().contains(named.to_str().unwrap()), "{error}");
            assert!(error.to_string().contains("move it"), "{error}");
        }
        assert_eq!(snapshot(folder.path()), before);
    }
}

#[test]
fn a_file_in_the_place_of_the_folder_is_an_error_that_names_it() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "mine").unwrap();
    for folder in [file.clone(), file.join("below")] {
        for result in [write(&output(), &folder).map(|_| ()), check_writable(&folder)] {
            let message = result.unwrap_err().to_string();
            assert!(message.contains(folder.to_str().unwrap()), "{message}");
            assert!(message.contains("choose another output folder"), "{message}");
        }
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_folder_is_an_error_that_says_what_to_do() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("earlier");
    write(&output(), &folder).unwrap();
    let before = snapshot(&folder);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    // Permissions do not stop root; the kernel's own folders stop everybody.
    let root = tempfile::tempfile_in(&folder).is_ok();
    let unwritable = if root { Path::new("/proc/self") } else { &folder };
    for result in [check_writable(unwritable), write(&output(), unwritable).map(|_| ())] {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(unwritable.to_str().unwrap()), "{message}");
        assert!(message.contains("choose an"), "{message}");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(snapshot(&folder), before);
}

/// Needs a file system of 256 kB, which only root can mount; without one, the same is tested on
/// a device that is always full, where the report is written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_file_system_leaves_the_earlier_report_and_no_staging() {
    use std::process::Command;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
        .arg(folder)
        .output();
    if !mount.is_ok_and(|mount| mount.status.success()) {
        return;
    }
    let mut small = output();
    small.report.audits.truncate(1);
    small.certificates.clear();
    let earlier = write(&small, folder).map(|_| snapshot(folder));
    let failed = write(&output(), folder).map_err(|error| error.to_string());
    let after = snapshot(folder);
    let unmounted = Command::new("umount").arg(folder).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    assert_eq!(after, earlier.unwrap());
    let message = failed.unwrap_err();
    assert!(message.contains("free some space"), "{message}");
}

#[test]
fn asking_whether_a_folder_is_writable_leaves_nothing_in_it() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("new/folder");
    check_writable(&folder).unwrap();
    assert!(snapshot(&folder).is_empty());
}
