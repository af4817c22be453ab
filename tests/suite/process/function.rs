//! Functions of this process, asked as programs are.

use plaudit::dataset::{Dataset, Pair};
use plaudit::finding::MechanismKind;
use plaudit::game::Control;
use plaudit::mechanism::{Answer, Function, FunctionRequest, Planned, Trouble};
use plaudit::spec::{FunctionSpec, Overrides, parse, parse_function};
use plaudit::{Audit, Finding, Outcomes, Stream, Verdict};
use rand::{RngExt, SeedableRng, rngs::SmallRng};
use serde_json::json;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// A function by what it adds for a request, on the dataset `[0]` or `[1]`.
struct Of<F>(F);

impl<F> Function for Of<F>
where
    F: Fn(u64, &FunctionRequest<'_>, &mut Outcomes) -> Result<(), Trouble> + Send + Sync,
{
    fn ask(
        &self,
        request: &FunctionRequest<'_>,
        outcomes: &mut Outcomes,
        _: &AtomicBool,
    ) -> Result<(), Trouble> {
        (self.0)(u64::from(request.dataset == "[1]"), request, outcomes)
    }

    fn query(&self, dataset: &str, _: &AtomicBool) -> Result<Option<Answer>, Trouble> {
        Ok(Some(Ok(vec![dataset.len() as f64])))
    }
}

fn spec(
    function: impl Fn(u64, &FunctionRequest<'_>, &mut Outcomes) -> Result<(), Trouble>
    + Send
    + Sync
    + 'static,
    more: &str,
) -> Audit<Dataset> {
    let dataset = |x: u64| Dataset::Json(json!([x]));
    let pair = Pair { name: "0 and 1".into(), d: dataset(0), d_prime: dataset(1) };
    let function = FunctionSpec {
        function: Arc::new(Of(function)),
        copies: None,
        run_in_copies: false,
        pairs: vec![pair],
    };
    let text = format!(
        "[[audit]]\nname = \"f\"\nmechanism = {{ function = \"f\", language = \"Rust\" }}\n\
         relation = {{ l1 = 1 }}\nclaim = {{ epsilon = 1.0 }}\ntrials = 20_000\n{more}"
    );
    let loaded = parse_function(&text, Path::new("f"), &Overrides::default(), &function);
    loaded.unwrap_or_else(|errors| panic!("{errors}")).remove(0).audit
}

fn found(audit: &Audit<Dataset>) -> Finding {
    audit.run(Control::unattended()).expect("a finding").finding
}

/// Randomized response that says `x` with this probability.
fn response(
    share: f64,
) -> impl Fn(u64, &FunctionRequest<'_>, &mut Outcomes) -> Result<(), Trouble> + Send + Sync {
    move |x, request, outcomes| {
        let mut random = SmallRng::seed_from_u64(request.seed);
        for _ in 0..request.runs {
            outcomes.push_integer(((random.random::<f64>() < share) == (x == 1)).into());
        }
        Ok(())
    }
}

#[test]
fn right_and_wrong_ones_are_told_apart_and_described() {
    // ln(.7/.3) = .85, ln(.8/.2) = 1.39
    let (right, wrong) = (found(&spec(response(0.7), "")), found(&spec(response(0.8), "")));
    assert_eq!(right.verdict, Verdict::NotRefuted, "{}", right.reason());
    assert_eq!(wrong.verdict, Verdict::Violated, "{}", wrong.reason());
    assert_eq!(wrong.mechanism.kind, MechanismKind::Function);
    assert_eq!(wrong.mechanism.description, "the Rust function `f`");
    assert!(wrong.notes.is_empty(), "{:?}", wrong.notes);
}

#[test]
fn one_that_keeps_something_and_has_no_copies_is_run_in_turn() {
    let calls = AtomicU64::new(0);
    let counts = move |_, request: &FunctionRequest<'_>, outcomes: &mut Outcomes| {
        for run in 0..request.runs as u64 {
            let call = calls.fetch_add(1, Ordering::Relaxed);
            // It follows its seed, but for the first thousand calls.
            let said = if call < 1000 { 5 } else { (request.seed + run) % 3 };
            outcomes.push_integer(said as i64);
        }
        Ok(())
    };
    let finding = found(&spec(counts, ""));
    let notes = finding.notes.join(" ");
    assert_ne!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert!(notes.contains("The function depends on earlier calls"), "{notes}");
    assert!(notes.contains("one by one in the order of the coins"), "{notes}");
}

#[test]
fn one_that_changes_later_is_not_believed() {
    let calls = AtomicU64::new(0);
    let changes = move |x, request: &FunctionRequest<'_>, outcomes: &mut Outcomes| {
        let late = calls.fetch_add(request.runs as u64, Ordering::Relaxed) > 12_000;
        response(if late { 0.5 } else { 0.7 })(x, request, outcomes)
    };
    let finding = found(&spec(changes, ""));
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", finding.reason());
    assert!(
        finding.reason().contains("does not behave as it did at first"),
        "{}",
        finding.reason()
    );
}

#[test]
fn a_wrong_number_of_outcomes_and_trouble_are_told() {
    let few = |_, request: &FunctionRequest<'_>, outcomes: &mut Outcomes| {
        (1..request.runs).for_each(|_| outcomes.push_number(0.5));
        Ok(())
    };
    let finding = found(&spec(few, ""));
    assert_eq!(finding.verdict, Verdict::Inconclusive);
    assert!(finding.reason().contains("it gave 0 outcomes, but 1 were requested"));
    let broken = |_, _: &FunctionRequest<'_>, _: &mut Outcomes| {
        Err(Trouble::Broken("no interpreter".into()))
    };
    let finding = found(&spec(broken, ""));
    assert_eq!(finding.verdict, Verdict::Inconclusive);
    assert!(finding.reason().contains("The function broke its contract: no interpreter"));
}

#[test]
fn outcomes_that_are_all_the_same_are_told_before_the_trials() {
    let constant = |_, request: &FunctionRequest<'_>, outcomes: &mut Outcomes| {
        (0..request.runs).for_each(|_| outcomes.push_integer(3));
        Ok(())
    };
    let told = |audit: &Audit<Dataset>| {
        let told = Mutex::new(Vec::new());
        let keep = |words: &str| told.lock().unwrap().push(words.to_owned());
        audit.run(Control { told: &keep, ..Control::unattended() }).unwrap();
        told.into_inner().unwrap().join("\n")
    };
    let words = told(&spec(constant, ""));
    assert!(words.contains("outcomes of the questions before the audit were the same"), "{words}");
    assert_eq!(told(&spec(constant, "constant = \"allowed\"")), "");
    assert_eq!(told(&spec(response(0.7), "")), "");
}

#[test]
fn runs_are_timed_on_both_datasets_at_once() {
    let timed = |x: u64, request: &FunctionRequest<'_>, outcomes: &mut Outcomes| {
        let mut random = SmallRng::seed_from_u64(request.seed);
        let Some((other, order)) = request.interleaved else {
            (0..request.runs).for_each(|_| outcomes.push_integer(random.random_range(0..2)));
            return Ok(());
        };
        for on_first in order {
            let x = if *on_first { x } else { u64::from(other == "[1]") };
            let said = random.random_range(0..2i64);
            // The time tells the dataset.
            outcomes.push_timed(said.into(), 1_000 + 50_000 * x);
        }
        Ok(())
    };
    let finding = found(&spec(timed, "clock = true\n"));
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
}

#[test]
fn specs_of_functions_are_checked() {
    let text = "[[audit]]\nname = \"f\"\nmechanism = { function = \"f\" }\nrelation = { l1 = 1 }\n\
                pairs = [{ d = [0], d_prime = [1] }]\nclaim = { epsilon = 1.0 }\n";
    let wrong = parse(text, Path::new("f"), &Overrides::default()).err().expect("a mistake");
    assert!(wrong.to_string().contains("call plaudit.audit(function, …) in Python"), "{wrong}");
    let function = |pairs| FunctionSpec {
        function: Arc::new(Of(response(0.7))),
        copies: None,
        run_in_copies: false,
        pairs,
    };
    let pair = |d, d_prime| {
        vec![Pair { name: "p".into(), d: Dataset::Json(d), d_prime: Dataset::Json(d_prime) }]
    };
    let told = |pairs| {
        let read = parse_function(text, Path::new("f"), &Overrides::default(), &function(pairs));
        read.err().map_or_else(String::new, |errors| errors.to_string())
    };
    assert!(told(Vec::new()).contains("there is no pair of datasets"));
    assert!(told(pair(json!([0]), json!([0]))).contains("the datasets are the same"));
    assert!(told(pair(json!([0]), json!([2]))).contains("l1 distance"));
    assert_eq!(told(pair(json!([0]), json!([1]))), "");
}

/// One diagnosis serves all looks of an audit, within 300 requests, whether it follows its seed or not; another dataset,
/// or many more trials, have one of their own.
#[test]
fn one_diagnosis_of_few_requests_serves_an_audit() {
    for follows in [true, false] {
        let (asked, calls) = (Arc::new(AtomicU64::new(0)), AtomicU64::new(0));
        let count = asked.clone();
        let counts = move |x, request: &FunctionRequest<'_>, outcomes: &mut Outcomes| {
            count.fetch_add(1, Ordering::Relaxed);
            let call = calls.fetch_add(1, Ordering::Relaxed);
            let seed = if follows { request.seed } else { call };
            response(0.7)(x, &FunctionRequest { seed, ..*request }, outcomes)
        };
        let audit = spec(counts, "");
        let prepare = |pair: [u64; 2], trials, most| {
            let before = asked.load(Ordering::Relaxed);
            let pair = pair.map(|x| Dataset::Json(json!([x])));
            let mut random = Stream::seed_from_u64(1);
            let planned = Planned { trials, most, one_by_one: false, seconds: None };
            let never = AtomicBool::new(false);
            let prepared =
                audit.mechanism.prepare([&pair[0], &pair[1]], planned, &mut random, &never);
            let prepared = prepared.expect("it runs");
            assert!(!prepared.stateful && prepared.trials == trials && !prepared.seen.is_empty());
            asked.load(Ordering::Relaxed) - before
        };
        let first = prepare([0, 1], 30_000, 1_000_000);
        assert!((1..=300).contains(&first), "{first}");
        assert_eq!(prepare([0, 1], 170_000, 1_000_000), 0);
        assert_eq!(prepare([0, 1], 1_000_000, 1_000_000), 0);
        assert_eq!(prepare([0, 2], 1_000_000, 1_000_000), first);
        assert_eq!(prepare([0, 2], 10_000_000, 10_000_000), first);
    }
}

/// An audit that may end at any time is judged by a test that allows for earlier runs, and not for what the runs of a
/// request share: so each run has a request of its own, also where the audit of a fixed size has large ones.
#[test]
fn each_run_has_a_request_of_its_own_where_batches_are_judged_together() {
    for until_clear in [true, false] {
        let sizes = Arc::new(Mutex::new(Vec::new()));
        let kept = sizes.clone();
        let counts = move |x, request: &FunctionRequest<'_>, outcomes: &mut Outcomes| {
            kept.lock().unwrap().push(request.runs);
            response(0.7)(x, request, outcomes)
        };
        let mut audit = spec(counts, "");
        let control = Control::unattended();
        let audited = match until_clear {
            true => audit.run_until_clear(Some(1.5), control),
            false => audit.run(control),
        };
        let counted = audited.unwrap().finding.trials.total;
        let sizes = sizes.lock().unwrap();
        let single = sizes.iter().rev().take_while(|runs| **runs == 1).count() as u64;
        assert_eq!(single >= counted, until_clear, "{single} of {counted}");
    }
}
