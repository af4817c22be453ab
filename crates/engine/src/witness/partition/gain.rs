//! Information of a box on the labels, in nats.

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
    pub fn likelihood(self) -> f64 {
        self.likelihood_by(self)
    }

    /// The log-likelihood of these labels by the shares of others.
    pub fn likelihood_by(self, shares: Self) -> f64 {
        let of = |count: f64, share: f64| {
            if count > 0.0 { count * (share / shares.all()).ln() } else { 0.0 }
        };
        of(self.d, shares.d) + of(self.d_prime, shares.d_prime)
    }
}

/// A number that is not negative, as a quotient.
#[derive(Clone, Copy)]
pub struct Fraction {
    pub of: f64,
    pub over: f64,
}

/// Information of a part with some labels, within a node with these.
pub struct Gain {
    node: Labels,
    base: f64,
    share: f64,
    /// n / (2 p(1 − p)) of the node; 0 where all are of one dataset.
    scale: f64,
}

impl Gain {
    pub fn of(node: Labels) -> Self {
        let share = if node.all() > 0.0 { node.d / node.all() } else { 0.0 };
        let spread = share * (1.0 - share);
        let scale = if spread > 0.0 { 0.5 * node.all() / spread } else { 0.0 };
        Self { node, base: node.likelihood(), share, scale }
    }

    /// The gain within a node of evenly spaced outcomes of this one, each for `more` of them.
    pub fn of_fewer(&self, more: f64) -> Self {
        Self::of(Labels { d: self.node.d / more, d_prime: self.node.d_prime / more })
    }

    /// The gain of separating a part from the rest: the log-likelihood ratio.
    pub fn exact(&self, part: Labels) -> f64 {
        part.likelihood() + self.node.less(part).likelihood() - self.base
    }

    /// Approximation without logarithms: half of Pearson's statistic. The exact gain is at most a
    /// few times as much.
    pub fn rough(&self, part: Labels) -> f64 {
        let Fraction { of, over } = self.fraction(part);
        of * self.scale / over
    }

    /// [`Gain::rough`] up to a factor that is the same for all parts.
    pub fn fraction(&self, part: Labels) -> Fraction {
        let all = part.all();
        let (excess, others) = (part.d - self.share * all, all * (self.nodes() - all));
        if others > 0.0 {
            Fraction { of: excess * excess, over: others }
        } else {
            Fraction { of: 0.0, over: 1.0 }
        }
    }

    /// The rough gain of a part with `all` outcomes, and `excess` more of D than the node's share.
    pub fn of_excess(&self, excess: f64, all: f64) -> f64 {
        let others = all * (self.nodes() - all);
        let gain = excess * excess * self.scale / others;
        if others > 0.0 { gain } else { 0.0 }
    }

    /// Squared excess over the product of outcomes in and around a part of this rough gain.
    pub fn least_square(&self, gain: f64) -> f64 {
        gain / self.scale
    }

    /// Fewest outcomes of a part that can pay a price of ln n: all of the rarer dataset.
    pub fn fewest(&self) -> f64 {
        let rarer = self.share.min(1.0 - self.share);
        if rarer > 0.0 { self.nodes().ln() / -rarer.ln() } else { self.nodes() }
    }

    pub fn nodes(&self) -> f64 {
        self.node.all()
    }

    /// The share of D in the node.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// Log-ratios of an outcome of D, and of one of D', in a part and around it.
    pub fn of_one(&self, part: Labels) -> Labels {
        let of_d = |labels: Labels| (labels.d + 0.5) / (labels.all() + 1.0);
        let (own, around) = (of_d(part), of_d(self.node.less(part)));
        Labels { d: (own / around).ln(), d_prime: ((1.0 - own) / (1.0 - around)).ln() }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/partition/gain.rs"]
mod tests;
