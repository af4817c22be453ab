//! The output of plotters, written as compact SVG.
//!
//! A colour is only a name here: each represents a class of `plot.css`, so that the style sheet decides its look in
//! light, in dark and in print. All places are whole units on the sheet. Consecutive paths of a class are one
//! element, without redundant points: a plot is 2 kB and not 8, and a page of a hundred audits stays readable.

#[cfg(feature = "png")]
mod bitmap;

use crate::report::words::{columns, visible};
use plotters::style::Color;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};
use std::convert::Infallible;

/// Width of every plot, in the units of its view box. With its text of 24 units a plot is read (at 12 pixels) where
/// it is 320 pixels wide, as on a phone.
pub(super) const WIDTH: i32 = 640;

/// No plot is as high; how high one is shows when it is done.
const HIGHEST: i32 = 1 << 16;
pub(super) const TEXT: i32 = 24;
/// From the middle of a text down to its base line, and up to its upper end.
const BASE: i32 = 8;
const HALF: i32 = TEXT / 2;

macro_rules! styles {
    ($($(#[$doc:meta])* $style:ident = $class:literal,)*) => {
        /// Drawing of a shape or a text: a class of `plot.css`, and a colour that represents it. Lines that can
        /// meet never differ by colour alone.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Style {
            $($(#[$doc])* $style,)*
        }

        /// The classes, in the order of the styles.
        pub(super) const CLASSES: &[&str] = &[$($class),*];
    };
}

styles! {
    /// The first style has the colour black, which is what plotters writes with.
    Text = "",
    Note = "note",
    Axis = "axis",
    Grid = "grid",
    /// Lines, bars, regions of the witness and strips above them.
    LineD = "ld",
    LineDPrime = "le",
    BarD = "bd",
    BarDPrime = "be",
    RegionD = "rd",
    RegionDPrime = "re",
    StripD = "sd",
    StripDPrime = "se",
    Claim = "claim",
    Forbidden = "forbidden",
    Chance = "chance",
    /// A certified lower bound, and what it spans.
    Certified = "certified",
    CertifiedBand = "cband",
    /// Place where a claim is broken: by how much, and a mark.
    Violation = "violation",
    ViolationBand = "vband",
    Mark = "mark",
    /// The same for planted mistakes.
    Planted = "planted",
    PlantedBand = "pband",
    CertifiedUpper = "upper",
    Estimated = "estimated",
    EstimatedBand = "eband",
    Event = "event",
    Proved = "proved",
    Exact = "exact",
}

impl Color for Style {
    fn to_backend_color(&self) -> BackendColor {
        BackendColor { alpha: 1.0, rgb: (0, 0, *self as u8) }
    }
}

/// Class that a colour represents; `None` for an invisible one.
fn class(color: BackendColor) -> Option<&'static str> {
    let class = CLASSES.get(usize::from(color.rgb.2)).copied().unwrap_or_default();
    (color.alpha > 0.0).then_some(class)
}

/// Width of a text, estimated generously without fonts.
pub(super) fn text_width(text: &str) -> i32 {
    i32::try_from(columns(text)).unwrap_or(WIDTH).min(WIDTH) * TEXT * 55 / 100
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Svg {
    pub shapes: Vec<Outline>,
    pub texts: Vec<Label>,
}

/// A line, or the outline of an area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    pub class: &'static str,
    pub points: Vec<BackendCoord>,
    pub closed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub class: &'static str,
    /// Place of its anchor, about which it is turned.
    pub at: BackendCoord,
    /// From there down to the line through the middle of the letters, before it is turned.
    pub down: i32,
    /// Value of `text-anchor`: "start", "middle", "end".
    pub anchor: &'static str,
    /// Degrees that it is turned by, clockwise.
    pub turned: i32,
    pub text: String,
}

/// Nothing can go wrong: all is kept in memory.
type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl Svg {
    /// The elements: shapes first, texts above them.
    pub fn elements(&self) -> String {
        let mut all = String::new();
        for alike in self.shapes.chunk_by(|a, b| a.class == b.class) {
            let paths: String = alike.iter().map(Outline::path).collect();
            all += &format!("<path class=\"{}\" d=\"{paths}\"/>", alike[0].class);
        }
        self.texts.iter().for_each(|text| all += &text.element());
        all
    }

    fn add(&mut self, color: BackendColor, points: Vec<BackendCoord>, closed: bool) -> Drawn {
        self.shapes.extend(class(color).map(|class| Outline { class, points, closed }));
        Ok(())
    }
}

impl DrawingBackend for Svg {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (WIDTH.unsigned_abs(), HIGHEST.unsigned_abs())
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect(at, (at.0.saturating_add(1), at.1.saturating_add(1)), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    /// A line through points, without redundant ones.
    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Drawn {
        let points = simplified(points);
        if points.len() > 1 { self.add(style.color(), points, false) } else { Ok(()) }
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        _: bool,
    ) -> Drawn {
        let ((left, top), (right, bottom)) = (on_sheet(from), on_sheet(to));
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
        self.add(style.color(), corners, true)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        points: I,
        style: &S,
    ) -> Drawn {
        let points = simplified(points);
        if points.len() > 2 { self.add(style.color(), points, true) } else { Ok(()) }
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let Some(class) = class(style.color()).filter(|_| !text.is_empty()) else { return Ok(()) };
        let down = match style.anchor().v_pos {
            VPos::Top => HALF,
            VPos::Center => 0,
            VPos::Bottom => -HALF,
        };
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        let turned = match style.transform() {
            FontTransform::None => 0,
            FontTransform::Rotate90 => 90,
            FontTransform::Rotate180 => 180,
            FontTransform::Rotate270 => -90,
        };
        let text = visible(text);
        self.texts.push(Label { class, at: on_sheet(at), down, anchor, turned, text });
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        _: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok((text_width(text).unsigned_abs(), TEXT.unsigned_abs()))
    }
}

fn on_sheet((x, y): BackendCoord) -> BackendCoord {
    (x.clamp(0, WIDTH), y.clamp(0, HIGHEST))
}

impl Outline {
    fn path(&self) -> String {
        let [first, rest @ ..] = &self.points[..] else { return String::new() };
        let ((mut from_x, mut from_y), mut command) = (*first, 'M');
        let mut out = format!("M{from_x} {from_y}");
        for &(x, y) in rest {
            let (next, place) = match () {
                () if y == from_y => ('H', x.to_string()),
                () if x == from_x => ('V', y.to_string()),
                () => ('L', format!("{x} {y}")),
            };
            out.push(if next == 'L' && command == 'L' { ' ' } else { next });
            out += &place;
            (from_x, from_y, command) = (x, y, next);
        }
        // What is closed needs no line back to where it began.
        out + if self.closed { "z" } else { "" }
    }
}

impl Label {
    fn element(&self) -> String {
        let ((x, y), Self { class, down, anchor, turned, .. }) = (self.at, self);
        let mut more = String::new();
        if *anchor != "start" {
            more += &format!(" text-anchor=\"{anchor}\"");
        }
        if !class.is_empty() {
            more += &format!(" class=\"{class}\"");
        }
        if *turned != 0 {
            more += &format!(" transform=\"rotate({turned} {x} {y})\"");
        }
        let text = escape(&self.text);
        format!("<text x=\"{x}\" y=\"{}\"{more}>{text}</text>", y + down + BASE)
    }
}

/// Points of the sheet, less those that are within a unit of the line without them (Ramer 1972;
/// Douglas, Peucker 1973).
fn simplified(points: impl IntoIterator<Item = BackendCoord>) -> Vec<BackendCoord> {
    let mut whole: Vec<BackendCoord> = points.into_iter().map(on_sheet).collect();
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

/// Distance of a point from a piece of a line.
fn distance(point: BackendCoord, from: BackendCoord, to: BackendCoord) -> f64 {
    let vector = |a: BackendCoord, b: BackendCoord| (f64::from(b.0 - a.0), f64::from(b.1 - a.1));
    let ((along_x, along_y), (x, y)) = (vector(from, to), vector(from, point));
    let length = along_x * along_x + along_y * along_y;
    let share =
        if length > 0.0 { ((x * along_x + y * along_y) / length).clamp(0.0, 1.0) } else { 0.0 };
    (x - share * along_x).hypot(y - share * along_y)
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
#[path = "../../../../tests/unit/report/plot/backend.rs"]
mod tests;
