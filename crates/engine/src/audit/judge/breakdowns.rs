//! Breakdowns that one dataset alone shows, or far more often: no count has the runs that broke off.

use crate::audit::course::Played;
use crate::audit::decide::OneSided;
use crate::audit::settings::Audit;
use plaudit_core::inference::p_value_alike;

/// Level at which breakdowns are one-sided. Only a program that breaks down at all can be accused by chance, and then of
/// nothing: its audit is inconclusive.
const LEVEL: f64 = 1e-3;

/// One-sided breakdowns on the pair that was played. Coins decide the dataset of each run, and each is as likely as the
/// other, unless pairs were searched for.
pub fn found<D>(audit: &Audit<D>, played: &Played<'_, D>) -> Option<OneSided> {
    if audit.search.is_some() || audit.pairs.len() > 1 {
        return None;
    }
    let on = audit.mechanism.breakdowns([&played.pair.d, &played.pair.d_prime]);
    let p_value = p_value_alike(&[on.into()]);
    (p_value <= LEVEL).then_some(OneSided { on, p_value, level: LEVEL })
}
