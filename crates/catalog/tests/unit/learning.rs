//! DP-SGD: its law where that is known, its clipping, its gradients, its refusals and its mistakes.
//!
//! Moments are compared at seven standard errors: for a fresh seed each comparison would fail with probability
//! below 3e-12 for the mean, and below 1e-9 for a variance of 20 000 runs. There are five such comparisons.

use super::examples::{Examples, Target};
use super::mistake::TrainingMistake;
use super::model::{Classifier, dot};
use super::sgd::DpSgd;
use super::training::to_norm;
use crate::family::Family;
use plaudit_core::dataset::{Cell, Dataset, Table};
use plaudit_core::random::Stream;
use plaudit_engine::mechanism::Outcomes;
use rand::SeedableRng;
use serde::Deserialize;
use serde_json::{Value, json};
use std::num::NonZeroUsize;

const RUNS: usize = 20_000;
const STANDARD_ERRORS: f64 = 7.0;

/// Two rows that leave the first parameter alone, and perhaps the canary.
fn worst_case(canary: bool) -> Value {
    let mut rows = vec![json!([0, 1, 1]), json!([0, -1, 0])];
    rows.extend(canary.then(|| json!([0, 0, "canary"])));
    json!(rows)
}

fn table(rows: &Value) -> Dataset {
    let rows: Vec<Vec<Cell>> = serde_json::from_value(rows.clone()).unwrap();
    let columns = ["x", "y", "label"].map(str::to_owned).to_vec();
    Dataset::Table(Table::new(columns, rows).unwrap())
}

/// A training with these parameters in place of the usual ones; `null` takes one away.
fn training(changes: Value) -> Result<DpSgd, String> {
    let mut parameters = json!({
        "model": "logistic", "sampling": "full-batch", "clip": 1.5, "sigma": 2.0, "steps": 1, "rate": 0.5,
        "batch": 2, "releases": "score", "canary": "gradient"
    });
    let all = parameters.as_object_mut().unwrap();
    all.extend(changes.as_object().unwrap().clone());
    all.retain(|_, value| !value.is_null());
    DpSgd::deserialize(parameters).map_err(|error| error.to_string())
}

fn outcomes(training: &DpSgd, rows: &Value, runs: usize) -> Outcomes {
    let examples = training.read(&table(rows)).unwrap();
    let mut outcomes = Outcomes::new();
    training.draw(&examples, runs, &mut Stream::seed_from_u64(7), &mut outcomes);
    outcomes
}

fn scores(changes: Value, rows: &Value) -> Vec<f64> {
    outcomes(&training(changes).unwrap(), rows, RUNS).as_numbers().unwrap().to_vec()
}

fn moments(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
    (mean, squares / (values.len() - 1) as f64)
}

fn assert_moments(scores: &[f64], mean: f64, variance: f64) {
    let (found_mean, found_variance) = moments(scores);
    let runs = scores.len() as f64;
    let of_mean = (variance / runs).sqrt();
    assert!((found_mean - mean).abs() < STANDARD_ERRORS * of_mean, "mean {found_mean}");
    // Of Gaussian numbers.
    let of_variance = variance * (2.0 / runs).sqrt();
    let off = (found_variance - variance).abs();
    assert!(off < STANDARD_ERRORS * of_variance, "variance {found_variance}");
}

#[test]
fn with_a_canary_the_score_of_full_batches_is_gaussian_around_what_it_contributes() {
    let (clip, sigma) = (1.5, 2.0f64);
    let of_noise = (sigma * clip).powi(2);
    assert_moments(&scores(json!({}), &worst_case(true)), clip, of_noise);
    assert_moments(&scores(json!({}), &worst_case(false)), 0.0, of_noise);
    let four = scores(json!({"steps": 4}), &worst_case(true));
    assert_moments(&four, 4.0 * clip, 4.0 * of_noise);
    let network = json!({"model": "two-layer", "hidden": 3, "steps": 2});
    assert_moments(&scores(network, &worst_case(true)), 2.0 * clip, 2.0 * of_noise);
}

#[test]
fn poisson_samples_have_the_canary_in_a_share_of_the_steps() {
    // With noise that is small next to the clipping norm, a step with the canary differs visibly from one
    // without.
    let changes = json!({"sampling": {"poisson": 0.25}, "sigma": 0.01});
    let scores = scores(changes, &worst_case(true));
    let with = scores.iter().filter(|&&score| score > 0.75).count() as f64;
    let (mean, deviation) = (0.25 * RUNS as f64, (0.25 * 0.75 * RUNS as f64).sqrt());
    assert!((with - mean).abs() < STANDARD_ERRORS * deviation, "{with}");
}

#[test]
fn no_clipped_vector_is_longer_than_the_norm_and_short_ones_stay() {
    for vector in
        [[0.3, 0.4], [3.0, 4.0], [1e150, -1e150], [0.0, 0.0], [f64::NAN, 1.0], [1e300, 1e300]]
    {
        for clip in [0.01, 0.5, 1.0, 7.0] {
            let factor = to_norm(dot(&vector, &vector).sqrt(), clip);
            let norm = vector[0].hypot(vector[1]);
            // What has no finite norm, or one whose square is not finite, counts as nothing.
            assert!(factor == 0.0 || factor * norm <= clip * (1.0 + 1e-15), "{vector:?} {clip}");
            assert_eq!(factor == 1.0, norm <= clip, "{vector:?} {clip}");
        }
    }
}

#[test]
fn one_row_moves_the_sum_by_the_clipping_norm_at_most() {
    // Almost no noise, so that the parameters after one step reveal the sum.
    let base = json!([[1, 2, 1], [-3, 0.5, 0]]);
    for (model, hidden) in [("logistic", Value::Null), ("two-layer", json!(4))] {
        let changes = json!({
            "model": model, "hidden": hidden, "sigma": 1e-9, "releases": "parameters", "rate": 1, "batch": 1
        });
        let training = training(changes).unwrap();
        let parameters = |rows: &Value| {
            let outcomes = outcomes(&training, rows, 1);
            outcomes.as_vectors().unwrap().0.to_vec()
        };
        let without = parameters(&base);
        for row in [json!([1e6, -1e6, 0]), json!([0, 0, 1]), json!([1e200, 1e200, 1])] {
            let mut more = base.clone();
            more.as_array_mut().unwrap().push(row);
            let with = parameters(&more);
            let moved: Vec<f64> = with.iter().zip(&without).map(|(a, b)| a - b).collect();
            assert!(dot(&moved, &moved).sqrt() < 1.5 + 1e-6, "{model} {moved:?}");
        }
    }
}

#[test]
fn a_step_of_logistic_regression_sums_up_its_clipped_gradients() {
    // Next to no noise, from 0, so that the parameters after a step are minus the sum.
    let (clip, model) = (1.5, Classifier::Logistic);
    let changes = json!({"sigma": 1e-12, "releases": "parameters", "rate": 1, "batch": 1});
    let training = training(changes).unwrap();
    for rows in [
        json!([[1, 2, 1], [-3, 0.5, 0], [0, 0, 0], [40, -9, 1], [0.1, 0.2, "canary"]]),
        json!([[2, 1, 1], [1e200, 3, 0], [0, 0, "canary"], [0, 0, "-canary"], [0, 0, "-canary"]]),
    ] {
        let examples = training.read(&table(&rows)).unwrap();
        let mut expected = [0.0; 3];
        for row in 0..examples.len() {
            let mut gradient = [0.0; 3];
            match examples.get(row) {
                (features, Target::Class(class)) => {
                    model.gradient(&[0.0; 3], features, class, &mut gradient);
                }
                (_, Target::Canary(sign)) => gradient[0] = sign * clip,
            }
            let factor = to_norm(dot(&gradient, &gradient).sqrt(), clip);
            expected.iter_mut().zip(gradient).for_each(|(sum, entry)| *sum -= factor * entry);
        }
        let found = outcomes(&training, &rows, 1);
        let (found, _) = found.as_vectors().unwrap();
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{rows}: {found} {expected}");
        }
    }
}

#[test]
fn the_scores_of_the_steps_sum_up_to_the_score() {
    let changes =
        |releases: &str| json!({"steps": 3, "sampling": {"poisson": 0.5}, "releases": releases});
    let totals = scores(changes("score"), &worst_case(true));
    let steps = outcomes(&training(changes("scores")).unwrap(), &worst_case(true), RUNS);
    let (steps, ends) = steps.as_vectors().unwrap();
    assert!(ends.iter().copied().eq((3..=3 * RUNS).step_by(3)));
    let sums: Vec<f64> = steps.chunks_exact(3).map(|step| step.iter().sum()).collect();
    assert_eq!(sums, totals);
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let models = [
        Classifier::Logistic,
        Classifier::TwoLayer { hidden: NonZeroUsize::new(1).unwrap() },
        Classifier::TwoLayer { hidden: NonZeroUsize::new(5).unwrap() },
    ];
    let features = [0.7, -1.3, 0.2, 0.0, 2.1];
    for model in models {
        for (width, class) in [(1, 0.0), (3, 1.0), (5, 0.0), (5, 1.0)] {
            let (features, size) = (&features[..width], model.parameters(width));
            let parameters: Vec<f64> = (0..size).map(|i| (3.0 * i as f64 + 1.0).cos()).collect();
            let mut gradient = vec![f64::NAN; size];
            model.gradient(&parameters, features, class, &mut gradient);
            for (i, exact) in gradient.iter().enumerate() {
                let loss_at = |step: f64| {
                    let mut moved = parameters.clone();
                    moved[i] += step;
                    model.loss(&moved, features, class)
                };
                let difference = (loss_at(1e-5) - loss_at(-1e-5)) / 2e-5;
                assert!((exact - difference).abs() < 1e-8, "{model:?} {i}: {exact} {difference}");
            }
        }
    }
}

#[test]
fn layers_and_biases_lie_where_the_gradient_has_them() {
    let network = Classifier::TwoLayer { hidden: NonZeroUsize::new(3).unwrap() };
    assert_eq!((network.parameters(2), network.last_layer(2)), (13, 9));
    assert_eq!(network.biases(2), [6..9, 12..13]);
    assert_eq!((Classifier::Logistic.parameters(2), Classifier::Logistic.last_layer(2)), (3, 2));
    assert_eq!(Classifier::Logistic.biases(2), [2..2, 2..3]);
}

#[test]
fn labels_are_one_and_zero_or_minus_one() {
    let read = |rows: Value| Examples::read(&table(&rows), true, None).unwrap();
    let examples = read(json!([[1, 2, 1], [3, 4, 0], [5, 6, -1], [7, 8, "canary"]]));
    let targets: Vec<Target> = (0..4).map(|row| examples.get(row).1).collect();
    let zero = Target::Class(0.0);
    assert_eq!(targets, [Target::Class(1.0), zero, zero, Target::Canary(1.0)]);
    assert_eq!(examples.get(2).0, [5.0, 6.0]);
}

#[test]
fn datasets_that_nothing_can_be_learned_from_are_refused_in_words() {
    let usual = training(json!({})).unwrap();
    let no_canary = training(json!({"canary": null})).unwrap();
    let fixed = training(json!({
        "sampling": {"poisson": 0.5}, "batch": 3, "mistake": "fixed-batch"
    }));
    let cases = [
        (&usual, json!([]), "the table is empty"),
        (&usual, json!([[1, 2, 2]]), "row 0: label is 2, and a label is 1 or 0"),
        (&usual, json!([[1, 2, 1], [1, 2, "yes"]]), "row 1: label is"),
        (&usual, json!([[1, "two", 1]]), "row 0: y is"),
        (&no_canary, json!([[1, 2, "canary"]]), "canary = \"gradient\""),
        (&fixed.unwrap(), json!([[1, 2, 1]]), "a batch has 3 rows"),
    ];
    for (training, rows, words) in cases {
        let why = training.read(&table(&rows)).map(|_| ()).unwrap_err();
        assert!(why.contains(words), "{why}");
    }
    assert!(usual.read(&Dataset::Numbers(vec![1.0])).is_err());
    let labels = Table::new(vec!["label".into()], vec![vec![Cell::Whole(1)]]).unwrap();
    assert!(usual.read(&Dataset::Table(labels)).is_err());
}

#[test]
fn parameters_that_do_not_fit_together_are_refused_in_words() {
    let cases = [
        (json!({"hidden": 3}), "no `hidden` units"),
        (json!({"model": "two-layer"}), "takes `hidden`"),
        (json!({"model": "two-layer", "hidden": 1_000_000}), "too many"),
        (json!({"steps": 1_000_000}), "too many"),
        (json!({"sigma": 0}), "above 0"),
        (json!({"clip": -1}), "above 0"),
        (json!({"sampling": {"poisson": 1.0}}), "between 0 and 1"),
        (json!({"sampling": "half"}), "full-batch"),
        (json!({"mistake": "none"}), "clip-batch"),
        (json!({"mistake": "shuffled"}), "poisson"),
        (
            json!({"mistake": "fixed-batch", "sampling": {"poisson": 0.5}, "batch": 1.5}),
            "whole number",
        ),
        (json!({"mistake": "data-dependent-steps"}), "`stop_below`"),
        (json!({"stop_below": 0.5}), "`stop_below`"),
        (json!({"mistake": "clip-per-example"}), "`person`"),
        (json!({"mistake": "noise-of-one-layer"}), "`clipping`"),
        (json!({"mistake": "clip-accumulated"}), "`microbatches`"),
        (json!({"mistake": "noise-divided"}), "`microbatches`"),
        (json!({"mistake": "unnoised-quantile"}), "`adaptive`"),
        (json!({"adaptive": {"quantile": 0.5, "rate": 1, "sigma": 1}}), "more than 1, half"),
        (
            json!({"adaptive": {"quantile": 0.5, "rate": 1, "sigma": 2}, "clipping": "per-layer"}),
            "leave out `clipping`",
        ),
    ];
    for (changes, words) in cases {
        let why = training(changes.clone()).err().unwrap_or_else(|| panic!("{changes}"));
        assert!(why.contains(words), "{changes}: {why}");
    }
}

/// The parameters that a mistake takes, apart from a limit for the loss: that one is part of the mistake.
fn needs(mistake: &str) -> Value {
    match mistake {
        "clip-per-example" => json!({"person": "y"}),
        "clip-accumulated" | "noise-divided" => json!({"microbatches": 2}),
        "unnoised-quantile" => json!({"adaptive": {"quantile": 0.5, "rate": 0.5, "sigma": 2}}),
        "noise-of-one-layer" => json!({"clipping": "per-layer"}),
        _ => json!({}),
    }
}

/// With a mistake, the outcomes of the same stream are others.
#[test]
fn each_mistake_changes_what_is_released() {
    let rows = json!([[1, 2, 1], [-3, 2, 0], [4, -1, 1], [0.1, 0.1, 0], [9, -1, 1]]);
    let mistakes = [
        "clip-batch",
        "noise-not-scaled-by-clip",
        "no-noise-on-bias",
        "noise-reused",
        "shuffled",
        "fixed-batch",
        "unclipped-loss",
        "data-dependent-steps",
        "microbatch",
        "free-adaptive-clip",
        "clip-per-example",
        "clip-accumulated",
        "noise-divided",
        "bias-not-in-norm",
        "unnoised-quantile",
        "noise-of-one-layer",
    ];
    for model in ["logistic", "two-layer"] {
        let hidden = if model == "logistic" { Value::Null } else { json!(2) };
        let usual = json!({
            "model": model, "hidden": hidden, "sampling": {"poisson": 0.4}, "steps": 3, "releases": "iterates"
        });
        let drawn = |changes: Value| {
            let mut all = usual.clone();
            all.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            format!("{:?}", outcomes(&training(all).unwrap(), &rows, 20).iter().collect::<Vec<_>>())
        };
        let mut seen = vec![drawn(json!({}))];
        for mistake in mistakes {
            let named: TrainingMistake = serde_json::from_value(json!(mistake)).unwrap();
            assert!(named.words().len() > 10);
            let needed = needs(mistake);
            let mut wrong = needed.clone();
            wrong["mistake"] = json!(mistake);
            if mistake == "data-dependent-steps" {
                wrong["stop_below"] = json!(2.0);
            }
            let outcomes = drawn(wrong);
            assert_ne!(outcomes, drawn(needed), "{model}: {mistake}");
            assert!(!seen.contains(&outcomes), "{model}: {mistake}");
            seen.push(outcomes);
        }
    }
}

#[test]
fn shuffled_batches_have_the_canary_once_an_epoch_and_fixed_ones_drive_others_out() {
    let usual = json!({"sampling": {"poisson": 0.5}, "steps": 3, "batch": 1, "sigma": 1e-3});
    let with = |mistake: &str| {
        let mut all = usual.clone();
        all["mistake"] = json!(mistake);
        scores(all, &worst_case(true))
    };
    // Three rows, three steps of one row: once, always.
    assert!(with("shuffled").iter().all(|score| (score - 1.5).abs() < 0.1));
    let fixed = with("fixed-batch");
    assert!(fixed.iter().any(|score| score.abs() < 0.1));
    assert!(fixed.iter().any(|score| (score - 3.0).abs() < 0.1));
}

#[test]
fn what_is_released_lies_on_a_grid() {
    // 2^-24 times the scale of the noise, 3, is at least 2^-23.
    let scores = scores(json!({}), &worst_case(true));
    assert!(scores.iter().all(|score| (score * 2f64.powi(23)).fract() == 0.0));
}

#[test]
fn a_substituted_canary_moves_the_score_by_twice_the_norm() {
    let rows = json!([[0, 1, 1], [0, -1, 0], [0, 0, "-canary"]]);
    assert_moments(&scores(json!({}), &rows), -1.5, 9.0);
}

/// Move of the parameters in a step from 0, with next to no noise: minus the sum of the clipped gradients.
fn step(changes: Value, rows: &Value) -> Vec<f64> {
    let mut all = json!({
        "sigma": 1e-9, "releases": "parameters", "rate": 1, "batch": 1, "clip": 0.3
    });
    all.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    outcomes(&training(all).unwrap(), rows, 1).as_vectors().unwrap().0.to_vec()
}

fn length(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

#[test]
fn all_rows_of_a_person_together_move_the_sum_by_the_norm() {
    // Two people, whose rows lie apart. The three of person 7 have the gradients -(3, 1)/2, so (3, 1)/2 thrice.
    let rows = json!([[3, 7, 1], [5, 8, 1], [3, 7, 1], [3, 7, 1]]);
    let of = |changes: Value| {
        let without = step(changes.clone(), &json!([[5, 8, 1]]));
        let with = step(changes, &rows);
        with.iter().zip(&without).map(|(a, b)| a - b).collect::<Vec<_>>()
    };
    let together = of(json!({"person": "y"}));
    assert!((length(&together) - 0.3).abs() < 1e-6, "{together:?}");
    let apart = of(json!({"person": "y", "mistake": "clip-per-example"}));
    assert!((length(&apart) - 0.9).abs() < 1e-6, "{apart:?}");
    let misnamed = training(json!({"person": "who"})).unwrap();
    let why = misnamed.read(&table(&rows)).map(|_| ()).unwrap_err();
    assert!(why.contains("`person` is \"who\""), "{why}");
}

#[test]
fn each_layer_is_clipped_by_itself_and_gets_the_noise_of_all() {
    // From 0 the gradient of logistic regression is -(6, 8, 1)/2: weights of norm 5 and a bias of 1/2.
    let moved = step(json!({"clipping": "per-layer"}), &json!([[6, 8, 1]]));
    for (found, expected) in moved.iter().zip([0.18, 0.24, 0.3]) {
        assert!((found - expected).abs() < 1e-6, "{moved:?}");
    }
    // The score is the sum of two entries, of 1.5 each, with noise of variance 18: twice that of one layer.
    let canary = json!([[0, 0, "canary"]]);
    let layers = |model: &str, mistake: Value| {
        let hidden = if model == "logistic" { Value::Null } else { json!(2) };
        let changes = json!({
            "clipping": "per-layer", "model": model, "hidden": hidden, "mistake": mistake
        });
        scores(changes, &canary)
    };
    for model in ["logistic", "two-layer"] {
        assert_moments(&layers(model, Value::Null), 3.0, 36.0);
        assert_moments(&layers(model, json!("noise-of-one-layer")), 3.0, 18.0);
    }
}

#[test]
fn micro_batches_add_up_to_the_batch_and_their_noise_is_drawn_once() {
    // Four gradients of -(3, 1)/2 or (3, 1)/2: one that is alone in its part is clipped alone.
    let rows = json!([[3, 0, 1], [3, 0, 1], [3, 0, 1], [3, 0, 0]]);
    let norm = |changes: Value| length(&step(changes, &rows));
    assert!((norm(json!({"microbatches": 2})) - 0.6).abs() < 1e-6);
    // Parts of two: one of twice the gradient, clipped to 0.3, and one of none.
    let clipped = norm(json!({"microbatches": 2, "mistake": "clip-accumulated"}));
    assert!((clipped - 0.3).abs() < 1e-6, "{clipped}");
    let canary = worst_case(true);
    assert_moments(&scores(json!({"microbatches": 3}), &canary), 1.5, 9.0);
    let divided = json!({"microbatches": 3, "mistake": "noise-divided"});
    assert_moments(&scores(divided, &canary), 1.5, 1.0);
}

#[test]
fn a_norm_without_the_bias_leaves_it_unclipped() {
    let rows = json!([[0, 0, 1]]);
    for (model, hidden) in [("logistic", Value::Null), ("two-layer", json!(2))] {
        let moved = |mistake: Value| {
            let at = |rate: f64| {
                let changes = json!({
                    "model": model, "hidden": hidden, "rate": rate, "mistake": mistake
                });
                step(changes, &rows)
            };
            let (end, start) = (at(1.0), at(1e-9));
            length(&end.iter().zip(start).map(|(a, b)| a - b).collect::<Vec<_>>())
        };
        assert!((moved(Value::Null) - 0.3).abs() < 1e-6, "{model}");
        assert!(moved(json!("bias-not-in-norm")) > 0.4, "{model}");
    }
}

#[test]
fn an_adapted_norm_follows_the_share_of_gradients_that_are_shorter() {
    // Gradients from 0: norms of 1/2 and, three times, 1/2 times the root of 10. One in four is below 1.
    let rows = json!([[0, 0, 1], [3, 0, 1], [3, 0, 0], [0, 3, 1]]);
    let norm = |changes: Value, sigma: f64| {
        let mut all = json!({"clip": 1, "batch": 4, "adaptive": {
            "quantile": 0.5, "rate": 2, "sigma": sigma
        }});
        all.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        *step(all, &rows).last().unwrap()
    };
    let quiet = norm(json!({}), 1e-6);
    assert!((quiet - 0.5f64.exp()).abs() < 1e-4, "{quiet}");
    let wrong = norm(json!({"mistake": "unnoised-quantile"}), 40.0);
    assert!((wrong - 0.5f64.exp()).abs() < 1e-4, "{wrong}");
    // A model that stays where it is: the norm goes to between 1/2 and 1.58, and oversteps by a factor of e at most.
    for clip in [0.01, 50.0] {
        let late = norm(json!({"clip": clip, "rate": 1e-12, "steps": 60}), 1e-6);
        assert!((0.5..2.7).contains(&late), "{clip}: {late}");
    }
}
