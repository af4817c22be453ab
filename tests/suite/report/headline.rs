//! Shipped audits at few trials (`audits`): the headline of each is the same number with the same label, against what the claim
//! allows there, in the table, in the page's table, on the card and in JSON; and it says what the verdict says.
//!
//! A true claim among them would be refuted with probability at most 1e-6; nothing else depends on the seed.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use crate::tier;
use plaudit::finding::{Finding, Headline, Known, Quantity, Report, Verdict};
use plaudit::number::RoundingSide;
use plaudit::report::slugs;
use serde_json::Value;

/// Text as the page has it, without what the template escapes.
fn plain(page: &str) -> String {
    page.replace("&#x2f;", "/").replace("&#x27;", "'")
}

/// The number in "δ ≥ 0.181 at ε = 0.7071".
fn written(words: &str) -> Option<f64> {
    words.split(' ').nth(2)?.parse().ok()
}

/// Numbers as they are written are ordered as they are, and as the verdict says.
fn says_the_verdict(finding: &Finding, number: &Headline) {
    let Headline { words, allowed_words, value, allowed, .. } = number;
    let (name, allowed) = (&finding.name, allowed.unwrap());
    let allows: f64 = allowed_words.as_ref().unwrap().parse().unwrap();
    let side = match words.split(' ').nth(1) {
        Some("≥") => RoundingSide::Down,
        Some("≤") => RoundingSide::Up,
        _ => RoundingSide::Near,
    };
    let (Some(value), Some(shown)) = (*value, written(words)) else { return };
    assert!(side != RoundingSide::Down || shown <= value, "{name}: {words} of {value}");
    assert!(side != RoundingSide::Up || shown >= value, "{name}: {words} of {value}");
    let is_stated = allows == allowed || (allows / allowed - 1.0).abs() < 1e-3;
    assert!(is_stated, "{name}: {allows} of {allowed}");
    match finding.verdict {
        Verdict::Violated => {
            assert!(value > allowed && shown > allows, "{name}: {words}, allowed {allows}");
        }
        Verdict::Verified | Verdict::Bounded => {
            assert!(shown <= allows, "{name}: {words}, allowed {allows}");
        }
        Verdict::NotRefuted | Verdict::Inconclusive => {}
    }
}

/// Shipped audits whose headlines are looked for in all that is written.
fn audits() -> &'static [&'static str] {
    let some = &[
        "audits/claims.toml",
        "audits/keys.toml",
        "audits/discrete.toml",
        "audits/broken-failures.toml",
    ];
    tier::of([some, &["audits"], &["audits"]])
}

#[test]
fn each_shipped_audit_has_one_headline_wherever_it_stands() {
    let folder = Folder::new();
    let mut command = plaudit();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("audit").args(audits());
    command.args(["--trials", "20000", "--no-progress", "--no-regressions"]);
    command.args(["--min-power", "false", "--out"]).arg(folder.path().join("r"));
    let output = command.env("COLUMNS", "400").output().unwrap();
    let read = |name: &str| {
        let path = folder.path().join("r").join(name);
        std::fs::read_to_string(path).unwrap_or_else(|_| panic!("{}", stderr(&output)))
    };
    let (table, page) = (stdout(&output), plain(&read("index.html")));
    let json: Value = serde_json::from_str(&read("report.json")).unwrap();
    let report: Report = serde_json::from_value(json.clone()).unwrap();
    assert!(report.audits.len() >= 32, "{}", report.audits.len());
    let mut curves = 0;
    let slugs = slugs(&report);
    let audits = report.audits.iter().zip(&slugs);
    for ((finding, slug), json) in audits.zip(json["audits"].as_array().unwrap()) {
        let name = &finding.name;
        let Some(number) = &finding.headline else { continue };
        let allows = number.allowed_words.as_ref().unwrap();
        let (words, known) = (&number.words, number.known.word());
        says_the_verdict(finding, number);
        let is_placed =
            matches!(number.quantity, Quantity::Epsilon | Quantity::Delta | Quantity::Renyi);
        assert_eq!(number.at.is_some(), is_placed, "{name}: {words}");
        curves += u32::from(number.quantity == Quantity::Delta);
        // JSON.
        assert_eq!(json["headline"]["words"], words.as_str(), "{name}");
        assert_eq!(json["headline"]["allowed_words"], allows.as_str(), "{name}");
        // Terminal.
        let mut lines = table.lines();
        let row = lines.find(|line| line.contains(&format!(" {name} "))).expect(name);
        let cells: Vec<_> =
            row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let label = if number.known == Known::Proved { "proved " } else { "" };
        let at = cells.iter().position(|cell| *cell == format!("{label}{words}"));
        let at = at.unwrap_or_else(|| panic!("{words}: {row}"));
        assert_eq!(cells[at + 1], allows, "{row}");
        assert_eq!(cells[0], finding.verdict_words(), "{row}");
        // The page's table.
        let (_, row) = page.split_once(&format!("data-name=\"{name}\"><td>")).expect(name);
        let row = row.split_once("</tr>").unwrap().0;
        let cell = format!("{words}</span> <small>{known}</small></td>");
        let (_, bound) = row.split_once(&cell).unwrap_or_else(|| panic!("{cell}: {row}"));
        let next = bound.split_once("</td>").unwrap().0;
        assert!(next.ends_with(&format!(">{allows}")), "{allows}: {bound}");
        assert!(row.contains(&format!("\">{}</span>", finding.verdict_words())), "{row}");
        // The card: its head, and the first of its numbers.
        let start = page.find(&format!("id=\"audit-{slug}\"")).expect(name);
        let head = format!("{words} {known}, claim allows {allows}</span></summary>\n");
        assert!(page[..start].trim_end_matches("<div class=\"card\" ").ends_with(&head), "{head}");
        let card = page[start..].split_once("Back to the summary").unwrap().0;
        let (_, first) = card.split_once(&format!("<em>{known}</em>")).expect(name);
        assert!(
            first.starts_with(&format!("</dt><dd>{words}, claim allows {allows}</dd>")),
            "{first:.200}"
        );
    }
    assert!(curves > 10, "{curves} curves");
}

/// What misled once: a violated claim beside a number below what it allows.
#[test]
fn a_broken_curve_is_quoted_where_it_is_broken_and_replay_quotes_it_so() {
    let folder = Folder::new();
    let audits = format!("{}/audits/claims.toml", env!("CARGO_MANIFEST_DIR"));
    let mut command = plaudit();
    command.args([
        "audit",
        &audits,
        "--filter",
        "^gaussian-rdp-half-the-bound$",
        "--trials",
        "200000",
    ]);
    command.args(["--no-regressions", "--out"]).arg(folder.path().join("r"));
    let output = command.output().unwrap();
    let json = std::fs::read_to_string(folder.path().join("r/report.json"));
    let json = json.unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let report: Report = serde_json::from_str(&json).unwrap();
    let finding = &report.audits[0];
    let numbers = finding.numbers();
    let certified = numbers.iter().find(|number| number.known == Known::CertifiedLower).unwrap();
    assert_eq!(certified.quantity, Quantity::Delta);
    assert_eq!(certified.value, finding.broken_point.map(|point| point.delta_lower));
    let mut command = plaudit();
    command.current_dir(folder.path()).args(["replay", "--seed", &finding.seed.to_string()]);
    command.arg("r/certificates/gaussian-rdp-half-the-bound.json");
    let said = stdout(&command.output().unwrap());
    let allows = certified.allowed_words.as_ref().unwrap();
    let told = format!("certified lower {}, claim allows {allows}\n", certified.words);
    assert!(said.contains(&told), "{told}: {said}");
}
