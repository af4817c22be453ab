//! The page of real audits: one word and one number for what is known, wherever it stands; what must be
//! looked at first stands first; curves, pairs and commands are there in full.
//!
//! A wrong claim among them is refuted with certainty but for a probability below 1e-9, and a true one refuted with
//! probability at most 1e-6.
#![cfg(feature = "cli")]

use crate::support::cli::{Folder, plaudit, stderr, stdout};
use plaudit::finding::{Finding, Known, Quantity, Report, Verdict};
use serde_json::Value;

/// The table, report and page of some of the audits that ship.
struct Made {
    table: String,
    report: Report,
    json: Value,
    page: String,
}

impl Made {
    fn new(file: &str, filter: &str, trials: &str) -> Self {
        let folder = Folder::new();
        let file = format!("{}/audits/{file}", env!("CARGO_MANIFEST_DIR"));
        let arguments = ["--filter", filter, "--trials", trials, "--no-regressions", "--out"];
        let mut command = plaudit();
        command.arg("audit").arg(file).args(arguments).arg(folder.path().join("r"));
        let output = command.env("COLUMNS", "200").output().unwrap();
        let read = |name: &str| {
            let path = folder.path().join("r").join(name);
            std::fs::read_to_string(path).unwrap_or_else(|_| panic!("{}", stderr(&output)))
        };
        let json: Value = serde_json::from_str(&read("report.json")).unwrap();
        let report = serde_json::from_value(json.clone()).unwrap();
        Self { table: stdout(&output), report, json, page: read("index.html") }
    }

    fn finding(&self, name: &str) -> &Finding {
        self.report.audits.iter().find(|finding| finding.name == name).unwrap()
    }

    /// The section of an audit.
    fn card(&self, name: &str) -> &str {
        let (_, after) = self.page.split_once(&format!("id=\"audit-{name}\"")).unwrap();
        after.split_once("Back to the summary").unwrap().0
    }
}

/// Table, card and JSON tell of each finding the same number with the same word.
fn one_word_one_number(made: &Made) {
    for (finding, json) in made.report.audits.iter().zip(made.json["audits"].as_array().unwrap()) {
        let number = finding.headline.as_ref().unwrap();
        assert_eq!(json["headline"]["words"], number.words.as_str());
        assert_eq!(json["headline"]["known"], number.known.word());
        assert_eq!(finding.numbers().first(), Some(number), "{}", finding.name);
        let lines = &mut made.table.lines();
        let row = lines.find(|line| line.contains(&format!(" {} ", finding.name))).unwrap();
        assert!(row.contains(&number.words), "{row}: {}", number.words);
        let word = number.known.word();
        let summary = format!("{}</span> <small>{word}</small>", number.words);
        assert!(made.page.contains(&summary), "{summary}");
        let (_, first) = made.card(&finding.name).split_once(&format!("<em>{word}</em>")).unwrap();
        let allows = number.allowed_words.as_ref().unwrap();
        let told = format!("</dt><dd>{}, claim allows {allows}</dd>", number.words);
        assert!(first.starts_with(&told), "{}", finding.name);
    }
}

#[test]
fn a_proof_that_decides_is_the_number_and_curves_are_given_in_full() {
    let made = Made::new("claims.toml", "^(mixed-composition|gaussian-profile)", "20000");
    one_word_one_number(&made);
    for finding in &made.report.audits {
        let number = finding.headline.as_ref().unwrap();
        assert_eq!((number.quantity, number.known), (Quantity::Delta, Known::Proved));
        assert_eq!(
            number.at.unwrap().quantity,
            Quantity::Epsilon,
            "a curve is held to a δ at an ε"
        );
    }
    // The measured number stands on the card with its own word.
    let measured = made.finding("mixed-composition").numbers();
    let measured = measured.iter().find(|number| number.known == Known::CertifiedLower).unwrap();
    let card = made.card("mixed-composition");
    let told = format!("<em>certified lower</em></dt><dd>{}, claim", measured.words);
    assert!(card.contains(&told), "{told}");
    for (epsilon, delta) in
        [("0", "0.38293"), ("1", "0.12694"), ("2", "0.02093"), ("4", "0.000053")]
    {
        let row = format!("<tr><td>{epsilon}</td><td>{delta}</td></tr>");
        assert!(made.card("gaussian-profile").contains(&row), "{row}");
    }
}

#[test]
fn an_exceeded_sensitivity_has_no_epsilon_and_no_p_value() {
    let made = Made::new("sensitivity.toml", "^sensitivity-mean-under-add-remove$", "20000");
    one_word_one_number(&made);
    let finding = &made.report.audits[0];
    assert_eq!(finding.verdict, Verdict::Violated);
    let number = finding.headline.as_ref().unwrap();
    assert_eq!((number.quantity, number.known), (Quantity::Sensitivity, Known::Proved));
    let card = made.card(&finding.name);
    for never in ["p-value", "ε ≥", "certified lower", "<figure>", "What would have been found"]
    {
        assert!(!card.contains(never), "{never}");
    }
}

#[test]
fn bounded_is_about_the_upper_end() {
    let made = Made::new("randomized-response.toml", "^randomized-response-bounded$", "1000000");
    one_word_one_number(&made);
    let finding = &made.report.audits[0];
    assert_eq!(finding.verdict, Verdict::Bounded);
    let number = finding.headline.as_ref().unwrap();
    assert_eq!((number.quantity, number.known), (Quantity::Epsilon, Known::CertifiedUpper));
    assert_eq!(number.value, finding.upper.as_ref().unwrap().epsilon_upper);
    assert!(number.words.starts_with("ε ≤ 1.1"), "{}", number.words);
}

#[test]
fn the_found_pair_and_the_smallest_are_told_apart_each_with_its_command() {
    let made = Made::new("search.toml", "^search-svt-5$", "400000");
    let finding = &made.report.audits[0];
    let smallest = finding.smallest.as_ref().expect("there is something to take away");
    let card = made.card(&finding.name);
    let parts = ["Pair found by the search", "Smallest pair after shrinking"];
    let [found, shrunk] = parts.map(|heading| card.find(heading).expect(heading));
    let commands = ["found", "smallest"].map(|which| {
        let file = "certificates&#x2f;search-svt-5.json";
        card.find(&format!("plaudit replay {file} --pair {which}")).expect(which)
    });
    assert!(found < commands[0] && commands[0] < shrunk && shrunk < commands[1]);
    for pair in [&finding.pair, &smallest.pair] {
        assert!(pair.rows.iter().any(|row| row.differs));
    }
    assert!(card[shrunk..].contains("≠ differs"));
}

#[test]
fn both_leaks_stand_on_the_card_each_with_its_bound_and_command() {
    let made = Made::new("broken-floats.toml", "^laplace-in-floats$", "400000");
    let finding = &made.report.audits[0];
    let leaks = finding.leaks.as_ref().expect("its bits tell");
    assert!(leaks.representation.refutes && leaks.values.epsilon_lower < 1.0);
    let card = made.card(&finding.name);
    for (of, leak) in [("values", &leaks.values), ("representation", &leaks.representation)] {
        let (_, row) = card.split_once(&format!("<th scope=\"row\">{of}</th>")).expect(of);
        let row = row.split_once("</tr>").unwrap().0;
        let bound = format!("ε ≥ {}<", plaudit::number::lower(leak.epsilon_lower));
        assert!(row.contains(&bound), "{row}: {bound}");
        assert_eq!(row.contains("<strong>refuted</strong>"), leak.refutes, "{row}");
        assert_eq!(row.contains("plaudit replay certificates"), leak.refutes, "{row}");
    }
}

#[test]
fn rows_that_differ_are_in_view_beside_one_another() {
    let made = Made::new("search.toml", "^search-svt-5$", "20000");
    let finding = &made.report.audits[0];
    let differing: Vec<_> = finding.pair.rows.iter().filter(|row| row.differs).collect();
    assert!(!differing.is_empty());
    let card = made.card(&finding.name);
    for row in differing {
        let cells = format!(
            "<code>{}</code></td><td><code>{}</code></td><td><strong>≠",
            row.d, row.d_prime
        );
        assert!(card.contains(&cells), "{cells}");
    }
}

#[test]
fn what_must_be_looked_at_comes_first_and_is_open() {
    let folder = Folder::new();
    let violated = crate::support::cli::UNDERSTATED;
    let expected = violated.replace("laplace-understated", "expected") + "expect = \"violated\"\n";
    folder.spec("spec.toml", &format!("{}\n{expected}\n{violated}", crate::support::cli::LAPLACE));
    let mut command = plaudit();
    command.current_dir(folder.path()).args(["audit", "spec.toml", "--out", "r"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let page = std::fs::read_to_string(folder.path().join("r/index.html")).unwrap();
    let at = |what: &str| page.find(what).unwrap_or_else(|| panic!("{what}"));
    let cards = ["laplace-understated", "laplace", "expected"];
    let cards = cards.map(|name| at(&format!("id=\"audit-{name}\"")));
    assert!(cards.is_sorted(), "{cards:?}");
    assert!(
        page.contains("<a class=\"alarm\" href=\"#group-violated\"><strong>1 verdict UNEXPECTED")
    );
    assert!(
        page.contains("<a href=\"#group-violated\">"),
        "violations are linked from the headline"
    );
    let open = |name: &str| {
        let (_, rest) = page.split_once("<details class=\"audit\"").unwrap();
        let section = rest.split("<details class=\"audit\"").find(|part| {
            part.split_once('>').unwrap().0.contains(&format!("data-name=\"{name}\""))
        });
        section.unwrap().split_once('>').unwrap().0.ends_with(" open")
    };
    assert_eq!(cards.len(), page.matches("<details class=\"audit\"").count());
    assert!(open("laplace-understated") && !open("expected") && !open("laplace"));
    // What the filters go by; without the script they are not shown, and all is there.
    assert!(page.contains("data-verdict=\"verified\" data-form=\"ε-DP\" data-file=\"spec.toml\""));
    assert!(page.contains("<form class=\"filters\" id=\"filters\" hidden>"));
    for told in ["Where this report comes from", "plaudit audit spec.toml --out r", "spec.toml:1<"]
    {
        assert!(page.contains(told), "{told}");
    }
}

/// The card of processed outcomes has both losses, and says what one above the other would mean.
#[test]
fn the_loss_before_and_after_post_processing_stands_on_the_card() {
    let made = Made::new("post.toml", "winner-of-counts", "40000");
    let [before, after] = &made.report.audits[..] else { panic!("two audits") };
    assert_eq!(after.name, "winner-of-counts, then the place of the largest");
    assert_eq!(after.post.as_ref().unwrap().before, before.name);
    let words = |finding: &Finding| {
        let number = finding.headline.as_ref().unwrap();
        format!("{} ({})", number.words, number.known.word())
    };
    let losses = format!("before: {} · after: {}", words(before), words(after));
    let card = made.card("winner-of-counts-then-the-place-of-the-largest");
    assert!(
        card.contains("Post-processing</strong> of winner-of-counts: the place of the largest.")
    );
    assert!(card.contains(&losses), "{losses}");
    assert!(card.contains("Post-processing cannot raise the loss"));
    assert!(!made.card("winner-of-counts").contains("Post-processing"));
    let alone = Made::new("post.toml", "winner-of-counts, then", "40000");
    let card = alone.card("winner-of-counts-then-the-place-of-the-largest");
    assert!(card.contains("before: not in this report · after: "));
}
