//! What a box tells of the labels, in nats.

/// Outcomes of D and of D'.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Labels {
    pub d: f64,
    pub d_prime: f64,
}

impl Labels {
    pub fn all(self) -> f64 {
        self.d + self.d_prime
    }

    pub fn less(self, other: Self) -> Self {
        Self { d: self.d - other.d, d_prime: self.d_prime - other.d_prime }
    }

    /// a ln(a/(a + b)) + b ln(b/(a + b)): the log-likelihood of the labels by their own shares.
    fn likelihood(self) -> f64 {
        let of = |count: f64| {
            if count > 0.0 { count * (count / self.all()).ln() } else { 0.0 }
        };
        of(self.d) + of(self.d_prime)
    }
}

/// Of a node with these labels, how much a part tells that has those.
pub struct Gain {
    node: Labels,
    base: f64,
    /// p(1 − p) of the node.
    spread: f64,
    share: f64,
}

impl Gain {
    pub fn of(node: Labels) -> Self {
        let share = if node.all() > 0.0 { node.d / node.all() } else { 0.0 };
        Self { node, base: node.likelihood(), spread: share * (1.0 - share), share }
    }

    /// The gain of telling a part from the rest: the log-likelihood ratio.
    pub fn exact(&self, part: Labels) -> f64 {
        part.likelihood() + self.node.less(part).likelihood() - self.base
    }

    /// About the same without logarithms: half of Pearson's statistic. The exact gain is at most a few times as much.
    pub fn rough(&self, part: Labels) -> f64 {
        let (all, rest) = (part.all(), self.node.all() - part.all());
        if all < 0.5 || rest < 0.5 || self.spread <= 0.0 {
            return 0.0;
        }
        let excess = part.d - self.share * all;
        0.5 * excess * excess * self.node.all() / (all * rest * self.spread)
    }

    /// How much more likely an outcome of D is in a part than around it, and one of D': logarithms.
    pub fn of_one(&self, part: Labels) -> Labels {
        let of_d = |labels: Labels| (labels.d + 0.5) / (labels.all() + 1.0);
        let (own, around) = (of_d(part), of_d(self.node.less(part)));
        Labels { d: (own / around).ln(), d_prime: ((1.0 - own) / (1.0 - around)).ln() }
    }

    /// Whether the rough gain of a part exceeds this, without a division.
    pub fn exceeds(&self, part: Labels, least: f64) -> bool {
        let all = part.all();
        let excess = part.d - self.share * all;
        let (nodes, rest) = (self.node.all(), self.node.all() - all);
        0.5 * excess * excess * nodes > least * (all * rest * self.spread)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/partition/gain.rs"]
mod tests;
