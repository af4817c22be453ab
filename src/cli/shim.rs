//! Stand-ins for the renderings of `report`, until they are merged.

use crate::report::Report;
use std::io;
use std::path::{Path, PathBuf};

pub(super) struct Output {
    pub report: Report,
    pub certificates: Vec<(String, serde_json::Value)>,
}

pub(super) struct Written {
    pub report: PathBuf,
    pub page: Option<PathBuf>,
    pub certificates: Vec<(String, PathBuf)>,
}

pub(super) fn check_writable(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder).map(drop)
}

pub(super) fn write(output: &Output, folder: &Path) -> io::Result<Written> {
    let report = folder.join("report.json");
    std::fs::write(&report, serde_json::to_string_pretty(&output.report)?)?;
    let mut certificates = Vec::new();
    for (name, certificate) in &output.certificates {
        let path = folder.join(format!("{name}.json"));
        std::fs::write(&path, certificate.to_string())?;
        certificates.push((name.clone(), path));
    }
    Ok(Written { report, page: None, certificates })
}

pub(super) fn schema() -> serde_json::Value {
    schemars::schema_for!(Report).to_value()
}

pub(super) fn table(report: &Report, _width: usize) -> String {
    report.audits.iter().map(|f| format!("{}: {}\n", f.name, f.verdict.word())).collect()
}
