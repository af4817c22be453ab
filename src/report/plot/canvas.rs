//! What all plots share: the sheet and its styles, the legend above the data, a chart with two axes.
//!
//! Drawn here and not by a plotting crate: shapes need classes (a colour for light and one for dark), merged
//! paths and a title, and a plot 2 kB instead of 8, so that a page of a hundred audits stays readable.

use super::axis::Axis;
use super::svg::{Kind, Plot, escape};
use crate::report::words::{columns, visible};
use std::fmt::Write as _;

/// Width of every plot, in the units of its view box.
pub(super) const WIDTH: i32 = 960;
/// Height of a chart with its axes.
pub(super) const CHART: i32 = 560;
/// Size of text.
const TEXT: i32 = 26;
/// Height of a line of text.
const LINE: i32 = 34;

/// How a shape is drawn: a class of `plot.css`. No two lines that can meet differ by colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Axis,
    Grid,
    /// Lines, bars, regions of the witness and strips above them.
    LineD,
    LineDPrime,
    BarD,
    BarDPrime,
    RegionD,
    RegionDPrime,
    StripD,
    StripDPrime,
    Claim,
    /// What the claim forbids.
    Forbidden,
    /// What tells D from D' by chance only.
    Chance,
    /// A certified lower bound within the claim, and what it spans.
    Certified,
    CertifiedBand,
    /// A certified lower bound that refutes the claim, and what it spans beyond it.
    Refutes,
    RefutesBand,
    /// Where a claim is broken.
    Mark,
    CertifiedUpper,
    Estimated,
    EstimatedBand,
    /// The witness's own event.
    Event,
    Proved,
    /// What follows from known laws.
    Exact,
}

impl Style {
    fn class(self) -> &'static str {
        match self {
            Self::Axis => "axis",
            Self::Grid => "grid",
            Self::LineD => "ld",
            Self::LineDPrime => "le",
            Self::BarD => "bd",
            Self::BarDPrime => "be",
            Self::RegionD => "rd",
            Self::RegionDPrime => "re",
            Self::StripD => "sd",
            Self::StripDPrime => "se",
            Self::Claim => "claim",
            Self::Forbidden => "forbidden",
            Self::Chance => "chance",
            Self::Certified => "certified",
            Self::CertifiedBand => "cband",
            Self::Refutes => "refutes",
            Self::RefutesBand => "rband",
            Self::Mark => "mark",
            Self::CertifiedUpper => "upper",
            Self::Estimated => "estimated",
            Self::EstimatedBand => "eband",
            Self::Event => "event",
            Self::Proved => "proved",
            Self::Exact => "exact",
        }
    }
}

/// Which side of a text its place is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A point of the sheet.
pub(super) type Point = (f64, f64);

/// A sheet that is filled from the top.
pub(super) struct Sheet {
    /// Where the next thing goes.
    pub top: i32,
    /// One path each; shapes of a style that follow one another share one.
    shapes: Vec<(Style, String)>,
    texts: String,
}

impl Sheet {
    pub fn new() -> Self {
        Self { top: 0, shapes: Vec::new(), texts: String::new() }
    }

    /// A line through points, less those that nobody would miss.
    pub fn line(&mut self, style: Style, points: impl IntoIterator<Item = Point>) {
        let points = simplified(points);
        if points.len() > 1 {
            self.add(style, &path(&points));
        }
    }

    /// The area within points.
    pub fn area(&mut self, style: Style, points: impl IntoIterator<Item = Point>) {
        let points = simplified(points);
        if points.len() > 2 {
            self.add(style, &(path(&points) + "z"));
        }
    }

    pub fn rectangle(
        &mut self,
        style: Style,
        (left, top): (i32, i32),
        (right, bottom): (i32, i32),
    ) {
        self.add(style, &format!("M{left} {top}H{right}V{bottom}H{left}z"));
    }

    /// A mark that is seen wherever it is.
    pub fn diamond(&mut self, style: Style, (x, y): Point) {
        let (x, y) = (x.round() as i32, y.round() as i32);
        let (left, right) = ((x - 11).max(0), x + 11);
        self.add(
            style,
            &format!("M{left} {y}L{x} {} {right} {y} {x} {}z", (y - 11).max(0), y + 11),
        );
    }

    fn add(&mut self, style: Style, path: &str) {
        match self.shapes.last_mut() {
            Some((last, paths)) if *last == style => paths.push_str(path),
            _ => self.shapes.push((style, path.to_owned())),
        }
    }

    /// Writes a text, centred vertically on a point.
    pub fn text(&mut self, words: &str, (x, y): (i32, i32), anchor: Anchor) {
        self.write(words, (x, y), anchor, "");
    }

    fn write(&mut self, words: &str, (x, y): (i32, i32), anchor: Anchor, more: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let y = y + 9;
        self.texts += &format!("<text x=\"{x}\" y=\"{y}\"{anchor}{more}>{}</text>", escape(words));
    }

    /// A sentence about what is, or is not, to be seen.
    pub fn note(&mut self, sentence: &str) {
        self.top += 8;
        for line in wrapped(&visible(sentence), (WIDTH - 48) as usize * 100 / 55 / TEXT as usize) {
            self.write(&line, (24, self.top + LINE / 2), Anchor::Start, " class=\"note\"");
            self.top += LINE;
        }
    }

    /// Draws the legend, in as many rows as it needs.
    pub fn legend(&mut self, keys: &[Key]) {
        let (mut x, mut y) = (24, self.top + 28);
        for key in keys {
            let width = SWATCH + 12 + text_width(&key.text);
            if x > 24 && x + width > WIDTH - 16 {
                (x, y) = (24, y + 40);
            }
            match key.sample {
                Sample::Line => {
                    self.line(key.style, [x, x + SWATCH].map(|x| (f64::from(x), f64::from(y))))
                }
                Sample::Fill => self.rectangle(key.style, (x, y - 12), (x + SWATCH, y + 12)),
                Sample::Mark => self.diamond(key.style, (f64::from(x + SWATCH / 2), f64::from(y))),
            }
            self.text(&key.text, (x + SWATCH + 12, y), Anchor::Start);
            x += width + 28;
        }
        self.top = y + 28;
    }

    /// A chart with grid, ticks and titles, over the whole width.
    pub fn chart(&mut self, x: Axis, y: Axis) -> Chart {
        let widest = y.ticks.iter().map(|(_, label)| text_width(label)).max().unwrap_or(0);
        let chart = Chart {
            left: widest + 70,
            top: self.top + 10,
            right: WIDTH - 36,
            bottom: self.top + CHART - 90,
            x,
            y,
        };
        let Chart { left, top, right, bottom, .. } = chart;
        let (mut grid, mut axes) = (String::new(), format!("M{left} {top}V{bottom}H{right}"));
        for (at, label) in &chart.x.ticks {
            let x = chart.place_x(*at).round() as i32;
            grid += &format!("M{x} {top}V{bottom}");
            axes += &format!("M{x} {bottom}V{}", bottom + 8);
            self.text(label, (x, bottom + 28), Anchor::Middle);
        }
        for (at, label) in &chart.y.ticks {
            let y = chart.place_y(*at).round() as i32;
            grid += &format!("M{left} {y}H{right}");
            axes += &format!("M{left} {y}H{}", left - 8);
            self.text(label, (left - 14, y), Anchor::End);
        }
        self.add(Style::Grid, &grid);
        self.add(Style::Axis, &axes);
        self.text(&chart.x.title, ((left + right) / 2, bottom + 66), Anchor::Middle);
        let middle = (top + bottom) / 2;
        let turned = format!(" transform=\"rotate(-90 24 {middle})\"");
        self.write(&chart.y.title, (24, middle), Anchor::Middle, &turned);
        self.top += CHART;
        chart
    }

    /// The plot, with what it shows of `name` in a sentence.
    pub fn done(self, kind: Kind, name: &str, says: String) -> Plot {
        let mut body = String::new();
        for (style, path) in &self.shapes {
            write!(body, "<path class=\"{}\" d=\"{path}\"/>", style.class())
                .expect("a string takes everything");
        }
        Plot::new(kind, name, says, self.top, &(body + &self.texts))
    }
}

/// An entry of the legend.
pub(super) struct Key {
    style: Style,
    sample: Sample,
    text: String,
}

enum Sample {
    Line,
    Fill,
    Mark,
}

impl Key {
    pub fn line(style: Style, text: impl Into<String>) -> Self {
        Self { style, sample: Sample::Line, text: text.into() }
    }

    pub fn fill(style: Style, text: impl Into<String>) -> Self {
        Self { style, sample: Sample::Fill, text: text.into() }
    }

    pub fn mark(style: Style, text: impl Into<String>) -> Self {
        Self { style, sample: Sample::Mark, text: text.into() }
    }
}

/// Width of the sample in a legend.
const SWATCH: i32 = 36;

/// A chart on a sheet, to draw on in the coordinates of its axes.
pub(super) struct Chart {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
    pub x: Axis,
    pub y: Axis,
}

impl Chart {
    fn place_x(&self, at: f64) -> f64 {
        f64::from(self.left) + self.x.share(at) * f64::from(self.right - self.left)
    }

    fn place_y(&self, at: f64) -> f64 {
        f64::from(self.bottom) - self.y.share(at) * f64::from(self.bottom - self.top)
    }

    /// Where a pair of values is on the sheet.
    pub fn place(&self, (x, y): Point) -> Point {
        (self.place_x(self.x.at(x)), self.place_y(self.y.at(y)))
    }

    pub fn line(&self, sheet: &mut Sheet, style: Style, points: impl IntoIterator<Item = Point>) {
        sheet.line(style, points.into_iter().map(|point| self.place(point)));
    }

    pub fn area(&self, sheet: &mut Sheet, style: Style, points: impl IntoIterator<Item = Point>) {
        sheet.area(style, points.into_iter().map(|point| self.place(point)));
    }

    pub fn diamond(&self, sheet: &mut Sheet, style: Style, point: Point) {
        sheet.diamond(style, self.place(point));
    }
}

/// Width of a text, on the large side: without fonts nobody knows better.
pub(super) fn text_width(text: &str) -> i32 {
    i32::try_from(columns(text)).unwrap_or(WIDTH).min(WIDTH) * TEXT * 55 / 100
}

/// A text in lines of at most `most` columns, broken at spaces.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A path through whole points.
fn path(points: &[(i32, i32)]) -> String {
    let mut out = format!("M{} {}", points[0].0, points[0].1);
    let mut command = 'M';
    for pair in points.windows(2) {
        let ((from_x, from_y), (x, y)) = (pair[0], pair[1]);
        let (next, place) = match () {
            () if y == from_y => ('H', x.to_string()),
            () if x == from_x => ('V', y.to_string()),
            () => ('L', format!("{x} {y}")),
        };
        if next == 'L' && command == 'L' {
            out.push(' ');
        } else {
            out.push(next);
        }
        out += &place;
        command = next;
    }
    out
}

/// Points in whole units, less those that are within a unit of the line without them (Ramer 1972;
/// Douglas, Peucker 1973).
fn simplified(points: impl IntoIterator<Item = Point>) -> Vec<(i32, i32)> {
    let mut whole: Vec<(i32, i32)> =
        points.into_iter().map(|(x, y)| (x.round() as i32, y.round() as i32)).collect();
    whole.dedup();
    let mut kept = vec![false; whole.len()];
    let mut open = vec![(0, whole.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        if last < kept.len() {
            (kept[first], kept[last]) = (true, true);
        }
        let farthest = (first + 1..last)
            .map(|at| (distance(whole[at], whole[first], whole[last]), at))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((far, at)) = farthest
            && far > 0.8
        {
            open.extend([(first, at), (at, last)]);
        }
    }
    let mut kept = kept.into_iter();
    whole.retain(|_| kept.next().unwrap_or(true));
    whole
}

/// How far a point is from a piece of a line.
fn distance(point: (i32, i32), from: (i32, i32), to: (i32, i32)) -> f64 {
    let vector = |a: (i32, i32), b: (i32, i32)| (f64::from(b.0 - a.0), f64::from(b.1 - a.1));
    let ((along_x, along_y), (x, y)) = (vector(from, to), vector(from, point));
    let length = along_x * along_x + along_y * along_y;
    let share =
        if length > 0.0 { ((x * along_x + y * along_y) / length).clamp(0.0, 1.0) } else { 0.0 };
    (x - share * along_x).hypot(y - share * along_y)
}
