//! Shared parts of all plots: the sheet, the legend and the notes above the data, a chart with two axes.

use super::axis::Axis;
use super::backend::{Style, Svg, TEXT, WIDTH, text_width};
use super::series::{LegendSample, Series};
use super::svg::{Plot, PlotKind};
use crate::report::words::{columns, visible};
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::{Shift, cartesian::Cartesian2d};
use plotters::drawing::DrawingArea;
use plotters::element::{Drawable, EmptyElement, PathElement, PointCollection, Polygon, Rectangle};
use plotters::series::{AreaSeries, LineSeries};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, TextStyle};
use std::cell::RefCell;
use std::rc::Rc;

/// Height of a chart with its axes.
const CHART: i32 = 420;
/// Height of a line of text.
const LINE: i32 = 30;
/// Left and right margin of the text above the data.
const SIDE: i32 = 12;
/// Width of the sample in a legend.
const SWATCH: i32 = 32;
/// A mark that is visible anywhere.
const DIAMOND: [Pixel; 4] = [(-10, 0), (0, -10), (10, 0), (0, 10)];
const KEPT: &str = "what is drawn is kept in memory";

pub(super) type Pixel = (i32, i32);
pub(super) type PlotPoint = (f64, f64);

/// A sheet that is filled from the top.
pub(super) struct PlotSheet {
    pub top: i32,
    svg: Rc<RefCell<Svg>>,
}

impl PlotSheet {
    pub fn new() -> Self {
        Self { top: 0, svg: Rc::default() }
    }

    fn area(&self) -> DrawingArea<Svg, Shift> {
        DrawingArea::from(&self.svg)
    }

    /// Draws something whose points are of the sheet.
    pub fn draw<E: Drawable<Svg>>(&self, element: &E)
    where
        for<'a> &'a E: PointCollection<'a, Pixel>,
    {
        self.area().draw(element).expect(KEPT);
    }

    pub fn rectangle(&self, style: Style, from: Pixel, to: Pixel) {
        self.draw(&Rectangle::new([from, to], style.filled()));
    }

    /// Writes a text, centred vertically on a place.
    pub fn text(&self, words: &str, at: Pixel, side: HPos) {
        self.write(Style::Text, words, at, side);
    }

    fn write(&self, style: Style, words: &str, at: Pixel, side: HPos) {
        let style = TextStyle::from(("", TEXT)).color(&style).pos(Pos::new(side, VPos::Center));
        self.area().draw_text(words, &style, at).expect(KEPT);
    }

    /// A sentence about what is, or is not, to be seen.
    pub fn note(&mut self, sentence: &str) {
        self.top += 8;
        for line in
            wrapped(&visible(sentence), (WIDTH - 2 * SIDE) as usize * 100 / 55 / TEXT as usize)
        {
            self.write(Style::Note, &line, (SIDE, self.top + LINE / 2), HPos::Left);
            self.top += LINE;
        }
    }

    /// Draws the legend, in as many rows as it needs.
    pub fn legend(&mut self, keys: &[LegendKey]) {
        let (mut x, mut y) = (SIDE, self.top + 24);
        for LegendKey { style, sample, text } in keys {
            let width = SWATCH + 10 + text_width(text);
            if x > SIDE && x + width > WIDTH - SIDE {
                (x, y) = (SIDE, y + 34);
            }
            match sample {
                LegendSample::Line => {
                    self.draw(&PathElement::new([(x, y), (x + SWATCH, y)], *style));
                }
                LegendSample::Fill => self.rectangle(*style, (x, y - 11), (x + SWATCH, y + 11)),
                LegendSample::Mark => self
                    .draw(&(EmptyElement::at((x + SWATCH / 2, y)) + Polygon::new(DIAMOND, *style))),
            }
            self.text(text, (x + SWATCH + 10, y), HPos::Left);
            x += width + 22;
        }
        self.top = y + 24;
    }

    /// A chart with grid, ticks and titles, over the whole width.
    pub fn chart(&mut self, x: Axis, y: Axis) -> Chart {
        let widest = y.ticks.iter().map(|(_, label)| text_width(label)).max().unwrap_or(0);
        let titles = (x.title.clone(), y.title.clone());
        let mut chart = ChartBuilder::on(&self.area().shrink((0, self.top), (WIDTH, CHART)))
            .margin_top(10)
            .margin_right(32)
            .margin_bottom(8)
            .margin_left(8)
            .x_label_area_size(74)
            .y_label_area_size(widest + 54)
            .build_cartesian_2d(x, y)
            .expect(KEPT);
        chart
            .configure_mesh()
            .bold_line_style(Style::Grid)
            .axis_style(Style::Axis)
            .label_style(("", TEXT))
            .set_all_tick_mark_size(8)
            .x_desc(titles.0)
            .y_desc(titles.1)
            .draw()
            .expect(KEPT);
        self.top += CHART;
        Chart(chart)
    }

    /// The plot, with what it shows of `name` in a sentence.
    pub fn done(self, kind: PlotKind, name: &str, says: String) -> Plot {
        Plot::new(kind, name, says, self.top, self.svg.take())
    }
}

pub(super) struct LegendKey {
    style: Style,
    sample: LegendSample,
    text: String,
}

impl LegendKey {
    pub fn of(series: Series) -> Self {
        Self::with(series, "")
    }

    /// A series with a number or the like after its words.
    pub fn with(series: Series, more: &str) -> Self {
        let text = series.words().to_owned() + more;
        Self { style: series.style(), sample: series.sample(), text }
    }

    /// A line with words of its own.
    pub fn line(style: Style, text: impl Into<String>) -> Self {
        Self { style, sample: LegendSample::Line, text: text.into() }
    }
}

/// A chart on a sheet, to draw on in the values of its axes. What is off an axis is drawn at its end.
pub(super) struct Chart(ChartContext<'static, Svg, Cartesian2d<Axis, Axis>>);

impl Chart {
    /// Draws something whose points are values.
    pub fn draw<E: Drawable<Svg>>(&self, element: &E)
    where
        for<'a> &'a E: PointCollection<'a, PlotPoint>,
    {
        self.0.plotting_area().draw(element).expect(KEPT);
    }

    pub fn line(&mut self, style: Style, points: impl IntoIterator<Item = PlotPoint>) {
        self.0.draw_series(LineSeries::new(points, style)).expect(KEPT);
    }

    /// The area between a line and 0.
    pub fn under(&mut self, style: Style, points: impl IntoIterator<Item = PlotPoint>) {
        self.0.draw_series(AreaSeries::new(points, 0.0, style)).expect(KEPT);
    }

    pub fn area(&self, style: Style, points: impl IntoIterator<Item = PlotPoint>) {
        self.draw(&Polygon::new(points.into_iter().collect::<Vec<_>>(), style));
    }

    pub fn bar(&self, style: Style, from: PlotPoint, to: PlotPoint) {
        self.draw(&Rectangle::new([from, to], style.filled()));
    }

    /// A rectangle in units of the sheet, cut at the ends of the axes.
    pub fn rectangle(&self, style: Style, from: Pixel, to: Pixel) {
        let area = self.0.plotting_area().use_screen_coord();
        area.draw(&Rectangle::new([from, to], style.filled())).expect(KEPT);
    }

    pub fn diamond(&self, style: Style, point: PlotPoint) {
        self.draw(&(EmptyElement::at(point) + Polygon::new(DIAMOND, style)));
    }

    /// Place of a pair of values on the sheet.
    pub fn place(&self, point: PlotPoint) -> Pixel {
        self.0.plotting_area().map_coordinate(&point)
    }
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
