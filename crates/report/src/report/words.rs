//! Values as people read them in tables, captions and labels.

use plaudit_accountant::number;
pub(super) use plaudit_accountant::number::{brief, lower, significant, upper};
use plaudit_core::claim::Form;
use plaudit_core::finding::MechanismKind;
use plaudit_core::finding::{Finding, Headline, Quantity, Report, stated};
pub(super) use plaudit_core::visible::visible;
use std::collections::BTreeSet;

/// The beginning of a text that fits into `most` columns, with "…" at its end if there is more.
pub fn cut(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let (mut out, mut used) = (String::new(), 1);
    for c in text.chars() {
        used += column(c);
        if used > most {
            break;
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

/// Columns that a text takes in a terminal.
pub fn columns(text: &str) -> usize {
    text.chars().map(column).sum()
}

/// Columns of a character: 0 for combining marks, 2 for the wide blocks of Unicode's East Asian
/// Width (UAX #11) and for emoji, else 1.
fn column(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36F | 0x1AB0..=0x1AFF | 0x20D0..=0x20FF | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF => 2,
        0xFE30..=0xFE6F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 => 2,
        0x1F300..=0x1F64F | 0x1F680..=0x1F6FF | 0x1F900..=0x1F9FF | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

/// Claim in the field's notation, its numbers in enough digits to differ from rounder ones, and from what was found:
/// "(0.6931, 1e-5)-DP".
pub(super) fn claim(finding: &Finding) -> String {
    let headline = finding.numbers().into_iter().next();
    let found = |quantity| match &headline {
        Some(Headline { quantity: of, value, .. }) if *of == quantity => *value,
        _ => None,
    };
    let number = |x: f64, quantity| stated(x, found(quantity));
    form(finding.claim.claim.form(), &number)
}

fn form(claim: &Form, number: &dyn Fn(f64, Quantity) -> String) -> String {
    match claim {
        Form::EpsilonDelta { epsilon, delta: 0.0 } => {
            format!("{}-DP", number(*epsilon, Quantity::Epsilon))
        }
        Form::EpsilonDelta { epsilon, delta } => {
            let (epsilon, delta) =
                (number(*epsilon, Quantity::Epsilon), number(*delta, Quantity::Delta));
            format!("({epsilon}, {delta})-DP")
        }
        Form::Gaussian { mu } => format!("{}-GDP", number(*mu, Quantity::Mu)),
        Form::ZeroConcentrated { rho } => format!("{}-zCDP", number::chosen(*rho)),
        Form::Renyi { curve } if curve.len() == 1 => {
            let [order, epsilon] = [curve[0].order, curve[0].epsilon].map(number::chosen);
            format!("({order}, {epsilon})-RDP")
        }
        Form::Group { of, size } => format!("{} for groups of {size}", form(of, number)),
        other => other.to_string(),
    }
}

/// The form of a claim, without its numbers.
pub(super) fn form_name(form: &Form) -> &'static str {
    match form {
        Form::EpsilonDelta { delta: 0.0, .. } => "ε-DP",
        Form::EpsilonDelta { .. } => "(ε, δ)-DP",
        Form::Gaussian { .. } => "μ-GDP",
        Form::ZeroConcentrated { .. } => "ρ-zCDP",
        Form::Renyi { .. } => "Rényi",
        Form::Profile { .. } => "privacy profile",
        Form::Tradeoff { .. } => "trade-off function",
        Form::Composed { .. } | Form::Composition { .. } => "composition",
        Form::Group { .. } => "for groups",
    }
}

/// The words of a witness or of its evidence, typeset: certificates hold them in ASCII.
pub(super) fn typeset(words: &str) -> String {
    words.replace("D'", "D′").replace("<=", "≤").replace(">=", "≥")
}

/// Known loss before and after post-processing.
pub(super) fn before_and_after(before: Option<&Finding>, after: &Finding) -> String {
    let known = |finding: &Finding| match finding.numbers().into_iter().next() {
        Some(number) => format!("{} ({})", number.words, number.known.word()),
        None => "no number".to_owned(),
    };
    let before = before.map_or_else(|| "not in this report".to_owned(), known);
    format!("before: {before} · after: {}", known(after))
}

/// P-value next to its name: "≤ 1e-9", "0.31".
pub(super) fn p_value(p: f64) -> String {
    let said = number::p_value(p);
    said.trim_start_matches("p ").trim_start_matches("= ").to_owned()
}

/// A text with its decimal fractions in six significant digits at most; whole where two would then read alike.
pub(super) fn in_six_digits(words: &str) -> String {
    let of_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    let (mut whole, mut short) = (BTreeSet::new(), BTreeSet::new());
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let end = number.find(|c| !of_number(c)).unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        out += before;
        let digits = number.trim_start_matches(['0', '.']).chars().filter(char::is_ascii_digit);
        let is_long = number.contains('.') && digits.count() > 6;
        let shorter = match number.parse::<f64>() {
            Ok(value) if is_long => significant(value, 6),
            _ => number.to_owned(),
        };
        out += &shorter;
        whole.insert(number);
        short.insert(shorter);
        rest = after;
    }
    if short.len() < whole.len() { words.to_owned() } else { out + rest }
}

/// Summary of how many verdicts are as expected, apart from interrupted audits.
pub(super) fn judgement(report: &Report) -> String {
    let count = |of: fn(&Finding) -> bool| report.audits.iter().filter(|a| of(a)).count();
    let unexpected = count(|finding| !finding.as_expected && !finding.interrupted);
    let attacks = report.attacks.iter().filter(|attack| !attack.as_expected()).count();
    let only_attacks = report.audits.is_empty() && !report.attacks.is_empty();
    let of_attacks = match attacks {
        0 => String::new(),
        1 => ", 1 attack UNEXPECTED".into(),
        n => format!(", {n} attacks UNEXPECTED"),
    };
    let words = match unexpected {
        0 if only_attacks && attacks == 0 => "every attack as expected".into(),
        0 if only_attacks => return of_attacks[2..].to_owned(),
        0 => "every verdict as expected".into(),
        1 => "1 verdict UNEXPECTED".into(),
        n => format!("{n} verdicts UNEXPECTED"),
    };
    let words: String = words;
    let words = words + &of_attacks;
    match count(|finding| finding.interrupted) {
        0 => words,
        n if n == report.audits.len() => "interrupted before any verdict".into(),
        n if unexpected == 0 => format!("{n} interrupted, every other verdict as expected"),
        n => format!("{n} interrupted, {words}"),
    }
}

/// A count in a few characters: "999", "12.5k", "1M", "2.5G".
pub(super) fn short_count(n: u64) -> String {
    let x = n as f64;
    match n {
        0..1000 => n.to_string(),
        1000..999_500 => format!("{}k", significant(x / 1e3, 3)),
        999_500..999_500_000 => format!("{}M", significant(x / 1e6, 3)),
        _ => format!("{}G", significant(x / 1e9, 3)),
    }
}

/// A command as a shell takes it.
pub(super) fn shell(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%^".contains(c);
    let quoted = words.iter().map(|word| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// The command that plays a violation again. One that only a proof shows has no certificate.
pub(super) fn replay(finding: &Finding, slug: &str) -> Option<String> {
    let certified = finding.p_value <= finding.alpha || exceeded(finding);
    (finding.verdict.is_violation() && certified)
        .then(|| replay_of(finding, &format!("{slug}.json")))
}

/// The command that plays a certificate of a finding again. No file carries a function: who has it calls this in Python.
pub(super) fn replay_of(finding: &Finding, certificate: &str) -> String {
    if finding.mechanism.kind == MechanismKind::Function {
        return format!("plaudit.replay(\"certificates/{certificate}\", function)");
    }
    // A program is only run with explicit consent.
    let consent =
        if finding.mechanism.kind == MechanismKind::Program { " --run-program" } else { "" };
    format!("plaudit replay{consent} certificates/{certificate}")
}

/// `true` if a declared sensitivity is exceeded: then nothing was played.
pub(super) fn exceeded(finding: &Finding) -> bool {
    finding.sensitivity.as_ref().is_some_and(|check| check.counterexample.is_some())
}

/// Seconds in a few characters: "8 ms", "1.2 s", "75 s", "12 min", "3.4 h".
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if !s.is_finite() => "?".into(),
        s if s < 0.0995 => format!("{:.0} ms", s * 1e3),
        s if s < 99.5 => format!("{} s", significant(s, 2)),
        s if s < 5970.0 => format!("{:.0} min", s / 60.0),
        s => format!("{} h", significant(s / 3600.0, 2)),
    }
}

/// A share as a percentage: "12.5 %", "0.00012 %"; "100 %" only for all (up to rounding);
/// with no-break spaces.
pub(super) fn percent(share: f64) -> String {
    if (0.9995..1.0 - 1e-12).contains(&share) {
        return ">\u{A0}99.9\u{A0}%".into();
    }
    format!("{}\u{A0}%", significant(share * 100.0, 3))
}

/// A count with its thousands apart: "1 000 000" (no-break spaces).
pub(super) fn count(n: u64) -> String {
    number::grouped(n).replace(' ', "\u{202F}")
}

/// A sentence with a capital at its beginning.
pub fn capital(sentence: &str) -> String {
    let mut rest = sentence.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// Words that go on in a line, unless they begin with a letter of their own: "p-value", "D".
pub(super) fn small(heading: &str) -> String {
    let mut rest = heading.chars();
    rest.next().map_or_else(String::new, |first| first.to_lowercase().chain(rest).collect())
}

#[cfg(test)]
#[path = "../../tests/unit/report/words.rs"]
mod tests;
