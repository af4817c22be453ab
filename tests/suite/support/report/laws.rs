//! Exact laws, bin by bin.

use super::Cell;

fn cell(label: String, ends: Option<(Option<f64>, Option<f64>)>, p: f64, q: f64) -> Cell {
    Cell { label, ends, p, q }
}

pub fn words(rows: &[(&str, f64, f64)]) -> Vec<Cell> {
    rows.iter().map(|(label, p, q)| cell((*label).into(), None, *p, *q)).collect()
}

/// Bins between ascending edges, the outermost endless.
fn intervals(edges: &[f64], p: impl Fn(f64) -> f64, q: impl Fn(f64) -> f64) -> Vec<Cell> {
    let ends = |i: usize| (i.checked_sub(1).map(|i| edges[i]), edges.get(i).copied());
    let mass = |law: &dyn Fn(f64) -> f64, (from, to): (Option<f64>, Option<f64>)| {
        to.map_or(1.0, law) - from.map_or(0.0, law)
    };
    let label = |ends: (Option<f64>, Option<f64>)| match ends {
        (Some(from), Some(to)) => format!("[{from:.4}, {to:.4})"),
        (Some(from), None) => format!(">= {from:.4}"),
        (None, Some(to)) => format!("< {to:.4}"),
        (None, None) => "any number".into(),
    };
    (0..=edges.len())
        .map(|i| cell(label(ends(i)), Some(ends(i)), mass(&p, ends(i)), mass(&q, ends(i))))
        .collect()
}

pub fn laplace(scale: f64) -> Vec<Cell> {
    let law = |centre: f64| {
        move |x: f64| {
            let z = (x - centre) / scale;
            if z < 0.0 { 0.5 * z.exp() } else { 1.0 - 0.5 * (-z).exp() }
        }
    };
    // Equal shares of the mixture of both, roughly.
    let edges: Vec<f64> = (1..64)
        .map(|i| {
            let u = f64::from(i) / 64.0;
            2.5 - 1.4 * scale * if u < 0.5 { -(2.0 * u).ln() } else { (2.0 * (1.0 - u)).ln() }
        })
        .collect();
    intervals(&edges, law(2.0), law(3.0))
}

pub fn gaussian(sigma: f64, distance: f64) -> Vec<Cell> {
    // Logistic approximation of the normal law (Bowling et al. 2009): this is only a picture.
    let law = |centre: f64| {
        move |x: f64| {
            let z = (x - centre) / sigma;
            1.0 / (1.0 + (-0.07056 * z.powi(3) - 1.5976 * z).exp())
        }
    };
    let edges: Vec<f64> = (-24..=24).map(|i| distance / 2.0 + sigma * f64::from(i) / 7.0).collect();
    intervals(&edges, law(0.0), law(distance))
}

pub fn sparse_vector() -> Vec<Cell> {
    (0..40)
        .map(|i| {
            let shape: Vec<&str> = (0..8)
                .map(|bit| if (i * 7 + 3) >> (bit % 6) & 1 == 1 { "+" } else { "-" })
                .collect();
            let x = f64::from(i);
            let (p, q) = ((-0.16 * x).exp(), (-0.16 * (39.0 - x) * 0.8).exp());
            cell(format!("[{}]", shape.join(", ")), None, p / 6.77, q / 8.26)
        })
        .collect()
}

pub fn panics() -> Vec<Cell> {
    let law = |x: f64| if x < 0.5 { 0.5 * (x - 0.5).exp() } else { 1.0 - 0.5 * (0.5 - x).exp() };
    let edges: Vec<f64> = (-12..=12).map(|i| 0.5 + f64::from(i) / 4.0).collect();
    let mut cells = intervals(&edges, law, |_| 0.0);
    cells.iter_mut().for_each(|cell| cell.q = 0.0);
    cells.push(cell("panic: attempt to divide by zero".into(), None, 0.0, 0.92));
    cells.push(cell("NaN".into(), None, 0.0, 0.08));
    cells
}
