//! Capabilities of processed mechanisms of the catalog.

use plaudit::dataset::{Cell, Dataset, Relation};
use plaudit::mechanism::catalog::build;
use plaudit::mechanism::{CatalogMechanism, Mechanism, PostProcessed, PostProcessing, query_of};
use std::sync::atomic::AtomicBool;

fn post(written: &[&str]) -> PostProcessing {
    PostProcessing::parse(written.iter().copied()).unwrap()
}

#[test]
fn nothing_is_said_of_the_noise() {
    let parameters = serde_json::json!({ "epsilon": 1.0, "sensitivity": 1.0 });
    let laplace = build("laplace", parameters).unwrap();
    let dataset = Dataset::Numbers(vec![1.0, 2.0]);
    assert!(laplace.capabilities().added_noise().is_some());
    let never = AtomicBool::new(false);
    let query = query_of(&laplace, &dataset, &never).unwrap();
    let after = PostProcessed::new(laplace, post(&["argmax"]));
    let capabilities = Mechanism::<Dataset>::capabilities(&after);
    assert!(capabilities.releases.is_none() && capabilities.choices.is_none());
    assert!(query_of(&after, &dataset, &never).unwrap() == query && query.is_some());
    assert!(capabilities.independent && after.accepts(&Dataset::Numbers(vec![])).is_err());
}

/// Values that a mechanism tells apart no better than others may be those that are still told apart.
#[test]
fn no_values_stand_for_all() {
    let response = || {
        let parameters = serde_json::json!({ "answers": 3, "truth": "1/2" });
        build("k-ary-randomized-response", parameters).unwrap()
    };
    let values = [0.0, 1.0, 2.0].map(Cell::Number);
    assert!(response().covers(&values, 1, &Relation::Substitution));
    let after = PostProcessed::new(response(), post(&["threshold:1"]));
    assert!(!after.covers(&values, 1, &Relation::Substitution));
}
