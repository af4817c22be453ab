//! The page: complete, harmless whatever the report says, small enough.
#![cfg(feature = "html")]

mod report_support;

use plaudit::report::{Finding, Report, Verdict, html, plot};
use report_support::markup::{attributes, tags, well_formed};
use report_support::names::NAMES;
use report_support::report;

/// A report in which every text from outside is `text`.
fn hostile(text: &str) -> Report {
    let mut report = report();
    report.tool.version = text.into();
    for finding in &mut report.audits {
        let Finding {
            name,
            mechanism,
            relation,
            claim,
            reason,
            pair,
            evidence,
            witness,
            power,
            ..
        } = finding;
        let texts = [
            name,
            &mut mechanism.kind,
            &mut mechanism.description,
            relation,
            &mut claim.words,
            reason,
            &mut pair.name,
            &mut pair.difference,
            &mut witness.kind,
            &mut witness.description,
            &mut witness.statistic,
            &mut evidence.words,
            &mut power.words,
        ];
        texts.into_iter().for_each(|place| *place = text.into());
        witness.bins.iter_mut().for_each(|bin| bin.label = text.into());
        let value = serde_json::json!({ text: text });
        (pair.d, pair.d_prime, mechanism.parameters) = (value.clone(), value.clone(), value);
    }
    report
}

#[test]
fn the_page_says_all_there_is_to_say() {
    let mut report = report();
    for (at, finding) in report.audits.iter_mut().enumerate() {
        finding.evidence.words = format!("says D in {at} of 10 runs on D and in 0 of 9 runs on D'");
    }
    let page = html::page(&report);
    for finding in &report.audits {
        let texts = [
            &finding.name,
            &finding.reason,
            &finding.mechanism.description,
            &finding.pair.difference,
            &finding.witness.description,
            &finding.evidence.words,
            &finding.power.words,
        ];
        for text in texts {
            let escaped = text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;")
                .replace('\'', "&#x27;")
                .replace('/', "&#x2f;");
            assert!(page.contains(&escaped), "{text}");
        }
    }
    let violated = report.audits.iter().filter(|a| a.verdict == Verdict::Violated).count();
    assert_eq!(page.matches("plaudit replay ").count(), violated);
    assert_eq!(page.matches("<figure>").count(), 5 * report.audits.len());
    assert_eq!(page.matches("UNEXPECTED</strong> ").count(), 2);
    assert!(page.contains("8 audits: 4 violated, 3 not refuted, 1 inconclusive"));
}

#[test]
fn every_link_of_the_page_leads_somewhere_on_it() {
    let page = html::page(&report());
    let all: Vec<_> = tags(&page).into_iter().flat_map(attributes).collect();
    let ids: Vec<_> = all.iter().filter(|(name, _)| name == "id").map(|(_, id)| id).collect();
    for (_, target) in all.iter().filter(|(name, _)| name == "href") {
        let found = target.strip_prefix('#').is_some_and(|id| ids.iter().any(|given| *given == id));
        assert!(found || target == "data:,", "{target}");
    }
    let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len());
}

#[test]
fn nothing_from_outside_becomes_markup() {
    let elements = "html head meta link title style body header main section p h1 h2 h3 a strong em \
                    span div table thead tbody tr th td dl dt dd code pre figure figcaption details \
                    summary svg rect line polyline polygon text !doctype";
    let elements: Vec<&str> = elements.split_whitespace().collect();
    let expected = tags(&html::page(&hostile("harmless"))).len();
    for name in NAMES {
        let page = html::page(&hostile(name));
        let tags = tags(&page);
        assert_eq!(tags.len(), expected, "{name:?}");
        for tag in tags {
            let element = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
            assert!(elements.contains(&element), "{name:?} made <{tag}>");
            for (attribute, value) in attributes(tag) {
                assert!(!attribute.starts_with("on") && attribute != "src", "{name:?}: <{tag}>");
                assert!(!value.contains("script:") && !value.contains("//"), "{name:?}: <{tag}>");
            }
        }
        let hidden =
            |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!page.contains(hidden) && !page.contains('\u{2066}'), "{name:?}");
    }
}

#[test]
fn the_page_loads_nothing_and_runs_nothing() {
    let page = html::page(&report());
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
    assert!(page.contains(policy));
    for never in ["<script", "<img", "<iframe", "url(", "@import", "src=", "http://", "https://"] {
        assert!(!page.contains(never), "{never}");
    }
}

#[test]
fn plots_of_hostile_findings_are_well_formed_xml() {
    for name in NAMES {
        for finding in &hostile(name).audits {
            for plot in plot::all(finding) {
                let svg = plot.standalone();
                let body = svg.split_once("?>").unwrap().1;
                if let Err(problem) = well_formed(body) {
                    panic!("{name:?}, {:?}: {problem}\n{svg}", plot.kind);
                }
                assert!(body.contains("<title>") && body.contains("sans-serif"));
                assert!(body.contains("fill=\"#FFFFFF\"/>"), "white paper");
            }
        }
    }
}

#[test]
fn every_colour_of_the_plots_has_one_for_the_dark() {
    let page = html::page(&report());
    let (style, body) = page.split_once("</style>").unwrap();
    for (name, value) in tags(body).into_iter().flat_map(attributes) {
        if (name == "fill" || name == "stroke") && value != "none" {
            assert!(style.contains(&format!("[{name}=\"{value}\"]")), "{name} {value}");
        }
    }
}

#[test]
fn eighty_audits_stay_below_six_megabytes() {
    let mut report = report();
    let ten = report.audits.clone();
    while report.audits.len() < 80 {
        report.audits.extend(ten.clone());
    }
    let size = html::page(&report).len();
    assert!(size < 6_000_000, "{size} bytes for {} audits", report.audits.len());
}

#[test]
fn a_report_of_nothing_is_a_page_too() {
    let empty = Report { audits: Vec::new(), ..report() };
    assert!(html::page(&empty).contains("Nothing was audited."));
}
