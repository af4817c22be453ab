//! The identity of an audit: everything that determines it, as far as the audit knows.

use crate::audit::settings::{Audit, Settings};
use crate::game::Runs;
use crate::verify::Domain;
use plaudit_accountant::number;
use plaudit_core::claim::Claim;
use plaudit_core::finding::MechanismKind;
use plaudit_core::finding::{
    Expectation, Floats, Identity, IdentityPart, LeakSource, PartIdentity, review::relation_words,
};
use serde::Serialize;
use serde_json::{Value, json};

impl<D: Serialize> Audit<D> {
    /// Everything that determines the audit. Contents of programs are unknown unless the caller
    /// passed them to [`identify`](Self::identify).
    pub fn identity(&self) -> Identity {
        match &self.identity {
            Some(identity) => identity.clone(),
            None => Identity::of(self.parts()),
        }
    }

    /// Fixes the identity, with parts that only the caller knows, before a time budget or looks
    /// change trials and level.
    pub fn identify(&mut self, known: impl IntoIterator<Item = (IdentityPart, PartIdentity)>) {
        self.identity = Some(Identity::of(self.parts().into_iter().chain(known)));
    }

    fn parts(&self) -> Vec<(IdentityPart, PartIdentity)> {
        use IdentityPart as Part;
        let summary = &self.summary;
        let parameters = self.parameters();
        let mechanism = json!([summary.kind, parameters]);
        let (_, neighbors) = relation_words(&self.relation, self.claim.group_size());
        let relation = json!([neighbors, self.relation.to_string(), self.claim.group_size()]);
        let words = summary.description.clone();
        let mut parts = vec![
            (Part::Mechanism, PartIdentity::of(&mechanism, words)),
            (Part::Relation, PartIdentity::of(&relation, neighbors)),
            (Part::Claim, of_claim(&self.claim)),
        ];
        parts.extend(self.of_program().map(|part| (Part::Program, part)));
        if !summary.post.is_empty() {
            let words = summary.post.join(", ");
            parts.push((Part::Post, PartIdentity::of(&json!(summary.post), words)));
        }
        // For recorded outcomes these are the paths of their files.
        if !self.pairs.is_empty() && !self.is_recorded() {
            parts.push((Part::Pairs, self.of_pairs()));
        }
        if let Some(search) = &self.search {
            let domain = &search.neighborhood.domain;
            let whole = Value::from(format!("{domain:?}"));
            parts.push((Part::Domain, PartIdentity::of(&whole, domain.to_string())));
        }
        if let Some(sensitivity) = self.sensitivity {
            let words = sensitivity.to_string();
            parts.push((Part::Sensitivity, PartIdentity::of(&json!(sensitivity), words)));
        }
        if let Some(all) = &self.alphabet {
            let whole = Value::from(format!("{all:?}"));
            parts.push((
                Part::Outcomes,
                PartIdentity::of(&whole, format!("{} outcomes", all.len())),
            ));
        }
        parts.push((Part::Proof, self.of_proof()));
        parts.extend(self.of_settings());
        parts
    }

    fn is_recorded(&self) -> bool {
        self.mechanism.capabilities().recordings.is_some()
    }

    /// The parameters without locations on this machine: files of recorded outcomes, and the place
    /// of a function.
    fn parameters(&self) -> Value {
        let mut parameters = self.summary.parameters.clone();
        let places: &[&str] = match self.is_recorded() {
            true => &["d", "d_prime"],
            false if self.summary.kind == MechanismKind::Function => &["file", "line"],
            false => &[],
        };
        if let Value::Object(fields) = &mut parameters {
            fields.retain(|key, _| !places.contains(&key.as_str()));
        }
        parameters
    }

    /// Functions of a process have no content that could be hashed.
    fn of_program(&self) -> Option<PartIdentity> {
        let unknown = "not known: a function of a process";
        let is_function =
            matches!(self.summary.kind, MechanismKind::Closure | MechanismKind::Function);
        is_function.then(|| PartIdentity::of(&Value::Null, unknown))
    }

    /// Pairs with their data; for pairs that the seed draws, their number and the table instead,
    /// which do not depend on the seed.
    fn of_pairs(&self) -> PartIdentity {
        let drawn = |at: usize| self.drawn.iter().find(|range| range.contains(&at));
        let (mut whole, mut shown, mut from_seed) = (Vec::new(), Vec::new(), Vec::new());
        for (at, pair) in self.pairs.iter().enumerate() {
            match drawn(at) {
                Some(range) if range.start == at => {
                    let words = format!("drawn by the seed: random = {}", range.len());
                    whole.push(json!([words, value(&pair.d)]));
                    from_seed.push(words);
                }
                Some(_) => {}
                None => {
                    whole.push(json!([value(&pair.d), value(&pair.d_prime)]));
                    // A few fill the words; the hash is of all.
                    if shown.len() < 4 {
                        let [d, d_prime] = [&pair.d, &pair.d_prime].map(|it| (self.show)(it));
                        shown.push(format!("{d} and {d_prime}"));
                    }
                }
            }
        }
        let many = match self.pairs.len() {
            many if many == 1 || whole.len() == 1 => String::new(),
            many => format!("{many} pairs: "),
        };
        PartIdentity::of(
            &Value::from(whole),
            format!("{many}{}", [from_seed, shown].concat().join("; ")),
        )
    }

    fn of_proof(&self) -> PartIdentity {
        let cheap = if self.settings.prove_where_cheap { "where it is cheap" } else { "none" };
        let Some(verify) = &self.verify else { return PartIdentity::of(&json!(cheap), cheap) };
        let domain = verify.domain.as_ref().map(of_domain);
        let words = match &verify.domain {
            Some(domain) => format!("asked for, on {}", domain.words),
            None => "asked for".to_owned(),
        };
        let budget = format!("{:?}", verify.budget);
        PartIdentity::of(&json!([cheap, domain, budget]), words)
    }

    fn of_settings(&self) -> Vec<(IdentityPart, PartIdentity)> {
        use IdentityPart as Part;
        let Settings {
            trials,
            seconds,
            alpha,
            min_power,
            may_be_constant,
            may_show_no_difference,
            floats,
            expect,
            expect_leak,
            ..
        } = self.settings;
        let floats = match floats {
            Floats::AsReleased => PartIdentity::of(&json!(floats), "as released"),
            Floats::Ideal => PartIdentity::of(&json!(floats), "ideal"),
            Floats::Rounded(grid) => {
                PartIdentity::of(&json!(floats), format!("rounded to {}", number::words(grid)))
            }
        };
        let checks = [(may_be_constant, "constant"), (may_show_no_difference, "no_difference")];
        let checks: Vec<&str> = checks.into_iter().filter(|it| it.0).map(|it| it.1).collect();
        let switch =
            |is_on: bool| PartIdentity::of(&json!(is_on), if is_on { "on" } else { "off" });
        #[allow(clippy::cast_precision_loss)]
        let trials = match seconds {
            Some(seconds) => PartIdentity::of(
                &Value::from(format!("{seconds:?} s")),
                format!("those of {} s", number::words(seconds)),
            ),
            None => PartIdentity {
                words: number::grouped(trials),
                ..PartIdentity::of_number(trials as f64)
            },
        };
        vec![
            (Part::Floats, floats),
            (Part::Clock, switch(self.runs == Runs::Timed)),
            (Part::Stateful, switch(self.runs == Runs::Stateful)),
            (Part::Checks, PartIdentity::of(&json!(checks), checks.join(", "))),
            (Part::Expectation, of_expectation(expect, expect_leak)),
            (Part::MinPower, PartIdentity::of_number(min_power)),
            (Part::Trials, trials),
            (Part::Alpha, PartIdentity::of_number(alpha)),
        ]
    }
}

fn of_expectation(expect: Expectation, leak: Option<LeakSource>) -> PartIdentity {
    let words = match leak {
        Some(leak) => format!("{} by {}", expect.words(), leak.words()),
        None => expect.words().to_owned(),
    };
    PartIdentity::of(&json!([expect, leak]), words)
}

fn of_claim(claim: &Claim) -> PartIdentity {
    PartIdentity::of(&json!(claim), claim.to_string())
}

fn of_domain<D: Serialize>(domain: &Domain<D>) -> Value {
    let Domain { words, datasets, pairs, extent } = domain;
    let datasets: Vec<Value> = datasets.iter().map(value).collect();
    json!([words, datasets, pairs, format!("{extent:?}")])
}

fn value<D: Serialize>(dataset: &D) -> Value {
    serde_json::to_value(dataset).unwrap_or(Value::Null)
}
