use plaudit::claim::Claim;
use plaudit::inference::*;
use std::time::Instant;
fn main() {
    let cases: &[(u64, u64, u64, u64, f64, f64)] = &[
        (500_000, 1_000_000, 184_000, 1_000_000, 0.0, 0.9958),
        (100, 1_000_000, 0, 1_000_000, 0.0, 3.6652),
        (10_000, 1_000_000, 3600, 1_000_000, 0.0, 0.9898),
        (1000, 100_000, 30, 100_000, 0.0, 3.2055),
        (10, 10_000, 0, 10_000, 0.0, 1.1620),
        (50, 1000, 10, 1000, 0.0, 1.0468),
        (2000, 1_000_000, 20, 1_000_000, 1e-3, 3.5495),
        (225_000, 450_000, 82_800, 450_000, 0.0, 0.0),
        (250_000_000, 500_000_000, 92_000_000, 500_000_000, 0.0, 0.0),
        (25_000_000, 500_000_000, 9_200_000, 500_000_000, 1e-5, 0.0),
    ];
    for alpha in [0.05, 1e-6] {
        for &(x, n, y, m, d, want) in cases {
            let t0 = Instant::now();
            let counts = EventCounts { hits: x, n, other_hits: y, other_n: m };
            let claim = Claim::approximate(0.97, d).unwrap();
            let t = EventTest::new(counts, &claim, alpha);
            let t1 = Instant::now();
            let p = t.p_value(&claim.region());
            let t2 = Instant::now();
            let e = t.epsilon_lower(d);
            let t3 = Instant::now();
            let dl = t.delta_lower(0.97);
            let t4 = Instant::now();
            let g = EventTest::new(counts, &Claim::gaussian(0.5).unwrap(), alpha);
            let mu = g.mu_lower();
            let t5 = Instant::now();
            println!("{alpha:e} {x}/{n} {y}/{m}: p={p:.4e} e={e:.5} (want {want}) d={dl:.4e} mu={mu:.5} pe={:.6} | new {:?} p {:?} e {:?} d {:?} mu {:?}",
                t.p_value(&plaudit::claim::Region::EpsilonDelta{epsilon:e,delta:d})/alpha, t1-t0, t2-t1, t3-t2, t4-t3, t5-t4);
        }
    }
}
