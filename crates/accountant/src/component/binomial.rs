//! The binomial law (Loader 2000): relative errors stay small far out in both tails.

/// How many of `draws` rows are in, each with probability `rate`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binomial {
    pub draws: u64,
    pub rate: f64,
}

impl Binomial {
    /// Bound on the relative error of masses, up to 10⁹ draws.
    pub const ERROR: f64 = 1e-9;

    /// The probability of k rows.
    pub fn mass(&self, k: u64) -> f64 {
        let (n, q) = (self.draws as f64, self.rate);
        if k > self.draws || q >= 1.0 {
            return if k == self.draws { 1.0 } else { 0.0 };
        }
        let (a, b) = (k as f64, (self.draws - k) as f64);
        if k == 0 || k == self.draws {
            return if k == 0 { (n * (-q).ln_1p()).exp() } else { (n * q.ln()).exp() };
        }
        let apart = deviance(a, n * q) + deviance(b, n * (1.0 - q));
        let rest = stirling_error(n) - stirling_error(a) - stirling_error(b);
        (rest - apart).exp() * (n / (std::f64::consts::TAU * a * b)).sqrt()
    }

    /// The probability of k rows or more.
    pub fn mass_from(&self, k: u64) -> f64 {
        match k {
            0 => 1.0,
            _ if k as f64 > self.draws as f64 * self.rate => self.sum(k, true),
            _ => 1.0 - self.sum(k - 1, false),
        }
    }

    /// The probability of less than k rows.
    pub fn mass_below(&self, k: u64) -> f64 {
        match k {
            0 => 0.0,
            _ if k as f64 > self.draws as f64 * self.rate => 1.0 - self.sum(k, true),
            _ => self.sum(k - 1, false),
        }
    }

    /// The sum of masses from k on, up or down: away from the mean, so that they fall.
    fn sum(&self, mut k: u64, up: bool) -> f64 {
        let odds = self.rate / (1.0 - self.rate);
        let (mut term, mut sum) = (self.mass(k), 0.0);
        while term > 1e-18 * sum && term > 0.0 {
            sum += term;
            let left = self.draws - k.min(self.draws);
            if up {
                term *= left as f64 / (k as f64 + 1.0) * odds;
                k += 1;
            } else if k == 0 {
                break;
            } else {
                term *= k as f64 / (left as f64 + 1.0) / odds;
                k -= 1;
            }
        }
        sum
    }
}

/// ln n! less what Stirling's formula has for it, for a whole n >= 1.
fn stirling_error(n: f64) -> f64 {
    if n <= 15.0 {
        let (mut factorial, mut k) = (1.0, 2.0);
        while k <= n {
            factorial *= k;
            k += 1.0;
        }
        let formula = (n + 0.5) * n.ln() - n + 0.5 * std::f64::consts::TAU.ln();
        return f64::ln(factorial) - formula;
    }
    let square = n * n;
    let series = 1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square;
    (1.0 / 12.0 - (1.0 / 360.0 - series / square) / square) / n
}

/// x ln(x/m) + m − x, where nothing cancels.
fn deviance(x: f64, m: f64) -> f64 {
    let apart = x - m;
    if apart.abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() - apart;
    }
    // With v = (x − m)/(x + m), ln(x/m) = 2 artanh v.
    let v = apart / (x + m);
    let (mut sum, mut power, mut odd) = (apart * v, 2.0 * x * v, 3.0);
    loop {
        power *= v * v;
        let next = sum + power / odd;
        if next == sum {
            return sum;
        }
        (sum, odd) = (next, odd + 2.0);
    }
}

#[cfg(test)]
#[path = "../../tests/unit/binomial.rs"]
mod tests;
