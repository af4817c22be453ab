use super::*;
use plaudit_core::visible::is_hidden;

fn reports() -> (Report, Report) {
    let text =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sample-report.json"));
    let mut old: Report = serde_json::from_str(text).unwrap();
    old.audits.truncate(3);
    (old.clone(), old)
}

#[test]
fn what_differs_is_told_and_the_rest_is_counted() {
    let (old, mut new) = reports();
    let same = ReportDiff::of(&old, &new);
    assert!(same.is_empty() && same.terminal().ends_with("nothing differs; 3 unchanged\n"));
    let mut moved = new.clone();
    (moved.run.seed, moved.audits[0].notes) = (7, vec!["a note".into()]);
    moved.audits[0].p_value += 1e-9;
    if let Some(provenance) = &mut moved.provenance {
        (provenance.wall_s, provenance.audits[1].program) = (Some(9.0), Vec::new());
    }
    let moved = ReportDiff::of(&old, &moved);
    assert!(!moved.is_empty() && moved.differences.is_empty(), "{moved:?}");
    let total = moved.total();
    assert!(total.starts_with("only these fields differ: run.seed; "), "{total}");
    assert!(total.contains("p_value") && total.contains("notes"), "{total}");
    new.audits[1].alpha = 1e-3;
    new.audits[1].scope.neighbors = "others".into();
    let diff = ReportDiff::of(&old, &new);
    assert_eq!(diff.total(), "2 differences in 1 audit (1 weaker, 1 warning); 2 unchanged");
    let words = diff.terminal();
    assert!(words.contains("\nlaplace-count\n") && !words.contains("svt"), "{words}");
    assert!(diff.markdown().contains("| laplace-count | warning&#58; level | 1e-6 | 0.001 |"));
    assert!(diff.page().contains("<td class=\"weaker\">weaker: neighbors</td>"));
    let json = serde_json::to_value(&diff).unwrap();
    assert_eq!(
        (&json["unchanged"], &json["differences"][0]["kind"]),
        (&2.into(), &"neighbors".into())
    );
}

#[test]
fn hostile_names_stay_text() {
    let name = "</script></td>]]>|`x` <img src=x onerror=y>\n::error::x%0A\u{1b}[31m\u{202e}\u{200f} @team [a](b)";
    let (mut old, mut new) = reports();
    old.tool.version = name.into();
    (new.audits[1].name, new.audits[2].scope.neighbors) = (name.into(), name.into());
    new.audits[0].mechanism.description = name.into();
    let diff = ReportDiff::of(&old, &new);
    for text in [
        diff.terminal()
            .replace("\u{1b}[1m", "")
            .replace("\u{1b}[31m", "")
            .replace("\u{1b}[33m", "")
            .replace("\u{1b}[0m", ""),
        diff.markdown(),
        diff.page(),
    ] {
        assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)), "{text:?}");
        assert!(text.contains("[U+202E]") || text.contains("\\[U+202E\\]"), "{text}");
        assert!(!text.lines().any(|line| line.starts_with("::")), "{text}");
    }
    let page = diff.page();
    assert!(!page.contains("<img") && !page.contains("</script>"), "{page}");
    assert_eq!(page.matches("<td").count(), page.matches("</td>").count());
    let markdown = diff.markdown();
    assert!(
        !markdown.contains("<img") && !markdown.contains("@team") && !markdown.contains("[a](b)")
    );
    for row in markdown.lines().filter(|line| line.starts_with("| ")) {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 5, "{row}");
    }
}
