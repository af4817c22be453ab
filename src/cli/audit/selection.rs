//! Which audits and attacks of the specs are run.

use crate::cli::running::changed;
use crate::cli::{Failure, output, shards};
use crate::spec::Loaded;
use plaudit_attacks::attack::PlannedAttack;
use plaudit_core::finding::LeftOut;
use plaudit_core::visible::visible;
use plaudit_engine::game::ShardNumber;
use regex_lite::Regex;

/// Takes out what `--filter`, `--partition` and `--changed-since` leave out, and gives their names and reasons.
pub(super) fn select(
    (audits, attacks): (&mut Vec<Loaded>, &mut Vec<PlannedAttack>),
    (filter, partition, changed_since): (Option<&Regex>, Option<ShardNumber>, Option<&str>),
) -> Result<Vec<LeftOut>, Failure> {
    let filtered = match filter {
        Some(filter) => {
            let names = filter_out(audits, attacks, filter)?;
            let pattern = visible(filter.as_str());
            named(names, &format!("--filter: its name does not match `{pattern}`"))
        }
        None => Vec::new(),
    };
    let elsewhere = match partition {
        Some(part) => {
            let names = only_part(audits, attacks, part);
            let ShardNumber { number, of } = part;
            named(names, &format!("--partition: it is not in part hash:{number}/{of}"))
        }
        None => Vec::new(),
    };
    let untouched = match changed_since {
        Some(revision) => {
            let names = changed::leave_out(audits, revision)?;
            let revision = visible(revision);
            named(names, &format!("--changed-since {revision}: no file that it uses has changed"))
        }
        None => Vec::new(),
    };
    Ok([untouched, filtered, elsewhere].concat())
}

/// Audits that were left out, for one reason.
fn named(names: Vec<String>, why: &str) -> Vec<LeftOut> {
    names.into_iter().map(|audit| LeftOut { audit, why: why.to_owned() }).collect()
}

/// Takes out the audits and attacks that are not of this part, and gives their names.
fn only_part(
    audits: &mut Vec<Loaded>,
    attacks: &mut Vec<PlannedAttack>,
    part: ShardNumber,
) -> Vec<String> {
    let mut left_out = Vec::new();
    let mut keeps = |name: &str| {
        let keeps = shards::is_of(name, part);
        left_out.extend((!keeps).then(|| name.to_owned()));
        keeps
    };
    audits.retain(|loaded| keeps(&loaded.audit.name));
    attacks.retain(|attack| keeps(&attack.name));
    left_out
}

/// Removes the audits and attacks whose names do not match, prints their number, and returns their names.
fn filter_out(
    audits: &mut Vec<Loaded>,
    attacks: &mut Vec<PlannedAttack>,
    filter: &Regex,
) -> Result<Vec<String>, Failure> {
    let all = audits.len() + attacks.len();
    let mut left_out = Vec::new();
    let mut keeps = |name: &str| {
        let matches = filter.is_match(name);
        left_out.extend((!matches).then(|| name.to_owned()));
        matches
    };
    audits.retain(|loaded| keeps(&loaded.audit.name));
    attacks.retain(|attack| keeps(&attack.name));
    let pattern = visible(filter.as_str());
    if left_out.len() == all {
        let message = format!("none of the {all} audits has a name that matches `{pattern}`");
        return Err(Failure::NothingSelected(message));
    }
    if !left_out.is_empty() {
        let many = left_out.len();
        output::note(&format!(
            "left out {many} of {all} audits: their names do not match `{pattern}`"
        ));
    }
    Ok(left_out)
}
