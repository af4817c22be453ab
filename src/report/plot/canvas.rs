//! What all plots share: the sheet, its colours, the legend above the data, a chart with two axes.

use super::axis::Axis;
use super::svg::{Kind, Plot};
use crate::report::words::columns;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Width of every plot, in the units of its view box.
pub(super) const WIDTH: u32 = 960;
/// Height of most plots.
pub(super) const HEIGHT: u32 = 620;
/// Width of the lines of a claim.
pub(super) const LINE: u32 = 3;
/// Size of text.
pub(super) const TEXT: i32 = 26;
/// The same as plotters takes it: its SVG divides sizes by 1.24, after rounding.
const PLOTTERS_TEXT: f64 = 32.0;

/// Paper.
pub(super) const PAPER: RGBColor = RGBColor(0xFF, 0xFF, 0xFF);
/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(0x33, 0x3D, 0x47);
/// Grid.
pub(super) const GRID: RGBColor = RGBColor(0xE3, 0xE7, 0xEB);
/// D (Okabe and Ito's blue: told from their vermilion by everybody).
pub(super) const D: RGBColor = RGBColor(0x00, 0x72, 0xB2);
/// D' (Okabe and Ito's vermilion).
pub(super) const D_PRIME: RGBColor = RGBColor(0xD5, 0x5E, 0x00);
/// What tells D from D' by chance only.
pub(super) const CHANCE: RGBColor = RGBColor(0xA3, 0xAD, 0xB7);
/// The claim; its lines are dashed.
pub(super) const CLAIM: RGBColor = RGBColor(0x5B, 0x67, 0x73);
/// What is certified (Okabe and Ito's bluish green).
pub(super) const CERTIFIED: RGBColor = RGBColor(0x00, 0x9E, 0x73);
/// What is estimated.
pub(super) const ESTIMATE: RGBColor = RGBColor(0x8A, 0x5A, 0xA8);
/// What is known exactly.
pub(super) const EXACT: RGBColor = RGBColor(0xB8, 0x86, 0x0B);
/// What breaks the claim.
pub(super) const BROKEN: RGBColor = RGBColor(0xC6, 0x28, 0x3A);

/// A part of the sheet.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A chart with two axes.
pub(super) type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;
/// What drawing gives.
pub(super) type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<std::io::Error>>;

/// A colour as it stands in the SVG.
pub(super) fn hex(color: &RGBColor) -> String {
    format!("#{:02X}{:02X}{:02X}", color.0, color.1, color.2)
}

/// A plot drawn on a white sheet.
pub(super) fn sheet(
    kind: Kind,
    audit: &str,
    height: u32,
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> Plot {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        root.fill(&PAPER)
            .and_then(|()| draw(&root))
            .and_then(|()| root.present())
            .expect("drawing into memory meets no disk, and no axis is empty");
    }
    Plot::new(kind, audit, height, &text)
}

/// A small sheet that says why there is nothing on it.
pub(super) fn blank(kind: Kind, audit: &str, why: &str) -> Plot {
    sheet(kind, audit, 160, |root| write(root, why, (24, 80), HPos::Left, CLAIM)).without_data()
}

/// An entry of the legend.
pub(super) struct Key {
    color: RGBAColor,
    line: bool,
    text: String,
}

impl Key {
    /// A line of this colour.
    pub fn line(color: RGBColor, text: impl Into<String>) -> Self {
        Self { color: color.to_rgba(), line: true, text: text.into() }
    }

    /// A filled area of this colour.
    pub fn fill(color: RGBColor, alpha: f64, text: impl Into<String>) -> Self {
        Self { color: color.mix(alpha), line: false, text: text.into() }
    }
}

/// Width of the sample of colour in a legend.
const SWATCH: i32 = 36;

/// Draws the legend at the top, in as many rows as it needs, and gives the rest of the area.
pub(super) fn legend<'a>(area: &Area<'a>, keys: &[Key]) -> Drawn<Area<'a>> {
    for (key, (x, y)) in keys.iter().zip(places(keys)) {
        if key.line {
            area.draw(&PathElement::new([(x, y), (x + SWATCH, y)], key.color.stroke_width(4)))?;
        } else {
            area.draw(&Rectangle::new([(x, y - 12), (x + SWATCH, y + 12)], key.color.filled()))?;
        }
        write(area, &key.text, (x + SWATCH + 12, y), HPos::Left, INK)?;
    }
    Ok(area.split_vertically(legend_height(keys)).1)
}

/// Height of a legend.
pub(super) fn legend_height(keys: &[Key]) -> i32 {
    places(keys).last().map_or(0, |(_, y)| y + 28)
}

/// Where the entries of a legend begin, each in the middle of its row.
fn places(keys: &[Key]) -> Vec<(i32, i32)> {
    let (mut x, mut y) = (24, 28);
    let place = |key: &Key| {
        let width = SWATCH + 12 + text_width(&key.text);
        if x > 24 && x + width > WIDTH as i32 - 16 {
            (x, y) = (24, y + 40);
        }
        let at = (x, y);
        x += width + 28;
        at
    };
    keys.iter().map(place).collect()
}

/// Writes a text, centred vertically on a point.
pub(super) fn write(
    area: &Area<'_>,
    text: &str,
    at: (i32, i32),
    anchor: HPos,
    color: RGBColor,
) -> Drawn {
    let style = font().color(&color).pos(Pos::new(anchor, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))
}

/// Width of a text, on the large side: without fonts nobody knows better.
pub(super) fn text_width(text: &str) -> i32 {
    columns(text) as i32 * TEXT * 55 / 100
}

fn font() -> TextStyle<'static> {
    ("sans-serif", PLOTTERS_TEXT).into_text_style(&(WIDTH, HEIGHT))
}

/// The size of text as plotters writes it.
pub(super) fn text_size() -> String {
    format!(" font-size=\"{}\"", PLOTTERS_TEXT / 1.24)
}

/// A chart over the whole area, with grid, ticks and titles drawn.
pub(super) fn chart<'a, 'b>(area: &'a Area<'b>, x: &Axis, y: &Axis) -> Drawn<Chart<'a, 'b>> {
    let widest = y.ticks.iter().map(|(_, label)| text_width(label)).max().unwrap_or(0);
    let mut chart = ChartBuilder::on(area)
        .margin_right(36)
        .margin_top(10)
        .margin_left(8)
        .margin_bottom(4)
        .x_label_area_size(86)
        .y_label_area_size(widest + 62)
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .bold_line_style(GRID.stroke_width(2))
        .light_line_style(TRANSPARENT)
        .axis_style(INK.stroke_width(2))
        .set_all_tick_mark_size(8)
        .label_style(font().color(&INK))
        .axis_desc_style(font().color(&INK))
        .x_desc(&x.title)
        .y_desc(&y.title)
        .draw()?;
    Ok(chart)
}

/// Draws a line of the given width through points.
pub(super) fn line(
    chart: &mut Chart<'_, '_>,
    points: impl IntoIterator<Item = (f64, f64)>,
    color: RGBColor,
    width: u32,
) -> Drawn {
    let points: Vec<_> = points.into_iter().collect();
    let path = Some(points).filter(|points| !points.is_empty());
    let path = path.map(|points| PathElement::new(points, color.stroke_width(width)));
    chart.draw_series(path).map(|_| ())
}

/// Fills the polygon through points.
pub(super) fn fill(
    chart: &mut Chart<'_, '_>,
    points: impl IntoIterator<Item = (f64, f64)>,
    color: RGBColor,
    alpha: f64,
) -> Drawn {
    let points: Vec<_> = points.into_iter().collect();
    chart.draw_series([Polygon::new(points, color.mix(alpha).filled())]).map(|_| ())
}
