//! The trials that count, split into shards, and the counts of all shards as one.

use crate::audit::course::Frozen;
use crate::game::{
    ByRequest, Control, Game, GameError, MergedShards, Phase, RequestCounts, Runs, ShardCounts,
    ShardKept, ShardNumber, UndeclaredOutcomes, shards_in_words,
};
use crate::witness::Counter;
use plaudit_accountant::number::hex;
use plaudit_core::tally::Tally;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// A game, its trials that count, and their counters.
type Counting<'a, D> = (&'a Game<'a, D>, u64, &'a [Counter<'a>]);

/// Plays the trials of a shard, and keeps their counts; returns the ending of the audit.
pub(in crate::audit) fn keep<D: Serialize + Sync>(
    (game, trials, counters): Counting<'_, D>,
    frozen: &Frozen<'_, D>,
    kept: &ShardKept,
    undeclared: Option<UndeclaredOutcomes>,
) -> GameError {
    let control = Control { undeclared: undeclared.as_ref(), ..game.control };
    let own = Game { control, ..*game };
    let counted = own.count_shard(Phase::Confirm, trials, counters, kept.shard);
    let (tallies, broken) = match counted {
        Ok(tallies) => (tallies, None),
        Err((_, GameError::Interrupted)) => return GameError::Interrupted,
        Err((block, GameError::Broken(why))) => {
            let empty = counters.iter().map(|counter| Tally::new(counter.scorer().bins()));
            (empty.collect(), Some((block, why)))
        }
    };
    kept.keep(ShardCounts {
        frozen: hash(frozen, trials, game.runs),
        block: game.block(),
        tallies,
        requests: control.by_request.map_or_else(Vec::new, |by_request| by_request.all()),
        undeclared: undeclared.as_ref().map(UndeclaredOutcomes::found).unwrap_or_default(),
        broken,
    });
    GameError::Interrupted
}

/// The counts of all shards, as if one run had played all trials.
pub(in crate::audit) fn merged<D: Serialize + Sync>(
    (game, trials, counters): Counting<'_, D>,
    frozen: &Frozen<'_, D>,
    merged: &MergedShards,
) -> Result<Vec<Tally>, GameError> {
    let bins: Vec<usize> = counters.iter().map(|counter| counter.scorer().bins()).collect();
    let shards = merged
        .belonging(&hash(frozen, trials, game.runs), game.block())
        .map_err(GameError::Broken)?;
    let first = shards.iter().filter_map(|(_, shard)| shard.broken.as_ref()).min();
    if let Some((_, why)) = first {
        return Err(GameError::Broken(why.clone()));
    }
    let mut tallies: Vec<Tally> = bins.iter().map(|&bins| Tally::new(bins)).collect();
    for (number, shard) in shards {
        check(game, trials, (number, shard), &bins).map_err(|why| {
            let why = format!("the counts of shard {} were changed: {why}", number.number);
            GameError::Broken(merged.refuse(why))
        })?;
        tallies = tallies.into_iter().zip(&shard.tallies).map(|(a, b)| a.plus(b)).collect();
        if let Some(by_request) = game.control.by_request {
            by_request.add(&shard.requests);
        }
        if let Some(undeclared) = game.control.undeclared {
            undeclared.add(&shard.undeclared);
        }
    }
    let made = tallies.first().map_or(0, Tally::trials);
    if made == 0 {
        let why = "the shards present ran none of its trials; the missing ones are needed";
        return Err(GameError::Broken(merged.refuse(why.into())));
    }
    (game.control.progress)(made);
    Ok(tallies)
}

/// Checks that the counts of a shard are possible for its trials: each trial in one bin of each
/// counter, and each run of a program in one request.
fn check<D: Sync>(
    game: &Game<'_, D>,
    trials: u64,
    (number, shard): (ShardNumber, &ShardCounts),
    bins: &[usize],
) -> Result<(), String> {
    let share = game.share(trials, number);
    if !shard.tallies.iter().map(Tally::bins).eq(bins.iter().copied()) {
        return Err("they have other bins than its witnesses".into());
    }
    if shard.tallies.iter().any(|tally| tally.checked_trials() != Some(share)) {
        return Err(format!("they are not those of {share} trials"));
    }
    let witnesses = game.control.by_request.map_or(0, ByRequest::witnesses);
    let mut asked = BTreeSet::new();
    for (block, counts) in &shard.requests {
        let size = game.size_of_request(*block, trials, number);
        let fits = |[d, d_prime]: &[RequestCounts; 2]| {
            let runs = d.runs.checked_add(d_prime.runs);
            runs == size && d.is_possible() && d_prime.is_possible()
        };
        if size.is_none()
            || !asked.insert(*block)
            || counts.len() != witnesses
            || !counts.iter().all(fits)
        {
            return Err(format!("request {block} is not one of its own, or not whole"));
        }
    }
    let requests = game.requests(trials, number);
    if asked.len() as u64 != requests {
        return Err(format!(
            "they come from {} requests, but its own come from {requests}",
            asked.len()
        ));
    }
    Ok(())
}

/// Note for the report on shards that were left out: the number of trials that count without them.
pub(in crate::audit) fn left_out(merged: &MergedShards, made: u64, planned: u64) -> Option<String> {
    (made < planned).then(|| {
        format!(
            "merged without {}: {made} trials count instead of {planned}, which is sound only if they were \
             lost for a reason independent of their counts",
            shards_in_words(&merged.left_out())
        )
    })
}

/// SHA-256 of the frozen choices, and of how runs are played.
pub(in crate::audit) fn hash<D: Serialize>(
    frozen: &Frozen<'_, D>,
    trials: u64,
    runs: Runs,
) -> String {
    let witnesses: Vec<_> = frozen.witnesses().collect();
    let tests = (frozen.test, frozen.bits.as_ref().map(|(_, test)| test));
    let runs = format!("{runs:?}");
    let pair = (runs, frozen.pair_index, &frozen.pair.name, &frozen.pair.d, &frozen.pair.d_prime);
    let all = serde_json::to_string(&(pair, witnesses, tests, frozen.explored, trials));
    hex(Sha256::digest(all.expect("a witness and its datasets are written into certificates, too")))
}
