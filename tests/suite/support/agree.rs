//! That verdict, headline, row and sentence of a finding say the same.

use plaudit::finding::{Finding, Known, Verdict};

/// Where they disagree.
pub fn disagreements(finding: &Finding) -> Vec<String> {
    let mut found = Vec::new();
    let mut note =
        |what: &str, words: &str| found.push(format!("{}: {what}: {words}", finding.name));
    let (verdict, reason) = (finding.verdict, &finding.reason());
    let says = |words: &[&str]| words.iter().any(|words| reason.contains(words));
    match verdict {
        Verdict::Violated if !says(&["is refuted", "is exceeded"]) => note("no refutation", reason),
        Verdict::Verified if !says(&["is verified"]) => note("no proof", reason),
        Verdict::Verified | Verdict::NotRefuted | Verdict::Bounded if says(&["is refuted"]) => {
            note("a refutation", reason);
        }
        _ => {}
    }
    let numbers = finding.numbers();
    let Some(first) = numbers.first() else { return found };
    if !first.agrees(verdict) {
        note("headline", &format!("{}, allowed {:?}", first.words, first.allowed_words));
    }
    // As they are written, too.
    let allowed = first.allowed_words.as_ref().and_then(|words| words.parse::<f64>().ok());
    // "ε ≥ 1.2 at δ = 0": the number is the last word before what is fixed.
    let number = first.words.split([',', '(']).next().and_then(|it| it.split(" at ").next());
    let number = number.and_then(|it| it.trim().rsplit(' ').next()).unwrap_or_default();
    let shown = if number == "∞" { Some(f64::INFINITY) } else { number.parse::<f64>().ok() };
    if let (Verdict::Violated, Some(shown), Some(allowed)) = (verdict, shown, allowed)
        && shown <= allowed
    {
        note("written", &format!("{}, allowed {allowed}", first.words));
    }
    // At one ε there is one certified δ.
    let at_claim = finding.profile.iter().find(|it| it.epsilon == finding.claim.reference_epsilon);
    if let (Verdict::Violated, Some(point)) = (verdict, at_claim)
        && point.delta_lower != finding.delta_lower
    {
        note("two δ", &format!("{} and {}", point.delta_lower, finding.delta_lower));
    }
    let is_proved = |known: Known| known == Known::Proved;
    if verdict == Verdict::Verified && !is_proved(first.known) {
        note("verified by what is not proved", &first.words);
    }
    found
}
