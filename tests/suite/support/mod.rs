//! What tests share. `tests/parquet.rs` and some benches read these files, too.

pub mod accountant;
pub mod agree;
#[cfg(feature = "cli")]
pub mod attack;
pub mod catalog;
pub mod cli;
pub mod heap;
pub mod oracle;
pub mod program;
pub mod report;
pub mod search;

/// Compares a text with a committed file; writes it anew when `PLAUDIT_UPDATE` is set.
pub fn assert_snapshot(file: &str, text: &str) {
    if std::env::var_os("PLAUDIT_UPDATE").is_some() {
        std::fs::write(file, text).unwrap();
    }
    let committed = std::fs::read_to_string(file).unwrap();
    let mut lines = committed.lines().zip(text.lines()).enumerate();
    if let Some((at, (was, is))) = lines.find(|(_, (was, is))| was != is) {
        panic!("{file}, line {}:\nwas {was}\nis  {is}\nPLAUDIT_UPDATE=1 accepts it", at + 1);
    }
    assert_eq!(committed, text, "{file}: PLAUDIT_UPDATE=1 accepts it");
}
