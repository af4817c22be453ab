//! Two reports compared, for people: on a terminal, as Markdown, as a page of its own, and as JSON.

mod others;

use super::words::visible;
use anstyle::{AnsiColor, Style};
use minijinja::{AutoEscape, Environment, Value, context};
use plaudit_core::finding::{Importance, Report, ReportDifference, compare};
use plaudit_core::visible::markdown_text;
use serde::Serialize;

/// Most other fields in a line.
const MOST: usize = 20;

/// Differences between two reports. Its JSON is the output of `plaudit diff --format json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportDiff {
    schema_version: &'static str,
    old: ComparedReport,
    new: ComparedReport,
    /// Differences in the order of the earlier report, then new audits.
    differences: Vec<ReportDifference>,
    /// Other fields that differ, except times and the command: "run.seed", "count: notes".
    others: Vec<String>,
    /// Audits and attacks of the later report that are as they were.
    unchanged: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ComparedReport {
    /// The version of plaudit that wrote it.
    version: String,
    /// Start of its run, if it is recorded.
    started: Option<String>,
    /// The seed that the run was given.
    seed: u64,
}

impl ComparedReport {
    fn of(report: &Report) -> Self {
        Self {
            version: report.tool.version.clone(),
            started: report.provenance.as_ref().map(|provenance| provenance.started.clone()),
            seed: report.run.seed,
        }
    }

    fn words(&self) -> String {
        let started = self.started.as_ref().map_or_else(String::new, |it| format!("{it}, "));
        visible(&format!("{started}seed {}, plaudit {}", self.seed, self.version))
    }
}

impl ReportDiff {
    pub fn of(old: &Report, new: &Report) -> Self {
        let differences = compare(old, new);
        let names = new.audits.iter().map(|finding| &finding.name);
        let names = names.chain(new.attacks.iter().map(|attack| &attack.name));
        let is_quiet = |name: &&String| differences.iter().all(|it| it.audit != **name);
        let (others, moved) = others::others(old, new, &differences);
        let unchanged = names.filter(is_quiet).count() - moved;
        let [old, new] = [old, new].map(ComparedReport::of);
        Self { schema_version: "1", old, new, differences, others, unchanged }
    }

    /// `true` if nothing differs but times and the command.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty() && self.others.is_empty()
    }

    fn other_words(&self) -> String {
        let shown: Vec<&str> = self.others.iter().take(MOST).map(String::as_str).collect();
        let more = match self.others.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        visible(&format!("{}{more}", shown.join("; ")))
    }

    /// "3 differences in 2 audits (1 weaker, 1 warning); 40 unchanged".
    fn total(&self) -> String {
        let unchanged = self.unchanged;
        if self.is_empty() {
            return format!("nothing differs; {unchanged} unchanged");
        }
        if self.differences.is_empty() {
            return format!(
                "only these fields differ: {}; {unchanged} unchanged",
                self.other_words()
            );
        }
        let count =
            |importance| self.differences.iter().filter(|it| it.importance == importance).count();
        let many = |number: usize, one: &str| match number {
            1 => format!("1 {one}"),
            number => format!("{number} {one}s"),
        };
        format!(
            "{} in {} ({} weaker, {}); {unchanged} unchanged",
            many(self.differences.len(), "difference"),
            many(self.by_audit().len(), "audit"),
            count(Importance::Weaker),
            many(count(Importance::Warning), "warning")
        )
    }

    /// The other fields next to differences.
    fn also(&self) -> Option<String> {
        let is_told = self.others.is_empty() || self.differences.is_empty();
        (!is_told).then(|| format!("these fields differ as well: {}", self.other_words()))
    }

    /// The differences of each audit, the audits in the order in which they come up.
    fn by_audit(&self) -> Vec<(&str, Vec<&ReportDifference>)> {
        let mut groups: Vec<(&str, Vec<&ReportDifference>)> = Vec::new();
        for it in &self.differences {
            match groups.last_mut().filter(|(name, _)| *name == it.audit) {
                Some((_, group)) => group.push(it),
                None => groups.push((&it.audit, vec![it])),
            }
        }
        groups
    }

    /// For a terminal, styled with ANSI escape codes.
    pub fn terminal(&self) -> String {
        let mut out = format!("old: {}\nnew: {}\n", self.old.words(), self.new.words());
        for (name, group) in self.by_audit() {
            out.push_str(&format!("\n{}\n", visible(name)));
            for it in group {
                let style = match it.importance {
                    Importance::Weaker => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
                    Importance::Warning => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
                    Importance::Info => Style::new(),
                };
                let (word, message) = (label(it), visible(&it.message));
                out.push_str(&format!("    {style}{word}{style:#}: {message}\n"));
            }
        }
        if let Some(also) = self.also() {
            out.push_str(&format!("\n{also}\n"));
        }
        out.push_str(&format!("\n{}\n", self.total()));
        out
    }

    pub fn markdown(&self) -> String {
        let [total, old, new] =
            [self.total(), self.old.words(), self.new.words()].map(|it| markdown_text(&it));
        let mut out = format!("### {total}\n\nold&#58; {old}  \nnew&#58; {new}\n");
        if let Some(also) = self.also() {
            out.push_str(&format!("\n{}\n", markdown_text(&also)));
        }
        if !self.differences.is_empty() {
            out.push_str("\n| audit | what | before | now |\n|---|---|---|---|\n");
        }
        for it in &self.differences {
            let cells = [&it.audit, &label(it), &it.before, &it.now];
            out.push_str(&format!("| {} |\n", cells.map(|it| markdown_text(it)).join(" | ")));
        }
        out
    }

    /// Page that needs nothing else and runs no script.
    pub fn page(&self) -> String {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        let row = |it: &ReportDifference| {
            let [audit, before, now] = [&it.audit, &it.before, &it.now].map(|it| visible(it));
            let class = match it.importance {
                Importance::Weaker => "weaker",
                Importance::Warning => "warning",
                Importance::Info => "info",
            };
            context! { audit, before, now, class, what => label(it) }
        };
        let rows: Vec<Value> = self.differences.iter().map(row).collect();
        let (old, new, total) = (self.old.words(), self.new.words(), self.total());
        environment
            .render_named_str(
                "diff.html",
                include_str!("templates/diff.html"),
                context! { old, new, total, rows, also => self.also() },
            )
            .expect("the template is part of the program, and a test renders it")
    }
}

fn label(it: &ReportDifference) -> String {
    let lead = match it.importance {
        Importance::Weaker => "weaker: ",
        Importance::Warning => "warning: ",
        Importance::Info => "",
    };
    format!("{lead}{}", it.kind.word())
}

#[cfg(test)]
#[path = "../../tests/unit/report/diff.rs"]
mod tests;
