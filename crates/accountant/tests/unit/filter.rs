//! Budgets and costs against formulas of their own, and the worst adversary against a filter, by enumeration.

use super::{Amount, Filter};
use crate::composition::Composition;
use crate::event::{Event, EventKind};
use crate::normal::cdf;

fn event(words: &str) -> Event {
    words.parse::<Composition>().unwrap().events()[0].clone()
}

fn cost(filter: Filter, words: &str) -> f64 {
    filter.cost(&event(words)).unwrap().above()
}

fn near(found: f64, exact: f64, above: f64, what: &str) {
    assert!(found >= exact && found <= exact * (1.0 + above), "{what}: {found} {exact}");
}

/// The x in an interval at which an increasing function reaches a value.
fn root(increasing: impl Fn(f64) -> f64, value: f64, (mut low, mut high): (f64, f64)) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if increasing(middle) <= value { low = middle } else { high = middle }
    }
    low
}

const BUDGETS: [(f64, f64); 4] = [(1.0, 1e-5), (0.1, 1e-9), (3.0, 1e-3), (0.0, 0.01)];

#[test]
fn ten_tenths_are_one() {
    let budget = Filter::Pure.budget(1.0, 0.0).unwrap();
    let mut spent = Amount::ZERO;
    for words in ["laplace(scale=10)", "epsilon-delta(epsilon=0.1)"].repeat(5) {
        spent = spent + &Filter::Pure.cost(&event(words)).unwrap();
    }
    assert_eq!(spent, budget);
    assert_eq!(Filter::Pure.cost(&event("laplace(scale=3) x 3")).unwrap(), budget);
    let thirds = (0..3).map(|_| Filter::Pure.cost(&event("laplace(scale=3)")).unwrap());
    assert_eq!(thirds.sum::<Amount>(), budget);
    assert!(spent + &Filter::Pure.cost(&event("laplace(scale=1e12)")).unwrap() > budget);
}

#[test]
fn amounts_are_the_decimals_that_were_written() {
    for x in [0.0, 0.1, 1e-12, 123.456, 1e22, 1e300, 5e-324, 0.30000000000000004] {
        let amount = Amount::decimal(x);
        assert!(amount.below() <= x && x <= amount.above(), "{x}");
        assert!(amount.above() <= x.next_up() && amount.below() >= x.next_down(), "{x}");
    }
    assert_eq!(Amount::decimal(0.3), Amount::decimal(0.1) + &Amount::decimal(0.2));
    assert_eq!(
        (Amount::decimal(0.3).upper(), Amount::decimal(0.3).lower()),
        ("0.3".into(), "0.3".into())
    );
    assert_eq!(Amount::decimal(0.12341).upper(), "0.1235");
    assert_eq!(Amount::decimal(0.12349).lower(), "0.1234");
    assert_eq!(&Amount::decimal(0.1) - &Amount::decimal(0.2), Amount::ZERO);
    assert_eq!(Amount::decimal(0.1).fits(&Amount::decimal(1.0)), 10);
    assert_eq!(Amount::ZERO.fits(&Amount::decimal(1.0)), u64::MAX);
}

#[test]
fn long_sums_are_rounded_up_and_stay_short() {
    let scale = |i: u32| 3.0 + f64::from(i) * 0.123_456_789_012;
    let terms = || (0..500).map(|i| Amount::decimal(1.0).over(scale(i)));
    let doubles: f64 = (0..500).map(|i| 1.0 / scale(i)).sum();
    let sum = terms().sum::<Amount>();
    assert!((sum.above() - doubles).abs() < 1e-9);
    let later = terms().fold(sum.clone(), |sum, one| sum + &one);
    assert!(later > sum && (later.above() - 2.0 * doubles).abs() < 1e-9);
}

#[test]
fn budgets_are_those_of_the_conversions() {
    for (epsilon, delta) in BUDGETS {
        let what = format!("({epsilon}, {delta})");
        let total = |filter: Filter| filter.budget(epsilon, delta).unwrap().below();
        // δ of ε'-DP is (e^ε' − e^ε)/(1 + e^ε').
        let pure = ((epsilon.exp() + delta) / (1.0 - delta)).ln();
        near(pure, total(Filter::Pure), 1.1e-6, &what);
        // Balle, Wang 2018, Thm 8.
        let of_mu =
            |mu: f64| cdf(0.5 * mu - epsilon / mu) - epsilon.exp() * cdf(-0.5 * mu - epsilon / mu);
        let mu = root(of_mu, delta, (1e-6, 50.0));
        near(mu * mu, total(Filter::Gdp), 2.1e-6, &what);
        // A Gaussian mechanism has this ρ, so no larger one can do; ρ + 2√(ρ ln(1/δ)) is looser (Bun, Steinke 2016,
        // Prop. 1.3).
        let logarithm = -delta.ln();
        let known = (logarithm + epsilon).sqrt() - logarithm.sqrt();
        let rho = total(Filter::Zcdp);
        assert!(known * known <= rho && rho <= 0.5 * mu * mu, "{what}: {rho}");
    }
    // Canonne, Kamath, Steinke 2020, Prop. 12, at one order; convexity helps a little.
    for (alpha, delta) in [(8.0_f64, 1e-5_f64), (32.0, 1e-6)] {
        let known = 3.0
            + (delta.ln() + (alpha - 1.0).ln() - alpha * (-1.0 / alpha).ln_1p()) / (alpha - 1.0);
        near(
            Filter::Renyi(alpha).budget(3.0, delta).unwrap().below(),
            known * (1.0 - 1e-5),
            0.05,
            "Rényi",
        );
    }
}

#[test]
fn costs_are_those_of_the_formulas() {
    let zcdp = Filter::Zcdp;
    near(cost(zcdp, "gaussian(sigma=5, sensitivity=2) x 3"), 0.24, 1e-15, "gaussian");
    near(cost(zcdp, "discrete-gaussian(sigma=5, sensitivity=2)"), 0.08, 1e-15, "discrete");
    near(cost(zcdp, "gdp(mu=0.2)"), 0.02, 1e-15, "gdp");
    near(cost(zcdp, "exponential-mechanism(epsilon=0.2)"), 0.005, 1e-15, "bounded range");
    near(cost(zcdp, "laplace(scale=5)"), 0.02, 1e-15, "laplace");
    near(cost(zcdp, "laplace(scale=0.1)"), 10.0, 1e-15, "laplace, much loss");
    let answers = "randomized-response(truth=0.5)";
    near(cost(Filter::Pure, answers), 3.0_f64.ln(), 3e-12, "answers");
    let sampled = (1.0 + 0.1 * 0.2_f64.exp_m1()).ln();
    near(cost(Filter::Pure, "laplace(scale=5) @ poisson(0.1)"), sampled, 3e-12, "sample");
    near(cost(Filter::Pure, "laplace(scale=5) @ poisson(1)"), 0.2, 1e-15, "everything");
    for epsilon in [0.01_f64, 1.0, 8.0] {
        let mu = cost(Filter::Gdp, &format!("epsilon-delta(epsilon={epsilon})")).sqrt();
        near(
            mu,
            root(|mu| -cdf(-0.5 * mu), -1.0 / (1.0 + epsilon.exp()), (0.0, 50.0)),
            1e-9,
            "touching",
        );
    }
    assert_eq!(cost(Filter::Gdp, "epsilon-delta(epsilon=0)"), 0.0);
    assert_eq!(cost(Filter::Gdp, "epsilon-delta(epsilon=9999)"), 1e300_f64 * 1e300_f64);
}

#[test]
fn divergences_are_those_of_the_formulas() {
    let of = |alpha: f64, words: &str| cost(Filter::Renyi(alpha), words);
    near(of(4.0, "gaussian(sigma=2) x 10"), 5.0, 1e-15, "gaussian");
    near(of(4.0, "renyi(alpha=8, epsilon=0.3)"), 0.3, 1e-15, "renyi");
    near(
        of(2.0, "randomized-response(truth=0.5)"),
        (0.5625_f64 / 0.25 + 0.0625 / 0.75).ln(),
        1e-5,
        "answers",
    );
    // Of order 2: E(P/Q)² = 1 + r²(e^(1/σ²) − 1) for the pair with the row (Mironov, Talwar, Zhang 2019).
    let square = (1.0 + 0.01 * 1.0_f64.exp_m1()).ln();
    near(of(2.0, "gaussian(sigma=1) @ poisson(0.1)"), square, 1e-4, "sample");
    near(of(2.0, "gaussian(sigma=1) x 7 @ poisson(0.1)"), 7.0 * square, 1e-4, "samples");
}

#[test]
fn what_has_no_known_cost_has_none() {
    let all = [Filter::Pure, Filter::Zcdp, Filter::Gdp, Filter::Renyi(8.0)];
    for (words, able) in [
        ("epsilon-delta(epsilon=1, delta=1e-9)", [false; 4]),
        ("gaussian(sigma=1) @ poisson-substitution(0.1)", [false, false, false, true]),
        ("laplace(scale=1) @ poisson-substitution(1)", [false, false, false, true]),
        ("gaussian(sigma=1)", [false, true, true, true]),
        ("gaussian(sigma=1) @ poisson(0.1)", [false, false, false, true]),
        ("discrete-gaussian(sigma=1)", [false, true, false, true]),
        ("zero-concentrated(rho=1)", [false, true, false, true]),
        ("renyi(alpha=8, epsilon=1)", [false, false, false, true]),
        ("renyi(alpha=7, epsilon=1)", [false; 4]),
        ("laplace(scale=1) @ without-replacement(0.1)", [true; 4]),
    ] {
        assert_eq!(all.map(|filter| filter.cost(&event(words)).is_some()), able, "{words}");
    }
}

#[test]
fn impossible_budgets_and_names_are_refused() {
    for (epsilon, delta) in [(-1.0, 0.1), (f64::NAN, 0.1), (1.0, -0.1), (1.0, 1.1), (1.0, f64::NAN)]
    {
        assert!(Filter::Zcdp.budget(epsilon, delta).is_err(), "{epsilon} {delta}");
    }
    for filter in [Filter::Zcdp, Filter::Gdp, Filter::Renyi(8.0)] {
        assert!(filter.budget(1.0, 0.0).is_err(), "{filter}");
        assert_eq!(filter.to_string().parse(), Ok(filter));
    }
    for word in ["", "rényi", "renyi", "renyi:", "renyi:1", "renyi:nan", "renyi:1e7", "Pure"] {
        assert!(word.parse::<Filter>().is_err(), "{word}");
    }
}

#[test]
fn what_is_spent_has_the_epsilon_of_its_budget() {
    for filter in [Filter::Pure, Filter::Zcdp, Filter::Gdp, Filter::Renyi(16.0)] {
        let total = filter.budget(1.0, 1e-5).unwrap();
        let back = filter.epsilon_at(&total, 1e-5).unwrap();
        assert!((0.999..1.000_01).contains(&back), "{filter}: {back}");
        assert_eq!(filter.epsilon_at(&Amount::ZERO, 1e-5), Ok(0.0));
        assert_eq!(filter.epsilon_at(&Amount::decimal(1e9), 1e-5), Ok(f64::INFINITY));
    }
}

/// An adversary of a filter. It asks for randomized response (of two answers) with any ε of a menu, sees the answer, and
/// chooses the next or stops.
struct Adversary {
    /// ε, its cost, and the probability of a true answer.
    menu: Vec<(Amount, f64)>,
    total: Amount,
    epsilon: f64,
}

impl Adversary {
    fn new(filter: Filter, total: Amount, epsilon: f64, epsilons: &[f64]) -> Self {
        let of = |&epsilon: &f64| {
            let kind = EventKind::EpsilonDelta { epsilon, delta: 0.0 };
            (filter.cost(&Event::once(kind)).unwrap(), 1.0 / (1.0 + (-epsilon).exp()))
        };
        Self { menu: epsilons.iter().map(of).collect(), total, epsilon }
    }

    /// The largest δ of all strategies from a history on that has these probabilities under both datasets.
    fn delta(&self, p: f64, q: f64, spent: &Amount) -> f64 {
        let mut best = (p - self.epsilon.exp() * q).max(0.0);
        for (cost, truth) in &self.menu {
            let spent = spent.clone() + cost;
            if spent <= self.total {
                let yes = self.delta(p * truth, q * (1.0 - truth), &spent);
                let no = self.delta(p * (1.0 - truth), q * truth, &spent);
                best = best.max(yes + no);
            }
        }
        best
    }
}

#[test]
fn no_adversary_exceeds_the_budget() {
    for (filter, epsilon, delta, menu) in [
        (Filter::Pure, 1.0, 0.0, [0.2, 0.3, 0.5]),
        (Filter::Pure, 0.5, 0.05, [0.1, 0.2, 0.4]),
        (Filter::Zcdp, 1.0, 0.01, [0.2, 0.3, 0.5]),
        (Filter::Gdp, 1.0, 0.01, [0.3, 0.4, 0.55]),
        (Filter::Renyi(6.0), 1.0, 0.05, [0.25, 0.4, 0.6]),
    ] {
        let total = filter.budget(epsilon, delta).unwrap();
        let adversary = Adversary::new(filter, total.clone(), epsilon, &menu);
        let reached = adversary.delta(1.0, 1.0, &Amount::ZERO);
        assert!(reached <= delta + 1e-14, "{filter}: {reached} of {delta}");
        // The same adversary finds a filter out that lets four times as much through.
        let wide = Adversary::new(filter, total.times(4), epsilon, &menu[2..]);
        let reached = wide.delta(1.0, 1.0, &Amount::ZERO);
        assert!(reached > delta, "{filter}, four times as much: {reached} of {delta}");
    }
}
