//! The report as one page that needs nothing else: the important parts first, one section an audit, closed
//! unless its verdict was unexpected or it is the only one. Everything from outside is escaped. The page is complete without its
//! script, which filters and opens.
//!
//! The body of a closed card is within `<noscript>`: where scripts run it is inert text until the card is opened, so that
//! a page of a hundred audits stays light; where they do not it is part of the page.
//!
//! Plots are in the page itself as long as it stays small; those of the last audits of a long report are
//! read from the folder of plots next to it.

mod attack;
mod card;
mod figures;
mod outside;

use super::evaluation::{self, AskedQuestion};
use super::file::{json, sha256_of};
use super::plot;
use super::slugs;
use super::triage::{self, Total, TotalsLine, TriageGroup};
use super::words::{self, count, duration};
use card::Card;
use figures::PlotBudget;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Value, context};
use outside::{NAME, TEXT, text};
use plaudit_core::finding::{Change, Changes, Finding, LeftOut, Provenance, Report};
use std::collections::BTreeSet;

/// SHA-256 of the page's one script with the line breaks around it, in Base64: no other may run.
const SCRIPT: &str = "1NI8SbxKPMt4t5z7TEa2iAEr1lHyNfXPVHk1aVoB0CQ=";

/// The page: what `index.html` holds. Replay commands name the certificates as
/// [`write`](super::write()) does, relative to the output folder.
pub fn page(report: &Report) -> String {
    page_of(report, &sha256_of(&json(report)))
}

/// The page of a report whose JSON has this SHA-256.
pub(super) fn page_of(report: &Report, sha256: &str) -> String {
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
    let unexpected = |finding: &&Finding| !finding.as_expected && !finding.interrupted;
    let unexpected = report.audits.iter().filter(unexpected).count();
    let unexpected_attacks = report.attacks.iter().filter(|attack| !attack.as_expected()).count();
    let groups = groups(report);
    let context = context! {
        left_out => report.left_out.iter().map(left_out).collect::<Vec<_>>(),
        tool => text(&report.tool.name, NAME),
        version => text(&report.tool.version, NAME),
        seed => report.run.seed.to_string(),
        level => triage::level(report),
        totals => triage::totals(report),
        lines => triage::totals_lines(report).into_iter().map(totals_line).collect::<Vec<_>>(),
        leaks => triage::leaks(report).into_iter().map(total).collect::<Vec<_>>(),
        judgement => words::judgement(report),
        unexpected => unexpected + unexpected_attacks,
        first => if unexpected > 0 { format!("group-{}", groups[0].0.id()) } else { "attacks".into() },
        provenance => report.provenance.as_ref().map(provenance),
        style => Value::from_safe_string(include_str!("templates/style.css").to_owned() + plot::STYLE.trim_end()),
        script_hash => SCRIPT,
        script => safe(include_str!("templates/script.js")),
        overview => overview(report),
        tables => tables(&groups),
        has_open_groups => groups.iter().any(|(group, _)| !group.is_settled()),
        groups => groups.into_iter().map(|(_, value)| value).collect::<Vec<_>>(),
        attacks => attack::attacks(report),
        several => report.audits.len() > 1,
        sheet => sheet(report),
        sha256 => sha256,
        changes => report.changes.as_ref().map(changes),
    };
    environment
        .get_template("page")
        .and_then(|page| page.render(context))
        .expect("the template is part of the program, and a test renders it")
}

fn totals_line(line: TotalsLine) -> Value {
    let parts: Vec<Value> = line.parts.into_iter().map(total).collect();
    context! { of => total(line.of), parts }
}

/// A count of the header: without the script a link to a section, with it a button that filters.
fn total(total: Total) -> Value {
    context! {
        words => total.words,
        filter => total.filter,
        to => total.group.map_or_else(|| "audits".into(), |group| format!("group-{}", group.id())),
    }
}

fn left_out(it: &LeftOut) -> Value {
    context! { audit => text(&it.audit, NAME), why => text(&it.why, TEXT) }
}

/// All audits in one plot, in the order of the tables.
fn overview(report: &Report) -> Option<Value> {
    let places = triage::grouped(report).into_iter().flat_map(|(_, places)| places);
    let findings: Vec<&Finding> = places.map(|place| &report.audits[place]).collect();
    plot::overview(&findings).map(|plot| Value::from_safe_string(plot.svg))
}

/// The tables of what is not folded: a title and the groups whose audits are its rows.
fn tables(groups: &[(TriageGroup, Value)]) -> Vec<Value> {
    let table = |of: &[TriageGroup], title: &str| {
        let members = groups.iter().filter(|(group, _)| of.contains(group));
        let groups: Vec<Value> = members.map(|(_, value)| value.clone()).collect();
        (!groups.is_empty()).then(|| context! { title, groups })
    };
    let all = [
        table(&[TriageGroup::Violated], "Claims under review that are violated"),
        table(&[TriageGroup::Missed], TriageGroup::Missed.heading()),
        table(&[TriageGroup::Inconclusive, TriageGroup::Open], "Claims under review"),
    ];
    all.into_iter().flatten().collect()
}

/// The groups that are not empty, each with its audits.
fn groups(report: &Report) -> Vec<(TriageGroup, Value)> {
    let slugs = slugs(report);
    let origins = report.provenance.as_ref().map(|provenance| &provenance.audits);
    let mut budget = PlotBudget::of(report.audits.len());
    let mut card = |place: &usize| {
        let origin = origins.and_then(|origins| origins.get(*place));
        let (finding, slug) = (&report.audits[*place], &slugs[*place]);
        let before = finding
            .post
            .as_ref()
            .and_then(|post| report.audits.iter().find(|finding| finding.name == post.before));
        Card { finding, slug, origin, before, alone: report.audits.len() == 1 }.value(&mut budget)
    };
    let group = |(group, places): (TriageGroup, Vec<usize>)| {
        let audits: Vec<Value> = places.iter().map(&mut card).collect();
        let many = count(audits.len() as u64);
        let settled = group.is_settled();
        (group, context! { id => group.id(), heading => group.heading(), many, settled, audits })
    };
    triage::grouped(report).into_iter().map(group).collect()
}

fn sheet(report: &Report) -> Vec<Value> {
    let answer = |(words, whose): (String, String)| context! { words => text(&words, TEXT), whose => text(&whose, NAME) };
    let row = |asked: AskedQuestion| {
        let answers: Vec<Value> = asked.answers.into_iter().map(answer).collect();
        context! { question => asked.question, answers, left => asked.left }
    };
    evaluation::asked(report).into_iter().map(row).collect()
}

fn changes(changes: &Changes) -> Value {
    let change = |change: &Change| {
        context! {
            audit => text(&change.audit, NAME),
            before => text(&change.before, NAME),
            now => text(&change.now, NAME),
        }
    };
    let all = |heading: &str, list: &[Change]| {
        context! { heading, rows => list.iter().map(change).collect::<Vec<_>>() }
    };
    let names = |list: &[String]| list.iter().map(|name| text(name, NAME)).collect::<Vec<_>>();
    context! {
        sha256 => text(&changes.sha256, NAME),
        started => changes.started.as_ref().map(|started| text(started, NAME)),
        version => text(&changes.version, NAME),
        none => changes.is_empty(),
        sentence => changes_in_a_sentence(changes),
        lists => [
            all("Verdicts", &changes.verdicts),
            all("Claims", &changes.claims),
            all("Bounds", &changes.bounds),
        ].to_vec(),
        added => names(&changes.added),
        removed => names(&changes.removed),
    }
}

/// "2 verdicts and 1 bound changed, 1 audit is new".
fn changes_in_a_sentence(changes: &Changes) -> String {
    let many = |many: usize, noun: &str| {
        let s = if many == 1 { "" } else { "s" };
        (many > 0).then(|| format!("{many} {noun}{s}"))
    };
    let changed =
        [(&changes.verdicts, "verdict"), (&changes.claims, "claim"), (&changes.bounds, "bound")];
    let changed: Vec<String> =
        changed.into_iter().filter_map(|(list, noun)| many(list.len(), noun)).collect();
    let changed = match &changed[..] {
        [] => None,
        [one] => Some(format!("{one} changed")),
        [first @ .., last] => Some(format!("{} and {last} changed", first.join(", "))),
    };
    let new = many(changes.added.len(), "new audit");
    let gone = many(changes.removed.len(), "audit").map(|words| words + " gone");
    [changed, new, gone].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn provenance(provenance: &Provenance) -> Value {
    context! {
        started => text(&provenance.started, NAME),
        command => text(&words::shell(&provenance.command), TEXT),
        build => text(&provenance.build, NAME),
        commit => provenance.git.as_ref().map(|git| text(&git.commit, NAME)),
        clean => provenance.git.as_ref().and_then(|git| git.clean),
        wall => provenance.wall_s.map(duration),
        jobs => provenance.jobs,
        specs => specs(provenance),
    }
}

/// The specs, each once, with their hashes.
fn specs(provenance: &Provenance) -> Vec<Value> {
    let named = provenance.audits.iter().map(|origin| (&origin.spec.file, &origin.spec.sha256));
    let specs: BTreeSet<_> = named.filter(|(file, _)| !file.is_empty()).collect();
    let spec = |(file, hash): (&String, &String)| context! { file => text(file, NAME), hash => text(hash, NAME) };
    specs.into_iter().map(spec).collect()
}
