//! The audits that ship, at the trials they ship with.

use assert_cmd::Command;

/// One seed of the twenty in `benches/results/seeds.md`. It fails if a right mechanism is refuted
/// (45 of them at α = 10⁻⁶: by chance with probability at most 4.5·10⁻⁵) or a broken one is not.
#[test]
#[ignore = "takes minutes"]
fn every_verdict_is_as_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_plaudit"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["audit", "audits", "--seed", "1", "--no-progress", "--no-regressions", "--out"])
        .arg(folder.path())
        .assert()
        .code(0);
}
