//! The page: complete, harmless whatever the report says, small enough.
#![cfg(feature = "html")]

use crate::support::report::markup::{attributes, tags, well_formed};
use crate::support::report::names::NAMES;
use crate::support::report::report;
use plaudit::finding::MechanismKind;
use plaudit::finding::reason::{Reason, Reasons};
use plaudit::finding::{Change, Changes, Finding, Report, Topic, Verdict};
use plaudit::report::{html, plot};
use sha2::{Digest as _, Sha256};

/// A report in which every text from outside is `text`.
fn hostile(text: &str) -> Report {
    let mut report = report();
    report.tool.version = text.into();
    let change = || Change { audit: text.into(), before: text.into(), now: text.into() };
    report.changes = Some(Changes {
        sha256: text.into(),
        started: Some(text.into()),
        version: text.into(),
        verdicts: vec![change()],
        claims: vec![change()],
        bounds: vec![change()],
        added: vec![text.into()],
        removed: vec![text.into()],
    });
    let provenance = report.provenance.as_mut().unwrap();
    provenance.command.push(text.into());
    for place in [&mut provenance.started, &mut provenance.build] {
        *place = text.into();
    }
    provenance.git.as_mut().unwrap().commit = text.into();
    for origin in &mut provenance.audits {
        origin.spec.file = format!("spec{text}");
        for file in &mut origin.program {
            *file = plaudit::finding::ProgramFile {
                path: text.into(),
                sha256: Some(text.into()),
                version: Some(text.into()),
            };
        }
    }
    for finding in &mut report.audits {
        let Finding {
            name,
            mechanism,
            relation,
            claim,
            reasons,
            pair,
            evidence,
            witness,
            power,
            scope,
            evaluation,
            ..
        } = finding;
        (scope.unit, scope.domain) = (Some(text.into()), Some(text.into()));
        scope.neighbors = text.into();
        evaluation.insert(Topic::Trust, text.into());
        mechanism.kind = MechanismKind::Catalog(text.into());
        let texts = [
            name,
            &mut mechanism.description,
            relation,
            &mut claim.words,
            &mut pair.name,
            &mut pair.difference,
            &mut witness.kind,
            &mut witness.description,
            &mut witness.statistic,
            &mut evidence.words,
            &mut power.words,
        ];
        texts.into_iter().for_each(|place| *place = text.into());
        *reasons = Reasons(vec![Reason::Sentences(text.into())]);
        witness.bins.iter_mut().for_each(|bin| bin.label = text.into());
        let value = serde_json::json!({ text: text });
        (pair.d, pair.d_prime, mechanism.parameters) = (value.clone(), value.clone(), value);
    }
    report
}

/// Text as the page holds it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#x27;")
        .replace('/', "&#x2f;")
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
            &finding.reason(),
            &finding.mechanism.description,
            &finding.pair.difference,
        ];
        for text in texts {
            assert!(page.contains(&escaped(text)), "{text}");
        }
        for text in [&finding.witness.description, &finding.evidence.words] {
            if finding.tally.trials() == 0 {
                continue;
            }
            let typeset = text.replace("D'", "D′").replace(">=", "≥").replace("<=", "≤");
            assert!(page.contains(&escaped(&typeset)), "{typeset}");
        }
        // The loss that would have been found is no question where something was.
        let alone = html::page(&Report { audits: vec![finding.clone()], ..report.clone() });
        let power = alone.contains(&escaped(&finding.power.words));
        assert_eq!(power, finding.verdict != Verdict::Violated, "{}", finding.power.words);
    }
    let violated = report.audits.iter().filter(|a| a.verdict == Verdict::Violated).count();
    assert_eq!(page.matches("plaudit replay ").count(), violated);
    let drawn = report.audits.iter().flat_map(plot::all).count();
    assert_eq!(page.matches("<figure>").count(), drawn);
    assert_eq!(page.matches("UNEXPECTED</strong></td>").count(), 2);
    assert!(page.contains("5 claims under review: 1 violated, 1 inconclusive, 3 not refuted. 3 planted mistakes: 3 caught"));
}

/// Whether a link leads to another file of the report.
fn beside(target: &str) -> bool {
    target.starts_with("reproducers/")
        || ["data:,", "report.json", "evaluation.md", "evaluation.json"].contains(&target)
}

#[test]
fn every_link_of_the_page_leads_somewhere_on_it() {
    let page = html::page(&report());
    let all: Vec<_> = tags(&page).into_iter().flat_map(attributes).collect();
    let ids: Vec<_> = all.iter().filter(|(name, _)| name == "id").map(|(_, id)| id).collect();
    for (_, target) in all.iter().filter(|(name, _)| name == "href") {
        let found = target.strip_prefix('#').is_some_and(|id| ids.iter().any(|given| *given == id));
        assert!(found || beside(target), "{target}");
    }
    let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len());
}

#[test]
fn nothing_from_outside_becomes_markup() {
    let elements = "html head meta link title style body header main section p h1 h2 h3 a strong em \
                    span div h4 table thead tbody tr th td dl dt dd code pre figure figcaption details \
                    summary svg path text !doctype caption small i form label select \
                    option input button output script img noscript";
    let elements: Vec<&str> = elements.split_whitespace().collect();
    // Plots of long texts are large, and then stand beside the page.
    let outside = |page: &str| -> usize {
        let parts = page.split("<figure>");
        parts
            .map(|part| tags(part.split_once("</figure>").map_or(part, |(_, rest)| rest)).len())
            .sum()
    };
    let expected = outside(&html::page(&hostile("harmless")));
    for name in NAMES {
        let page = html::page(&hostile(name));
        let tags = tags(&page);
        // Empty texts leave out the paragraphs that would hold them.
        match *name {
            "" => assert!(outside(&page) <= expected),
            _ => assert_eq!(outside(&page), expected, "{name:?}"),
        }
        for tag in tags {
            let element = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
            assert!(elements.contains(&element), "{name:?} made <{tag}>");
            for (attribute, value) in attributes(tag) {
                let own = attribute != "src" || value.starts_with("plots&#x2f;");
                assert!(!attribute.starts_with("on") && own, "{name:?}: <{tag}>");
                let shown =
                    attribute.starts_with("data-") || ["aria-label", "alt"].contains(&&*attribute);
                assert!(shown || !value.contains("script:"), "{name:?}: <{tag}>");
                assert!(!value.contains("//"), "{name:?}: <{tag}>");
            }
        }
        let hidden =
            |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!page.contains(hidden) && !page.contains('\u{2066}'), "{name:?}");
    }
}

/// In Base64.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits =
            (0..3).fold(0_u32, |bits, at| bits << 8 | group.get(at).map_or(0, |b| u32::from(*b)));
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at)) as usize & 63];
            out.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[test]
fn the_page_loads_nothing_and_runs_its_own_script_only() {
    let page = html::page(&report());
    let script = page.split_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
    let hash = escaped(&base64(&Sha256::digest(script.as_bytes())));
    let policy = "default-src 'none'; style-src 'unsafe-inline'; ";
    assert!(page.contains(&format!("{policy}script-src 'sha256-{hash}'; img-src data:")), "{hash}");
    assert_eq!(page.matches("<script").count(), 1);
    for never in ["<img", "<iframe", "url(", "@import", "src=", "http://", "https://"] {
        assert!(!page.contains(never), "{never}");
    }
    for never in ["innerHTML", "eval", "fetch", "import", "insertAdjacentHTML", "document.write"] {
        assert!(!script.contains(never), "{never}");
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
                assert!(body.contains("<path class=\"paper\"") && body.contains(plot::STYLE));
            }
        }
    }
}

#[test]
fn every_style_of_the_plots_is_on_the_page_for_light_and_dark() {
    let page = html::page(&report());
    let (style, body) = page.split_once("</style>").unwrap();
    let (light, dark) = plot::STYLE.trim_end().split_once("@media").unwrap();
    assert!(style.contains(plot::STYLE.trim_end()));
    let mut classes = 0;
    for plot in body.split("<svg ").skip(1).map(|part| part.split_once("</svg>").unwrap().0) {
        for (name, class) in tags(plot).into_iter().skip(1).flat_map(attributes) {
            assert!(!["fill", "stroke", "style"].contains(&name.as_str()), "{name} {class}");
            // A note differs from other text in its slant alone.
            if name == "class" && class != "note" {
                let rule = |sheet: &str| {
                    sheet.contains(&format!(".{class} ")) || sheet.contains(&format!(".{class},"))
                };
                assert!(rule(light) && rule(dark), "{class}");
                classes += 1;
            }
        }
    }
    assert!(classes > 50, "{classes}");
}

#[test]
fn a_hundred_and_nineteen_audits_stay_below_a_megabyte_and_a_tenth() {
    let mut report = report();
    let few = report.audits.clone();
    while report.audits.len() < 119 {
        report.audits.extend(few.clone());
    }
    let page = html::page(&report);
    assert!(page.len() < 1_100_000, "{} bytes for {} audits", page.len(), report.audits.len());
    // Plots that found no place are those that are written beside the page.
    let slugs = plaudit::report::slugs(&report);
    let images = tags(&page).into_iter().filter(|tag| tag.starts_with("img "));
    let sources = images.flat_map(attributes).filter(|(name, _)| name == "src");
    let sources: Vec<String> = sources.map(|(_, file)| file.replace("&#x2f;", "/")).collect();
    assert!(!sources.is_empty() && page.contains("<svg"));
    for file in sources {
        let name = file.strip_prefix("plots/").and_then(|name| name.strip_suffix(".svg")).unwrap();
        let (slug, word) = name.rsplit_once('-').unwrap();
        assert!(slugs.iter().any(|known| known == slug), "{file}");
        assert!(["outcomes", "loss", "profile", "tradeoff", "posterior"].contains(&word), "{file}");
    }
}

/// Where scripts run, what is closed is inert text: few elements, whatever the number of audits.
#[test]
fn closed_cards_are_inert_and_changes_are_in_the_header() {
    let mut report = report();
    let change = || Change { audit: "a".into(), before: "b".into(), now: "c".into() };
    report.changes = Some(Changes {
        sha256: "0".into(),
        started: None,
        version: "0".into(),
        verdicts: vec![change(), change()],
        claims: Vec::new(),
        bounds: vec![change()],
        added: vec!["new".into()],
        removed: Vec::new(),
    });
    let page = html::page(&report);
    let header = page.split_once("</header>").unwrap().0;
    assert!(header.contains("2 verdicts and 1 bound changed, 1 new audit</a>"));
    let closed = report.audits.iter().filter(|finding| finding.as_expected).count();
    assert_eq!(page.matches("<noscript>").count(), closed);
    let mut live = page.split("<noscript>");
    let first = tags(live.next().unwrap()).len();
    let elements = first
        + live.map(|part| tags(part.split_once("</noscript>").unwrap().1).len()).sum::<usize>();
    assert!(elements * 2 < tags(&page).len(), "{elements}");
}

#[test]
fn a_report_of_nothing_is_a_page_too() {
    let empty = Report { audits: Vec::new(), ..report() };
    assert!(html::page(&empty).contains("Nothing was audited."));
}
