//! A search over datasets of many rows (`rows`) holds a few copies of them: bytes are counted as they are asked
//! for and given back, on one thread, so that the count is the same each time.
//!
//! Both audits are of claims that are broken, or met, far beyond chance: that one comes out otherwise has
//! probability below 1e-9.

use crate::support::heap;
use crate::tier;
use plaudit::game::Control;
use plaudit::search::{SearchDomain, Values};
use plaudit::{Audit, Claim, Dataset, Relation, Stream, Verdict, laplace};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows of datasets whose copies are counted.
fn rows() -> usize {
    tier::of([250_000, 250_000, 1_000_000])
}

fn numbers() -> SearchDomain {
    let values = Values::Numbers { lower: 0.0, upper: 1.0, not_finite: false };
    SearchDomain::numbers(values, 10..=rows() + 1).unwrap()
}

fn table() -> SearchDomain {
    let values = Values::Integers { lower: 0.0, upper: 9.0 };
    SearchDomain::table([("x".to_owned(), values)], rows()..=rows() + 1).unwrap()
}

/// The first row, its noise for a sensitivity of 1 or of almost nothing. Notes the most bytes that were held
/// up to any of its runs.
fn first(
    scale: f64,
    most: &'static AtomicUsize,
) -> impl Fn(&Dataset, &mut Stream) -> f64 + Send + Sync + 'static {
    move |data, random| {
        most.fetch_max(heap::peak_usage(), Ordering::Relaxed);
        let first = match data {
            Dataset::Numbers(numbers) => numbers[0],
            Dataset::Table(table) => table.rows[0][0].number().unwrap(),
            Dataset::Json(other) => panic!("{other}"),
        };
        first + laplace(random, scale)
    }
}

/// The most bytes that an audit held up to its last run, over those of one of its largest datasets.
///
/// Runs on the pool's thread.
fn copies(domain: SearchDomain, relation: Relation, scale: f64, verdict: Verdict) -> f64 {
    static MOST: AtomicUsize = AtomicUsize::new(0);
    MOST.store(0, Ordering::Relaxed);
    let one = {
        let before = heap::current_usage();
        let neighborhood = plaudit::search::Neighborhood {
            domain: domain.clone(),
            relation: relation.clone(),
            group: 1,
        };
        let plans = plaudit::search::candidates(&neighborhood, 20).named;
        let largest = plans.into_iter().max_by_key(plaudit::search::Plan::cells).unwrap();
        let pair = largest.pair(String::new(), &neighborhood).unwrap();
        let both = heap::current_usage() - before;
        drop(pair);
        both as f64 / 2.0
    };
    assert!(one > 7.9 * rows() as f64, "{one}");
    let claim = Claim::pure(1.0).unwrap();
    let audit = Audit::of("a", claim, first(scale, &MOST))
        .may_show_no_difference()
        .search(domain, relation)
        .trials(10_000);
    heap::reset_peak_usage();
    let before = heap::current_usage();
    let audited = audit.run(Control::unattended()).unwrap();
    assert_eq!(audited.finding.verdict, verdict, "{}", audited.finding.reason());
    let held = (MOST.load(Ordering::Relaxed) - before) as f64 / one;
    eprintln!("{verdict:?}: {held:.2} copies of {:.1} MB", one / 1e6);
    held
}

#[test]
#[ignore = "takes several seconds"]
fn a_search_over_many_rows_holds_a_few_copies() {
    heap::pool().install(searches);
}

fn searches() {
    let add = Relation::AddRemove;
    for (scale, verdict) in [(0.01, Verdict::Violated), (20.0, Verdict::NotRefuted)] {
        let of_numbers = copies(numbers(), add.clone(), scale, verdict);
        assert!(of_numbers < 6.5, "{of_numbers}");
    }
    // Rows of tables are several times the numbers that they are made from.
    let of_table = copies(table(), Relation::Substitution, 0.01, Verdict::Violated);
    assert!(of_table < 6.5, "{of_table}");
}

/// A query without noise is compared on one large pair at a time.
#[test]
fn a_sensitivity_check_over_many_rows_holds_a_few_copies() {
    heap::pool().install(sensitivity_checks);
}

fn sensitivity_checks() {
    use plaudit::search::{Neighborhood, Norm, check_sensitivity};
    let neighborhood = Neighborhood { domain: numbers(), relation: Relation::AddRemove, group: 1 };
    for (declared, exceeds) in [(1.0, false), (0.001, true)] {
        let count = |rows: &Vec<f64>| Ok(vec![rows.len() as f64]);
        heap::reset_peak_usage();
        let before = heap::current_usage();
        let found = check_sensitivity(count, &neighborhood, (Norm::L1, declared), 0, &false.into());
        let worst = found.worst.unwrap();
        assert_eq!(worst.exceeds, exceeds);
        let held = (heap::peak_usage() - before) as f64 / (8 * rows()) as f64;
        eprintln!("sensitivity: {held:.2} copies");
        assert!(held < 6.5, "{held}");
        if let Dataset::Numbers(rows) = worst.pair.d {
            assert!(!exceeds || rows.len() < 20, "{}", rows.len());
        }
    }
}
