//! The compositions of the reference table (tests/data/accountant.csv), for the tests and for the
//! bench beside dp-accounting.

/// Name in the table, expression.
pub const ROWS: [(&str, &str); 15] = [
    ("substituted_q.1_s1_x1", "gaussian(sigma=1) @ poisson-substitution(0.1)"),
    ("substituted_q.01_s1_T1000", "gaussian(sigma=1) x 1000 @ poisson-substitution(0.01)"),
    ("substituted_q.004_s.8_T2000", "gaussian(sigma=0.8) x 2000 @ poisson-substitution(0.004)"),
    ("substituted_q.05_s2_T100", "gaussian(sigma=2) x 100 @ poisson-substitution(0.05)"),
    ("gaussian_s1_x1", "gaussian(sigma=1)"),
    ("gaussian_s10_x100", "gaussian(sigma=10) x 100"),
    ("laplace_b1_x1", "laplace(scale=1)"),
    ("laplace_b1_x50", "laplace(scale=1) x 50"),
    ("dpsgd_q.01_s1_T1000", "gaussian(sigma=1) x 1000 @ poisson(0.01)"),
    ("dpsgd_q.004_s.8_T10000", "gaussian(sigma=0.8) x 10000 @ poisson(0.004)"),
    ("rr_p.75_x20", "randomized-response(truth=0.5) x 20"),
    ("discrete_laplace_a1_x1", "discrete-laplace(scale=1)"),
    ("discrete_laplace_a.5_x10", "discrete-laplace(scale=2) x 10"),
    ("discrete_gaussian_s1_x1", "discrete-gaussian(sigma=1)"),
    ("discrete_gaussian_s10_x100", "discrete-gaussian(sigma=10) x 100"),
];
