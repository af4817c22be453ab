//! Reports of audits: one of each, or several together.

use crate::failed;
use plaudit::audit::Audited;
use plaudit::cli::AskedProvenance;
use plaudit::finding::{LeakKind, Provenance, Run};
use plaudit::report::{Output, PlotFormat, Telling, html, plot as plots, slugs, write};
use plaudit::{Finding, Report};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use serde_json::Value;
use std::path::PathBuf;

/// An audit that is over.
#[pyclass(frozen, module = "plaudit._native")]
pub struct Finished {
    /// Its report, of one audit, as JSON.
    #[pyo3(get)]
    report: String,
    /// Its certificate as JSON, if it has one.
    #[pyo3(get)]
    certificate: Option<String>,
    /// That of a leak that is not the finding's own: its kind and the certificate.
    #[pyo3(get)]
    other_leak: Option<(String, String)>,
}

impl Finished {
    /// What an audit gave.
    pub fn of(audited: Audited, seed: u64, alpha: f64, asked: AskedProvenance) -> PyResult<Self> {
        let Audited { finding, certificate, other_leak, counterexample, .. } = audited;
        let mut report = Report::of(Run { seed, alpha }, vec![finding]);
        report.provenance = Some(asked.after(&report.audits, None));
        let sealed = |json: serde_json::Result<Value>| {
            json.and_then(|json| serde_json::to_string(&json)).map_err(|error| failed(&error))
        };
        let certificate = match (certificate, counterexample) {
            (Some(certificate), _) => Some(sealed(certificate.sealed())?),
            (None, Some(counterexample)) => Some(sealed(counterexample.sealed())?),
            (None, None) => None,
        };
        let other_leak = other_leak
            .map(|(kind, certificate)| {
                let kind = serde_json::to_string(&kind).map_err(|error| failed(&error))?;
                Ok::<_, PyErr>((kind, sealed(certificate.sealed())?))
            })
            .transpose()?;
        let report = serde_json::to_string_pretty(&report).map_err(|error| failed(&error))?;
        Ok(Self { report, certificate, other_leak })
    }
}

fn parse(report: &str) -> PyResult<Report> {
    serde_json::from_str(report)
        .map_err(|error| PyValueError::new_err(format!("this is no report: {error}")))
}

/// What a report says of its first audit, as JSON.
#[pyfunction]
pub fn telling(report: &str) -> PyResult<String> {
    let report = parse(report)?;
    let (finding, slug) = (report.audits.first(), slugs(&report));
    let Some((finding, slug)) = finding.zip(slug.first()) else { return Ok("{}".into()) };
    let telling = Telling::of(finding, slug);
    let mut json = serde_json::to_value(&telling).map_err(|error| failed(&error))?;
    let notes = telling.notes.iter().map(|note| format!("note: {note}"));
    json["lines"] = telling.lines().into_iter().chain(notes).collect();
    Ok(json.to_string())
}

/// The page of a report.
#[pyfunction]
pub fn page(py: Python<'_>, report: &str) -> PyResult<String> {
    let report = parse(report)?;
    Ok(py.detach(|| html::page(&report)))
}

/// A plot of the first audit of a report as SVG: "outcomes", "loss", "profile", "tradeoff" or "posterior"; `None` if
/// there is nothing to show.
#[pyfunction]
pub fn plot(report: &str, kind: &str) -> PyResult<Option<String>> {
    let report = parse(report)?;
    let Some(finding) = report.audits.first() else { return Ok(None) };
    type Draw = fn(&Finding) -> Option<plots::Plot>;
    let known: [(&str, Draw); 5] = [
        ("outcomes", plots::outcomes),
        ("loss", plots::loss),
        ("profile", plots::profile),
        ("tradeoff", plots::tradeoff),
        ("posterior", plots::posterior),
    ];
    let draw = known.iter().find(|(name, _)| *name == kind).map(|(_, draw)| draw);
    let draw = draw.ok_or_else(|| {
        let names = known.map(|(name, _)| name).join(", ");
        PyValueError::new_err(format!("there is no plot {kind:?}: {names}"))
    })?;
    Ok(draw(finding).map(|plot| plot.standalone()))
}

/// Where several audits come from: begun with the first, and by its command. Whether its commit is that of all is known only
/// if all say so.
fn joined((mut one, other): (Provenance, Provenance)) -> Provenance {
    one.wall_s = None;
    one.git = one.git.filter(|git| other.git.as_ref() == Some(git));
    one.audits.extend(other.audits);
    if other.started < one.started {
        (one.started, one.command) = (other.started, other.command);
    }
    one
}

/// Report, certificate, and the kind and certificate of another leak, of a [`Finished`].
type Parts = (String, Option<String>, Option<(String, String)>);

/// Writes the audits of several reports as one, as the program does: `(report, certificate, other leak)` of each.
/// Gives the path of the page.
#[pyfunction]
pub fn save(py: Python<'_>, finished: Vec<Parts>, folder: PathBuf) -> PyResult<PathBuf> {
    let value = |json: &str| serde_json::from_str::<Value>(json).map_err(|error| failed(&error));
    let mut whole: Option<Report> = None;
    let (mut certificates, mut other_leaks) = (Vec::new(), Vec::new());
    for (report, certificate, other_leak) in &finished {
        let report = parse(report)?;
        let name = report.audits.first().map_or_else(String::new, |finding| finding.name.clone());
        if let Some(certificate) = certificate {
            certificates.push((name.clone(), value(certificate)?));
        }
        if let Some((kind, certificate)) = other_leak {
            let kind: LeakKind = serde_json::from_str(kind).map_err(|error| failed(&error))?;
            other_leaks.push((name, kind, value(certificate)?));
        }
        match &mut whole {
            Some(whole) => {
                whole.audits.extend(report.audits);
                whole.provenance = whole.provenance.take().zip(report.provenance).map(joined);
            }
            None => whole = Some(report),
        }
    }
    let report = whole.ok_or_else(|| PyValueError::new_err("there is no audit to write"))?;
    let output = Output { report, certificates, other_leaks, plots: PlotFormat::Svg };
    let written = py.detach(|| write(&output, &folder));
    let written = written.map_err(|error| PyOSError::new_err(error.to_string()))?;
    Ok(written.page.unwrap_or(written.report))
}
