use super::*;
use crate::attack::{Decoder, Disturbance, Noise};

fn planned(of: AttackPlan) -> PlannedAttack {
    PlannedAttack { name: "it".into(), about: None, seed: 0, expected: true, of }
}

fn asked(queries: u64, budget: Option<f64>) -> AttackPlan {
    let noise = Noise::Laplace { scale: 10.0 };
    let service = Service {
        noise,
        sensitivity: 1.0,
        cached: false,
        differencing: false,
        budget,
        delta: 1e-5,
    };
    AttackPlan::Average { service, queries, below: 0.1 }
}

#[test]
fn averaging_succeeds_without_a_budget_and_fails_with_one() {
    let open = planned(asked(10_000, None)).run().unwrap();
    assert!(open.succeeded && open.as_expected());
    let paid = planned(asked(10_000, Some(1.0))).run().unwrap();
    assert!(!paid.succeeded && !paid.as_expected());
    assert!(paid.setting.contains("a budget of ε = 1"), "{}", paid.setting);
    let attacker = &open.picture.lines[0].points;
    assert_eq!(attacker.len(), open.table.rows.len());
    assert!(attacker.windows(2).all(|two| two[0][0] < two[1][0] && two[0][1] > two[1][1]));
}

#[test]
fn little_noise_is_rebuilt_and_much_is_not() {
    let of = |sigma: f64| {
        let disturbance = Disturbance::Noise(Noise::Gaussian { sigma });
        let setup =
            Setup { disturbance, decoder: Decoder::LeastSquares, queries: None, delta: 1e-5 };
        planned(AttackPlan::Reconstruct { entries: 100, setups: vec![setup] }).run().unwrap()
    };
    assert!(of(0.5).succeeded);
    assert!(!of(100.0).succeeded);
}

#[test]
fn scores_of_one_law_show_nothing_and_shifted_ones_do() {
    let scores = |shift: f64| {
        let at = |place: u32| f64::from(place * 7919 % 1009);
        let members = (0..1000).map(|place| at(place) + shift).collect();
        Scores::new(members, (0..1000).map(at).collect()).unwrap()
    };
    let question = Question { delta: 1e-5, epsilon: 1.0, alpha: 0.05, claim: None };
    let of = |shift: f64| {
        let (scores, question) = (scores(shift), question.clone());
        planned(AttackPlan::Membership { scores, question }).run().unwrap()
    };
    assert!(!of(0.0).succeeded);
    assert!(of(500.0).succeeded);
}

#[test]
fn what_is_impossible_is_told_before_it_runs() {
    let disturbance = Disturbance::Noise(Noise::Gaussian { sigma: 1.0 });
    let setup = Setup { disturbance, decoder: Decoder::Exhaustive, queries: None, delta: 1e-5 };
    let many = AttackPlan::Reconstruct { entries: 500, setups: vec![setup] };
    assert!(planned(many).check().is_err());
}

#[test]
fn tables_link_on_fine_columns_and_not_on_coarse_ones() {
    let data =
        std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("audits/data");
    let of = |on: &[&str]| {
        let question = LinkQuestion {
            released: data.join("patients.csv"),
            known: data.join("voters.csv"),
            on: on.iter().map(|name| (*name).to_owned()).collect(),
            truth: Some("id".into()),
            counts: Some((1.0, 1e-5)),
            alpha: 0.05,
        };
        let attack = planned(AttackPlan::Link(question));
        attack.check().unwrap();
        attack.run().unwrap()
    };
    let fine = of(&["zip", "birth", "sex"]);
    assert!(fine.succeeded);
    let last = fine.picture.lines[0].points.last().unwrap()[1];
    assert!((last - 1.0).abs() < 1e-12, "all rows are in some class: {last}");
    assert!(!of(&["zip", "sex"]).succeeded);
}
