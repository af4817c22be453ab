//! Searches for pairs of datasets: what is made is a pair of neighbors in the domain, the path is the
//! same with any number of threads, and large datasets are in memory a few at a time.
//!
//! The audits whose verdict is looked at are of claims that are broken far beyond chance: which one is
//! violated is not left to luck.

use plaudit::dataset::{Cell, Neighboring, NotNeighbors};
use plaudit::finding::StepTimes;
use plaudit::game::Control;
use plaudit::search::{
    Candidates, Described, Neighborhood, SearchDomain, Values, candidates, mutate,
};
use plaudit::{Audit, Claim, Dataset, Relation, Stream, Verdict, laplace};
use rand::{RngExt, SeedableRng};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

fn numbers(lower: f64, upper: f64) -> Values {
    Values::Numbers { lower, upper, not_finite: false }
}

fn whole(lower: f64, upper: f64) -> Values {
    Values::Integers { lower, upper }
}

/// Domains of all kinds, each under the relations that fit it.
fn hoods() -> Vec<Neighborhood> {
    let words = Values::Among(["a", "b", "c"].map(|word| Cell::Text(word.into())).to_vec());
    let table = |size| {
        let columns = [("age".to_owned(), numbers(0.0, 120.0)), ("word".to_owned(), words.clone())];
        SearchDomain::table(columns, size).unwrap()
    };
    let distances = [Relation::L1(1.5), Relation::L2(0.25), Relation::Linf(2.0)];
    let rows = [Relation::Substitution, Relation::AddRemove];
    let mut hoods = Vec::new();
    let mut add = |domain: SearchDomain, relations: &[Relation]| {
        for relation in relations {
            for group in [1, 3] {
                let (domain, relation) = (domain.clone(), relation.clone());
                hoods.push(Neighborhood { domain, relation, group });
            }
        }
    };
    add(SearchDomain::numbers(numbers(-10.0, 10.0), 1..=10).unwrap(), &distances);
    add(SearchDomain::numbers(numbers(-f64::MAX, f64::MAX), 0..=4).unwrap(), &distances);
    add(SearchDomain::numbers(numbers(-1.0, 1.0), 0..=5).unwrap(), &rows);
    let not_finite = Values::Numbers { lower: 0.0, upper: 1.0, not_finite: true };
    add(SearchDomain::numbers(not_finite, 1..=3).unwrap(), &rows);
    add(SearchDomain::numbers(whole(0.0, 9.0), 1..=4).unwrap(), &[Relation::Histogram]);
    add(SearchDomain::numbers(whole(-3.0, 3.0), 2..=2).unwrap(), &[Relation::Linf(1.0)]);
    add(table(0..=6), &rows);
    add(table(5..=5), &[Relation::Substitution]);
    hoods
}

#[test]
fn what_is_made_is_a_pair_of_neighbors_in_the_domain() {
    for neighborhood in hoods() {
        let Candidates { named, scattered, .. } = candidates(&neighborhood, 200);
        let mut random = Stream::seed_from_u64(1);
        let mut plans: Vec<_> = named.into_iter().chain(scattered).collect();
        let mutants: Vec<_> =
            plans.iter().map(|plan| mutate(plan, &neighborhood, &mut random)).collect();
        plans.extend(mutants);
        let mut made = 0;
        for plan in &plans {
            let Some(pair) = plan.pair("a".into(), &neighborhood) else { continue };
            made += 1;
            neighborhood.relation.check_group(&pair.d, &pair.d_prime, neighborhood.group).unwrap();
            for dataset in [&pair.d, &pair.d_prime] {
                assert!(neighborhood.domain.contains(dataset), "{neighborhood:?} {dataset:?}");
            }
            assert_eq!(
                plan.pair("a".into(), &neighborhood).map(|again| again.d.to_wire()),
                Some(pair.d.to_wire()),
                "a plan makes the same pair each time"
            );
        }
        assert!(made > plans.len() / 10, "{neighborhood:?}: {made} of {}", plans.len());
    }
}

#[test]
fn candidates_hold_patterns_extremes_and_what_is_not_finite() {
    let wires = |neighborhood: &Neighborhood| -> Vec<String> {
        let Candidates { named, scattered, .. } = candidates(neighborhood, 300);
        let pairs =
            named.iter().chain(&scattered).filter_map(|plan| plan.pair("a".into(), neighborhood));
        pairs.flat_map(|pair| [pair.d.to_wire(), pair.d_prime.to_wire()]).collect()
    };
    let neighborhood = |values, relation, size| Neighborhood {
        domain: SearchDomain::numbers(values, size).unwrap(),
        relation,
        group: 1,
    };
    let vectors = wires(&neighborhood(numbers(-10.0, 10.0), Relation::Linf(1.0), 4..=4));
    for pattern in
        ["[2.0,0.0,0.0,0.0]", "[0.0,2.0,2.0,2.0]", "[2.0,2.0,0.0,0.0]", "[0.0,0.0,1.0,1.0]"]
    {
        assert!(vectors.iter().any(|wire| wire == pattern), "{pattern}");
    }
    let all = Values::Numbers { lower: -f64::MAX, upper: f64::MAX, not_finite: true };
    let rows = wires(&neighborhood(all, Relation::AddRemove, 0..=5)).join(" ");
    for extreme in ["[]", "NaN", "Infinity", "-Infinity", "1.797693134862315", "5e-324", "-0.0"] {
        assert!(rows.contains(extreme), "{extreme}");
    }
}

#[test]
fn entries_are_changed_alone_wherever_they_stand() {
    let alone = |values, relation| {
        let domain = SearchDomain::numbers(values, 40..=40).unwrap();
        let neighborhood = Neighborhood { domain, relation, group: 1 };
        let plans = candidates(&neighborhood, 300).named;
        let pairs = plans.iter().filter_map(|plan| plan.pair("a".into(), &neighborhood));
        let places = pairs.filter_map(|pair| {
            let (Dataset::Numbers(d), Dataset::Numbers(d_prime)) = (pair.d, pair.d_prime) else {
                return None;
            };
            let mut other = (0..40).filter(|&at| d[at] != d_prime[at]);
            other.next().filter(|_| other.next().is_none())
        });
        places.collect::<BTreeSet<usize>>()
    };
    let all: BTreeSet<usize> = (0..40).collect();
    assert_eq!(alone(numbers(-10.0, 10.0), Relation::L1(1.0)), all);
    assert_eq!(alone(numbers(-10.0, 10.0), Relation::L2(0.5)), all);
    assert_eq!(alone(whole(0.0, 9.0), Relation::Histogram), all);
    // Rows are mostly alike: the first, the last, and some between them.
    let rows = alone(numbers(0.0, 1.0), Relation::Substitution);
    assert!(rows.len() > 10 && rows.contains(&0) && rows.contains(&39), "{rows:?}");
}

/// Numbers with noise that is right but for the tenth.
#[expect(clippy::ptr_arg, reason = "the type of the audit's datasets")]
fn one_with_less_noise(rows: &Vec<f64>, random: &mut Stream) -> Vec<f64> {
    let scale = |at: usize| if at == 9 { 0.25 } else { 1.0 };
    rows.iter().enumerate().map(|(at, x)| x + laplace(random, scale(at))).collect()
}

#[test]
fn noise_that_is_too_small_on_one_entry_is_found() {
    let domain = SearchDomain::numbers(numbers(-10.0, 10.0), 20..=20).unwrap();
    let audit = Audit::of("a", Claim::pure(1.0).unwrap(), one_with_less_noise)
        .search(domain, Relation::L1(1.0))
        .trials(200_000);
    let finding = audit.run(Control::unattended()).unwrap().finding;
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert!(finding.epsilon_lower > 2.0, "{}", finding.epsilon_lower);
}

/// Tells by randomized response of ε = 1 whether the first number is above 1; with a probability of 0.01
/// it says that a 3 is among the numbers.
#[expect(clippy::ptr_arg, reason = "the type of the audit's datasets")]
fn rarely_blunt(rows: &Vec<f64>, random: &mut Stream) -> String {
    let truth = random.random_bool(1.0 / (1.0 + (-1f64).exp()));
    let word = if (rows[0] > 1.0) == truth { "above" } else { "below" };
    let blunt = rows.contains(&3.0) && random.random_bool(0.01);
    if blunt { "three" } else { word }.to_owned()
}

#[test]
fn a_rare_word_is_found_beside_a_loss_that_is_allowed() {
    let domain = SearchDomain::numbers(whole(0.0, 3.0), 1..=4).unwrap();
    let audit = Audit::of("a", Claim::pure(1.0).unwrap(), rarely_blunt)
        .search(domain, Relation::Substitution)
        .trials(400_000);
    let finding = audit.run(Control::unattended()).unwrap().finding;
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert!(finding.epsilon_lower > 3.0, "{}", finding.epsilon_lower);
}

#[test]
fn impossible_domains_are_refused() {
    let of = |values, size| SearchDomain::numbers(values, size).unwrap_err().to_string();
    assert!(of(numbers(1.0, 0.0), 1..=1).contains("no number between"));
    assert!(of(numbers(f64::NAN, 0.0), 1..=1).contains("no number between"));
    assert!(of(numbers(0.0, f64::INFINITY), 1..=1).contains("no number between"));
    assert!(of(whole(0.5, 1.0), 1..=1).contains("must be whole"));
    assert!(of(whole(0.0, 1e17), 1..=1).contains("at most 2^53"));
    assert!(of(Values::Among(vec![]), 1..=1).contains("no values"));
    assert!(of(numbers(0.0, 1.0), 0..=0).contains("no datasets of 0 to 0 rows"));
    assert!(of(numbers(0.0, 1.0), 1..=usize::MAX).contains("at most"));
    let none: [(String, Values); 0] = [];
    assert!(SearchDomain::table(none, 1..=1).is_err());
}

/// Answers with noise for half the sensitivity.
#[expect(clippy::ptr_arg, reason = "the type of the audit's datasets")]
fn understated(rows: &Vec<f64>, random: &mut Stream) -> f64 {
    rows.iter().sum::<f64>() + laplace(random, 0.5)
}

#[test]
fn the_path_is_the_same_with_any_number_of_threads() {
    let finding = |threads: usize| {
        let domain = SearchDomain::numbers(numbers(0.0, 1.0), 0..=8).unwrap();
        let audit = Audit::of("a", Claim::pure(1.0).unwrap(), understated)
            .search(domain, Relation::AddRemove)
            .trials(200_000);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut finding = pool.install(|| audit.run(Control::unattended())).unwrap().finding;
        (finding.wall_s, finding.steps) = (0.0, StepTimes::default());
        finding
    };
    let one = finding(1);
    assert_eq!(one.verdict, Verdict::Violated);
    assert_eq!(one, finding(3));
}

/// Rows that count how many of them there are.
#[derive(Serialize)]
struct Counted(Vec<f64>);

static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

impl Described for Counted {
    fn of_dataset(dataset: Dataset) -> Option<Self> {
        let live = LIVE.fetch_add(1, Ordering::SeqCst) + 1;
        MOST.fetch_max(live, Ordering::SeqCst);
        Vec::of_dataset(dataset).map(Self)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Neighboring for Counted {
    fn check(&self, other: &Self, relation: &Relation, size: u64) -> Result<(), NotNeighbors> {
        self.0.check(&other.0, relation, size)
    }
}

#[test]
fn of_a_million_rows_a_few_copies_are_in_memory() {
    let domain = SearchDomain::numbers(numbers(0.0, 1.0), 1_000_000..=1_000_001).unwrap();
    let first = |rows: &Counted, random: &mut Stream| rows.0[0] + laplace(random, 0.1);
    let audit = Audit::of("a", Claim::pure(1.0).unwrap(), first)
        .search(domain, Relation::AddRemove)
        .trials(20_000);
    let finding = audit.run(Control::unattended()).unwrap().finding;
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    // That which was run first, and that which is looked at.
    assert!(MOST.load(Ordering::SeqCst) <= 4, "{MOST:?}");
}

#[test]
fn a_search_without_a_pair_says_so() {
    let domain = SearchDomain::numbers(Values::Among(vec![Cell::Number(0.0)]), 1..=1).unwrap();
    let audit = Audit::of("a", Claim::pure(1.0).unwrap(), understated)
        .search(domain, Relation::Substitution);
    let error = audit.run(Control::unattended()).unwrap_err().to_string();
    assert!(error.contains("no neighbors") && error.contains("other values"), "{error}");
    let both = Audit::of("a", Claim::pure(1.0).unwrap(), understated)
        .search(SearchDomain::numbers(numbers(0.0, 1.0), 1..=2).unwrap(), Relation::AddRemove)
        .pair(vec![0.0], vec![]);
    let error = both.run(Control::unattended()).unwrap_err().to_string();
    assert!(error.contains("both pairs and a domain"), "{error}");
}

/// A finite row against one that is NaN or infinite, and rows in order of which the last is another, come early.
#[test]
fn numbers_that_are_not_finite_and_rows_in_order_come_early() {
    let pairs = |values: &Values, size, relation| -> Vec<[Vec<f64>; 2]> {
        let domain = SearchDomain::numbers(values.clone(), size).unwrap();
        let neighborhood = Neighborhood { domain, relation, group: 1 };
        let plans = candidates(&neighborhood, 200).all().0.into_iter().take(100);
        let pairs = plans.filter_map(|plan| plan.pair(String::new(), &neighborhood));
        pairs.map(|pair| [pair.d, pair.d_prime].map(|d| d.numbers().unwrap().to_vec())).collect()
    };
    let rises = |rows: &[f64]| rows.is_sorted_by(|a, b| a < b);
    for relation in [Relation::AddRemove, Relation::Substitution] {
        let values = Values::Numbers { lower: -5.0, upper: 5.0, not_finite: true };
        let made = pairs(&values, 0..=6, relation.clone());
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let tells = |[one, other]: &[Vec<f64>; 2]| {
                let all = || one.iter().chain(other);
                all().filter(|x| x.to_bits() == odd.to_bits()).count() == 1
                    && all().filter(|x| !x.is_finite()).count() == 1
                    && all().filter(|x| x.is_finite()).count() >= 2
            };
            let at = made.iter().position(tells);
            assert!(at.is_some_and(|at| at < 16), "{relation:?} {odd}: {at:?}");
        }
        // Whatever the size at which something happens.
        let made = pairs(&whole(0.0, 12.0), 0..=13, relation.clone());
        let sizes: BTreeSet<usize> =
            made.iter().filter(|[one, _]| rises(one)).map(|[one, _]| one.len()).collect();
        assert!((3..=13).all(|size| sizes.contains(&size)), "{relation:?}: {sizes:?}");
    }
}

/// A mechanism that claims 1-DP is violated through its domain, whatever the seed.
fn is_found(
    release: impl Fn(&Vec<f64>, &mut Stream) -> f64 + Copy + Send + Sync + 'static,
    (values, size): (&Values, std::ops::RangeInclusive<usize>),
    trials: u64,
) {
    for seed in 0..3 {
        let domain = SearchDomain::numbers(values.clone(), size.clone()).unwrap();
        let audit = Audit::of("searched", Claim::pure(1.0).unwrap(), release)
            .search(domain, Relation::AddRemove)
            .trials(trials)
            .seed(seed);
        let finding = audit.run(Control::unattended()).unwrap().finding;
        assert_eq!(finding.verdict, Verdict::Violated, "{seed}: {}", finding.reason());
    }
}

#[test]
fn a_nan_that_survives_clamping_is_found() {
    let total = |values: &Vec<f64>, random: &mut Stream| {
        let sum: f64 = values.iter().map(|x| x.clamp(0.0, 1.0)).sum();
        (1e3 * (sum + laplace(random, 1.0))).round() / 1e3
    };
    let values = Values::Numbers { lower: -5.0, upper: 5.0, not_finite: true };
    is_found(total, (&values, 0..=6), 200_000);
}

#[test]
#[ignore = "takes several seconds"]
fn a_shuffle_of_what_is_long_enough_is_found() {
    // Ten rows are kept; fewer are filled up, and shuffled with them. How often the rows fall has sensitivity 1
    // where nothing is shuffled.
    let descents = |values: &Vec<f64>, random: &mut Stream| {
        let mut values = values.clone();
        if values.len() <= 10 {
            values.resize(10, 0.0);
            for i in (1..10).rev() {
                values.swap(i, random.random_range(0..=i));
            }
        }
        let falls = values[..10].windows(2).filter(|two| two[0] > two[1]).count();
        (falls as f64 + laplace(random, 1.0)).round()
    };
    is_found(descents, (&whole(0.0, 12.0), 0..=13), 1_000_000);
}
