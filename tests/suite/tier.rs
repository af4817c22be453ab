//! How much the tests do that could do more: trials, seeds, sizes, draws. The variable `SUITE` is not set for the first tier
//! (minutes), `more` for `.ci/run`, and `all` for the second tier (hours), for changes to the flow of an audit.

/// What this run takes of a number for the first tier, for `.ci/run` and for the second tier.
pub fn of<T>([first, more, all]: [T; 3]) -> T {
    match std::env::var("SUITE").as_deref() {
        Err(_) => first,
        Ok("more") => more,
        Ok("all") => all,
        Ok(other) => panic!("SUITE is {other:?}: leave it unset, or give more or all"),
    }
}

/// Audits of true claims, of each test that counts false alarms.
pub fn null_audits() -> u64 {
    of([250, 500, 10_000])
}
