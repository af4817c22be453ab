//! From a finding to the fields of its record.

use super::field::Field;
use crate::report::answers::{SheetAnswer, answers};
use crate::report::words::{claim, visible};
use plaudit_core::claim::Form;
use plaudit_core::finding::{Finding, Report, Topic};
use serde_json::{Value, json};

/// All fields, in the order of the registry's template (`tests/good_deployments/template.yaml`).
pub(super) fn root(report: &Report, finding: &Finding) -> Field {
    let sheet = answers(finding);
    let deployment = Field::Parts(vec![
        ("basic", basic()),
        ("dp_variant", variant(finding)),
        ("privacy_loss", privacy_loss(finding, &sheet)),
        ("deployment_model", deployment_model(finding)),
        ("accounting", accounting(finding, &sheet)),
        ("implementation", implementation(report, finding, &sheet)),
        ("administrative", administrative(report, finding)),
    ]);
    Field::Parts(vec![
        ("url_slug", Field::Required("".into())),
        ("status", Field::Known("Draft".into())),
        ("tier", Field::Required(1.into())),
        ("deployment", deployment),
    ])
}

/// The data product, of which an audit knows nothing.
fn basic() -> Field {
    Field::Parts(vec![
        ("name", Field::Required("".into())),
        ("data_curators", Field::Required(json!([""]))),
        ("intended_use", Field::Required("".into())),
        ("data_product_type", Field::Required("Summary statistics".into())),
        ("data_product_region", Field::Required("".into())),
        ("description", Field::Required("".into())),
        ("publication_date", Field::Required("1900-01-01".into())),
        ("data_product_sector", Field::Optional),
    ])
}

fn variant(finding: &Finding) -> Field {
    let name = match finding.claim.claim.form() {
        Form::EpsilonDelta { delta: 0.0, .. } => "Pure DP",
        Form::EpsilonDelta { .. } => "Approximate DP",
        Form::ZeroConcentrated { .. } => "Zero-concentrated DP",
        Form::Renyi { .. } => "Renyi DP",
        _ => "Custom",
    };
    Field::Parts(vec![
        ("variant_name", Field::Known(name.into())),
        ("data_domain", Field::Optional),
        ("unprotected_quantities", Field::Optional),
    ])
}

fn privacy_loss(finding: &Finding, sheet: &[SheetAnswer]) -> Field {
    let number = |name, value: f64| (name, Field::Known(value.into()));
    let parameters = match finding.claim.claim.form() {
        Form::EpsilonDelta { epsilon, delta: 0.0 } => vec![number("epsilon", *epsilon)],
        Form::EpsilonDelta { epsilon, delta } => {
            vec![number("epsilon", *epsilon), number("delta", *delta)]
        }
        Form::ZeroConcentrated { rho } => vec![number("rho", *rho)],
        // The registry has no field for the parameters of the other variants: they are in the details.
        _ => Vec::new(),
    };
    let in_full = parameters.is_empty().then(|| format!("The claim is {}.", claim(finding)));
    let details = [in_full, stated(finding, Topic::Definition)].into_iter().flatten();
    let details = details.collect::<Vec<_>>().join(" ");
    Field::Parts(vec![
        ("privacy_unit", Field::text(answer(sheet, Topic::Unit))),
        ("privacy_unit_details", Field::text(answer(sheet, Topic::Neighbors))),
        ("privacy_parameters", Field::Parts(parameters)),
        ("privacy_parameters_details", Field::text(Some(details))),
    ])
}

/// Who sees raw data, and what is released: people state it, in words that no field with fixed choices takes.
fn deployment_model(finding: &Finding) -> Field {
    Field::Parts(vec![
        ("model_name", Field::Optional),
        ("model_name_details", Field::text(stated(finding, Topic::Trust))),
        ("actors", Field::Optional),
        ("release_type", Field::Optional),
        ("release_type_details", Field::text(stated(finding, Topic::Release))),
        ("data_source_type", Field::Optional),
        ("data_source_type_details", Field::Optional),
        ("access_type", Field::Optional),
        ("access_type_details", Field::Optional),
    ])
}

fn accounting(finding: &Finding, sheet: &[SheetAnswer]) -> Field {
    let in_words = finding.post.as_ref().map(|post| visible(&post.words));
    let as_in_spec = visible(&finding.mechanism.post.join(", "));
    Field::Parts(vec![
        ("post_processing", Field::text(in_words.or(Some(as_in_spec)))),
        ("composition", Field::text(answer(sheet, Topic::Composition))),
    ])
}

fn implementation(report: &Report, finding: &Finding, sheet: &[SheetAnswer]) -> Field {
    let mechanism =
        [Topic::Mechanism, Topic::Sensitivity, Topic::SideChannels, Topic::Security, Topic::Group];
    let tool = format!("{} {}", report.tool.name, report.tool.version);
    let verdict = format!(
        "- Audit of the claim {} with {}: {}. {}",
        claim(finding),
        visible(&tool),
        finding.verdict_words(),
        visible(&finding.reason())
    );
    let evidence = lines(sheet, &[Topic::Evidence, Topic::Scope, Topic::Severity]);
    let justification = [Some(verdict), evidence].into_iter().flatten().collect::<Vec<_>>();
    Field::Parts(vec![
        ("preprocessing_and_hyperparameter_tuning", Field::Optional),
        ("mechanisms", Field::text(lines(sheet, &mechanism))),
        ("justification", Field::text(Some(justification.join("\n")))),
    ])
}

fn administrative(report: &Report, finding: &Finding) -> Field {
    let mut notes = vec![format!(
        "- Draft from the audit \"{}\" of a report of {} {}, seed {}.",
        visible(&finding.name),
        visible(&report.tool.name),
        visible(&report.tool.version),
        finding.seed
    )];
    if finding.verdict.is_violation() {
        notes.push("- The audit refuted the claim: do not publish it as a guarantee.".into());
    }
    for topic in [Topic::Utility, Topic::Comparable, Topic::Evaluator] {
        let stated = stated(finding, topic);
        notes.extend(stated.map(|words| format!("- {}: {words}", topic.question())));
    }
    Field::Parts(vec![
        ("sources", Field::Optional),
        ("notes", Field::text(Some(notes.join("\n")))),
        ("registry_authors", Field::Required(Value::Array(vec!["".into()]))),
    ])
}

/// Answers to a question, stated and found; `None` if there is neither.
fn answer(sheet: &[SheetAnswer], topic: Topic) -> Option<String> {
    let row = sheet.iter().find(|row| row.topic == topic)?;
    match (&row.stated, &row.found) {
        (None, None) => None,
        (Some(words), None) | (None, Some(words)) => Some(visible(words)),
        (Some(stated), Some(found)) => {
            Some(format!("{}. In the audit: {}", visible(stated), visible(found)))
        }
    }
}

fn stated(finding: &Finding, topic: Topic) -> Option<String> {
    finding.evaluation.get(&topic).map(|words| visible(words))
}

/// The answers to some questions, a line each.
fn lines(sheet: &[SheetAnswer], topics: &[Topic]) -> Option<String> {
    let line = |topic: &Topic| Some(format!("- {}: {}", topic.question(), answer(sheet, *topic)?));
    let lines: Vec<String> = topics.iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
