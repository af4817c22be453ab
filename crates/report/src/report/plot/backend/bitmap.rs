//! A plot as a PNG file, for papers: what was drawn, drawn again on plotters' own bitmap, in the colours that
//! `plot.css` has for light and with a font of its own.

use super::super::svg::{Plot, STYLE};
use super::{Label, Outline, TEXT, WIDTH};
use plotters::backend::BitMapBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, FontTransform, RGBAColor, ShapeStyle, TextStyle, register_font};
use plotters_backend::{BackendCoord, DrawingBackend};
use std::collections::BTreeMap;
use std::iter;
use std::sync::Once;

/// Pixels of a unit of the sheet: 1 280 in a row are four inches of 300 each, and a bit.
const SCALE: i32 = 2;
/// Pixels in a row and in a column whose mean is one pixel, so that edges are smooth.
const FINER: i32 = 2;
/// Family name of the font.
const FONT: &str = "DejaVu Sans";
const KEPT: &str = "a bitmap is kept in memory, and its font is part of the program";

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Look {
    pub stroke: Option<(u8, u8, u8)>,
    pub width: i32,
    /// Lengths along a line that are drawn and left out, in turn.
    pub dashes: Vec<f64>,
    pub fill: Option<(u8, u8, u8)>,
    pub opacity: f64,
}

/// Looks of `plot.css` by class, without those for dark; that of text has the empty class.
pub(super) fn looks() -> BTreeMap<&'static str, Look> {
    let light = STYLE.split("@media").next().unwrap_or_default();
    let mut all: BTreeMap<&'static str, Look> = BTreeMap::new();
    for (selectors, rules) in light.split('}').filter_map(|rule| rule.split_once('{')) {
        for selector in selectors.split(',') {
            let class = match selector.split_whitespace().last() {
                Some("text") => "",
                Some(last) => last.trim_start_matches('.'),
                None => continue,
            };
            let plain = Look { width: 4, opacity: 1.0, ..Look::default() };
            let look = all.entry(class).or_insert(plain);
            for (name, value) in rules.split(';').filter_map(|rule| rule.split_once(':')) {
                let value = value.trim();
                match name.trim() {
                    "stroke" => look.stroke = color(value),
                    "fill" => look.fill = color(value),
                    "stroke-width" => look.width = value.parse().unwrap_or(look.width),
                    "fill-opacity" => look.opacity = value.parse().unwrap_or(look.opacity),
                    "stroke-dasharray" => {
                        look.dashes = value.split(' ').filter_map(|it| it.parse().ok()).collect();
                    }
                    _ => {}
                }
            }
        }
    }
    all
}

/// `#rrggbb`.
fn color(of: &str) -> Option<(u8, u8, u8)> {
    let part = |at: usize| u8::from_str_radix(of.get(at..at + 2)?, 16).ok();
    Some((part(1)?, part(3)?, part(5)?))
}

impl Plot {
    /// The plot as a PNG file.
    pub fn png(&self) -> Vec<u8> {
        static FONTS: Once = Once::new();
        FONTS.call_once(|| {
            // It can only be no font, and it is one.
            let _ = register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
        });
        let [wide, high] = [WIDTH, self.height].map(|units| (units * SCALE * FINER).unsigned_abs());
        let mut fine = vec![255; 3 * wide as usize * high as usize];
        let looks = looks();
        let mut sheet = BitMapBackend::with_buffer(&mut fine, (wide, high));
        for shape in &self.drawn.shapes {
            draw(&mut sheet, shape, &looks[shape.class]);
        }
        for text in &self.drawn.texts {
            write(&mut sheet, text, &looks[""]);
        }
        drop(sheet);
        encoded(&smooth(&fine, wide as usize), (wide, high))
    }
}

fn on_bitmap((x, y): BackendCoord) -> BackendCoord {
    (x * SCALE * FINER, y * SCALE * FINER)
}

fn draw(sheet: &mut BitMapBackend<'_>, shape: &Outline, look: &Look) {
    let mut points: Vec<BackendCoord> = shape.points.iter().copied().map(on_bitmap).collect();
    if let Some((r, g, b)) = look.fill {
        let style = ShapeStyle::from(RGBAColor(r, g, b, look.opacity)).filled();
        sheet.fill_polygon(points.iter().copied(), &style).expect(KEPT);
    }
    if let Some((r, g, b)) = look.stroke {
        let width = (look.width * SCALE * FINER).unsigned_abs();
        let style = ShapeStyle::from(RGBAColor(r, g, b, 1.0)).stroke_width(width);
        if shape.closed {
            points.extend(points.first().copied());
        }
        for piece in dashed(&points, &look.dashes) {
            sheet.draw_path(piece, &style).expect(KEPT);
        }
    }
}

/// The pieces of a line that are drawn.
fn dashed(points: &[BackendCoord], dashes: &[f64]) -> Vec<Vec<BackendCoord>> {
    if dashes.is_empty() {
        return vec![points.to_vec()];
    }
    let lengths = dashes.iter().map(|units| units * f64::from(SCALE * FINER)).cycle();
    let mut turns = lengths.zip(iter::successors(Some(true), |drawn| Some(!drawn)));
    let Some((mut left, mut drawn)) = turns.next() else { return Vec::new() };
    let mut pieces = vec![points[..1].to_vec()];
    for ends in points.windows(2) {
        let [from, to] = [ends[0], ends[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut along = 0.0;
        while length - along > left {
            along += left;
            let share = along / length;
            let at = |from: f64, to: f64| (from + share * (to - from)).round() as i32;
            let place = (at(from.0, to.0), at(from.1, to.1));
            if drawn && let Some(piece) = pieces.last_mut() {
                piece.push(place);
            }
            (left, drawn) = turns.next().unwrap_or((f64::INFINITY, true));
            if drawn {
                pieces.push(vec![place]);
            }
        }
        left -= length - along;
        if drawn && let Some(piece) = pieces.last_mut() {
            piece.push(ends[1]);
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

fn write(sheet: &mut BitMapBackend<'_>, text: &Label, look: &Look) {
    let (r, g, b) = look.fill.unwrap_or_default();
    let color = RGBAColor(r, g, b, 1.0);
    let side = match text.anchor {
        "start" => HPos::Left,
        "middle" => HPos::Center,
        _ => HPos::Right,
    };
    let middle = match text.down {
        down if down > 0 => VPos::Top,
        0 => VPos::Center,
        _ => VPos::Bottom,
    };
    let turned = match text.turned {
        90 => FontTransform::Rotate90,
        180 => FontTransform::Rotate180,
        -90 => FontTransform::Rotate270,
        _ => FontTransform::None,
    };
    let style = TextStyle::from((FONT, TEXT * SCALE * FINER))
        .color(&color)
        .transform(turned)
        .pos(Pos::new(side, middle));
    let (x, y) = text.at;
    // The page takes the middle of small letters for the middle, the bitmap that of large ones.
    let at = if text.turned == 0 { (x, y + TEXT / 12) } else { (x, y) };
    sheet.draw_text(&text.text, &style, on_bitmap(at)).expect(KEPT);
}

/// Mean of each square of `FINER` pixels a side, in rows of `wide`.
fn smooth(fine: &[u8], wide: usize) -> Vec<u8> {
    let finer = FINER.unsigned_abs() as usize;
    let mut smooth = Vec::with_capacity(fine.len() / (finer * finer));
    for rows in fine.chunks_exact(3 * wide * finer) {
        for x in (0..wide).step_by(finer) {
            for color in 0..3 {
                let square = (0..finer * finer).map(|at| {
                    let (row, column) = (at / finer, x + at % finer);
                    usize::from(rows[3 * (row * wide + column) + color])
                });
                smooth.push((square.sum::<usize>() / (finer * finer)) as u8);
            }
        }
    }
    smooth
}

fn encoded(pixels: &[u8], (wide, high): (u32, u32)) -> Vec<u8> {
    let mut file = Vec::new();
    let finer = FINER.unsigned_abs();
    let mut encoder = png::Encoder::new(&mut file, wide / finer, high / finer);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect(KEPT);
    writer.write_image_data(pixels).expect(KEPT);
    writer.finish().expect(KEPT);
    file
}

#[cfg(test)]
#[path = "../../../../tests/unit/report/plot/bitmap.rs"]
mod tests;
