//! Edges on the marks of a dyadic grid: the place of a number between two marks determines its
//! interval, without comparisons with an edge.
//!
//! The exact position of an edge hardly affects the power of a witness: quantiles of a sample are
//! known no better. It changes the cost of counting by a half.

/// Places on a dyadic grid, of half the distance of its marks each: at a byte each, half of a first
/// cache of 32 KiB.
const PLACES: usize = 1 << 14;
/// Places that are left free: an edge moves by less than two to its mark, and at most two are
/// beyond each end, eight in all. The rest is slack, a thousandth of the grid.
const SPARE: usize = 16;
/// 1.5 · 2⁵²: adding it to a number below 2⁵¹ in size rounds that to an integer, ties to even, in
/// the lowest bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// Finds the interval of a number by its place.
///
/// Exact: with places of width w, a power of two, the place of x is x / w (exact, short of
/// overflow) clamped and rounded to an integer, ties to even: the places 2j − 1 and 2j, j an
/// integer, meet in (2j − ½) w, which belongs to the upper one. Every edge is such a mark.
pub struct DyadicGrid {
    per_unit: f64,
    lowest: f64,
    highest: f64,
    /// The interval of each place, by the lowest bits of its mark.
    intervals: Box<[u8; PLACES]>,
}

impl DyadicGrid {
    /// A dyadic grid with all of these edges (ascending, finite) on its marks, if there is one.
    pub fn new(edges: &[f64]) -> Option<Self> {
        let width = width(edges)?;
        let (first, last) = (*edges.first()?, *edges.last()?);
        if edges.len() > usize::from(u8::MAX) {
            return None;
        }
        let on_marks = |width: f64| edges.iter().all(|&edge| mark(edge, width) == Some(edge));
        // The edges may have been moved, by as much as the dyadic grid's choice allows for.
        let width = [width / 2.0, width, 2.0 * width]
            .into_iter()
            .find(|&width| (last - first) / width < (PLACES - 4) as f64 && on_marks(width))?;
        let (lowest, highest) = ((first / width).floor() - 1.0, (last / width).ceil() + 1.0);
        let mut dyadic_grid =
            Self { per_unit: 1.0 / width, lowest, highest, intervals: Box::new([0; PLACES]) };
        for place in 0..=(highest - lowest) as usize {
            let place = lowest + place as f64;
            dyadic_grid.intervals[at(place + ROUND)] = interval(edges, place * width) as u8;
        }
        Some(dyadic_grid)
    }

    /// The place of a number, whose lowest bits are those of an integer; of NaN, the lowest.
    #[inline(always)]
    pub fn place(&self, x: f64) -> f64 {
        let place = x * self.per_unit;
        let place = if place > self.lowest { place } else { self.lowest };
        let place = if place < self.highest { place } else { self.highest };
        place + ROUND
    }

    #[inline(always)]
    pub fn interval(&self, place: f64) -> u8 {
        self.intervals[at(place)]
    }
}

/// Index of a place in a table of all: there are fewer than [`PLACES`], next to one another.
#[inline(always)]
fn at(place: f64) -> usize {
    place.to_bits() as usize % PLACES
}

/// Width of the places of a dyadic grid that reaches from the first to the last of the edges;
/// `None` if such a grid does not exist.
fn width(edges: &[f64]) -> Option<f64> {
    let span = edges.last()? - edges.first()?;
    let width = (span / (PLACES - SPARE) as f64).log2().ceil().exp2();
    // So that half and twice as much are also powers of two.
    (1e-300..1e300).contains(&width).then_some(width)
}

/// The mark below a number, or at most half a place above it; `None` if marks are inexact.
fn mark(x: f64, width: f64) -> Option<f64> {
    let pair = ((x / width + 0.5) / 2.0).floor();
    (pair.abs() < (1u64 << 40) as f64).then_some((2.0 * pair - 0.5) * width)
}

/// Edges moved to the nearest marks of a dyadic grid, if no edge passes more than a few of the
/// sorted readings that it was chosen for; otherwise the unchanged edges.
pub fn on_marks(edges: Vec<f64>, sorted: &[f64]) -> Vec<f64> {
    let Some(width) = width(&edges) else { return edges };
    let below = |x: f64| sorted.partition_point(|reading| *reading < x);
    let ranks: Vec<usize> = edges.iter().map(|edge| below(*edge)).collect();
    let moved = edges.iter().enumerate().map(|(i, &edge)| {
        let mark = mark(edge, width)?;
        let before = if i == 0 { 0 } else { ranks[i - 1] };
        let after = ranks.get(i + 1).copied().unwrap_or(sorted.len());
        let few = ((ranks[i] - before).min(after - ranks[i]) / 8).max(1);
        let passes_few = |mark: &f64| ranks[i].abs_diff(below(*mark)) <= few;
        // The next one above may be nearer; the one below never passes a value that repeats.
        let above = mark + 2.0 * width;
        let nearest = if above - edge < edge - mark { above } else { mark };
        [nearest, mark].into_iter().find(passes_few)
    });
    match moved.collect::<Option<Vec<f64>>>() {
        Some(mut marks) => {
            marks.dedup();
            marks
        }
        None => edges,
    }
}

/// Number of edges that are at most `x`.
pub(crate) fn interval(edges: &[f64], x: f64) -> usize {
    edges.partition_point(|edge| *edge <= x)
}

#[cfg(test)]
#[path = "../../../tests/unit/witness/count/dyadic_grid.rs"]
mod tests;
