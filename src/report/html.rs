//! The report as one page that needs nothing else: what matters first, one section an audit, closed unless
//! its verdict was not expected. Everything from outside is escaped. The page is whole without its script,
//! which only filters and opens.
//!
//! Plots stand in the page itself as long as it stays small; those of the last audits of a long report are
//! read from the folder of plots beside it.

mod card;
mod figures;
mod outside;

use super::plot;
use super::slugs;
use super::words::{self, brief, count, duration};
use crate::finding::{Finding, Provenance, Report, Verdict};
use card::Card;
use figures::Budget;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Value, context};
use outside::{NAME, TEXT, text};

/// SHA-256 of the page's one script with the line breaks around it, in Base64: no other may run.
const SCRIPT: &str = "Tw1J4CRst7rrZ9lkD8YUJskbEOY/km7bh1o444C/TlE=";

/// The page: what `index.html` holds. Replay commands name the certificates as
/// [`write`](super::write()) does, relative to the output folder.
pub fn page(report: &Report) -> String {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .expect("the usual delimiters are not ambiguous"),
    );
    let templates = [
        ("page", include_str!("templates/page.html")),
        ("card", include_str!("templates/card.html")),
        ("reading", include_str!("templates/reading.html")),
    ];
    for (name, template) in templates {
        environment
            .add_template(name, template)
            .expect("the templates are part of the program, and a test renders them");
    }
    let safe = |text: &'static str| Value::from_safe_string(text.trim_end().into());
    let unexpected = report.audits.iter().filter(|finding| group(finding) == 0).count();
    let context = context! {
        tool => text(&report.tool.name, NAME),
        version => text(&report.tool.version, NAME),
        seed => report.run.seed.to_string(),
        alpha => brief(report.run.alpha),
        totals => words::verdicts(report),
        audits => count(report.audits.len() as u64),
        several => report.audits.len() > 1,
        judgement => words::judgement(report),
        unexpected => unexpected,
        provenance => report.provenance.as_ref().map(provenance),
        style => Value::from_safe_string(include_str!("templates/style.css").to_owned() + plot::STYLE.trim_end()),
        script_hash => SCRIPT,
        script => safe(include_str!("templates/script.js")),
        groups => groups(report),
    };
    environment
        .get_template("page")
        .and_then(|page| page.render(context))
        .expect("the template is part of the program, and a test renders it")
}

/// In which group an audit stands: what somebody must look at comes first.
fn group(finding: &Finding) -> usize {
    match (finding.as_expected || finding.interrupted, finding.verdict) {
        (false, _) => 0,
        (true, Verdict::Violated) => 1,
        (true, Verdict::Inconclusive) => 2,
        (true, Verdict::NotRefuted) => 3,
        (true, Verdict::Bounded) => 4,
        (true, Verdict::Verified) => 5,
    }
}

/// The groups that are not empty, each with its audits in the order of the report.
fn groups(report: &Report) -> Vec<Value> {
    const GROUPS: [(&str, &str); 6] = [
        ("unexpected", "Unexpected"),
        ("violated", "Violated, as expected"),
        ("inconclusive", "Inconclusive"),
        ("not-refuted", "Not refuted"),
        ("bounded", "Bounded"),
        ("verified", "Verified"),
    ];
    let slugs = slugs(report);
    let origins = report.provenance.as_ref().map(|provenance| &provenance.audits);
    let mut budget = Budget::default();
    let mut groups = Vec::new();
    for (at, (id, heading)) in GROUPS.into_iter().enumerate() {
        let members = report.audits.iter().zip(&slugs).enumerate();
        let audits: Vec<Value> = members
            .filter(|(_, (finding, _))| group(finding) == at)
            .map(|(place, (finding, slug))| {
                let origin = origins.and_then(|origins| origins.get(place));
                Card { finding, slug, origin }.value(&mut budget)
            })
            .collect();
        if !audits.is_empty() {
            let many = count(audits.len() as u64);
            groups.push(context! { id, heading, many, audits });
        }
    }
    groups
}

/// Where the report comes from.
fn provenance(provenance: &Provenance) -> Value {
    context! {
        started => text(&provenance.started, NAME),
        command => text(&shell(&provenance.command), TEXT),
        build => text(&provenance.build, NAME),
        commit => provenance.git.as_ref().map(|git| text(&git.commit, NAME)),
        clean => provenance.git.as_ref().and_then(|git| git.clean),
        wall => provenance.wall_s.map(duration),
        jobs => provenance.jobs,
    }
}

/// A command as a shell takes it.
fn shell(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%^".contains(c);
    let quoted = words.iter().map(|word| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}
