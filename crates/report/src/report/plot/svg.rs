//! A finished plot: small, titled, and fit for a page or a file of its own.

use super::backend::{Svg, WIDTH, escape};
use crate::report::words::{cut, visible};

/// Style sheet of plots, for pages that show some: a class on each shape, a colour for light and one
/// for dark, and dashes, so that colour is never the only difference.
pub const STYLE: &str = include_str!("plot.css");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlotKind {
    /// Outcomes under D and under D'.
    Outcomes,
    Loss,
    Profile,
    Tradeoff,
    Posterior,
    /// All audits of a report at once.
    Overview,
    Attack,
}

impl PlotKind {
    /// The word in file names. No word has a hyphen, so that `<slug>-<word>` is never ambiguous.
    pub fn word(self) -> &'static str {
        match self {
            Self::Outcomes => "outcomes",
            Self::Loss => "loss",
            Self::Profile => "profile",
            Self::Tradeoff => "tradeoff",
            Self::Posterior => "posterior",
            Self::Overview => "overview",
            Self::Attack => "attack",
        }
    }

    pub fn heading(self) -> &'static str {
        match self {
            Self::Outcomes => "Outcomes under D and D′",
            Self::Loss => "Privacy-loss distribution",
            Self::Profile => "Privacy profile",
            Self::Tradeoff => "Trade-off curve",
            Self::Posterior => "What an attacker learns",
            Self::Overview => "All audits",
            Self::Attack => "What the attacker gets",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    pub kind: PlotKind,
    /// SVG element without a namespace, a size or a style sheet of its own, for an HTML page that has
    /// [`STYLE`].
    pub svg: String,
    /// Description in a sentence; the element's title, after the audit's name.
    pub says: String,
    pub(super) height: i32,
    pub(super) drawn: Svg,
}

impl Plot {
    /// Gives what was drawn its paper, and a title for those who do not see it.
    pub(super) fn new(kind: PlotKind, name: &str, says: String, height: i32, drawn: Svg) -> Self {
        let says = visible(&says);
        let title = escape(&format!("{}: {says}", cut(&visible(name), 100)));
        let svg = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\"><title>{title}</title>\
             <path class=\"paper\" d=\"M0 0H{WIDTH}V{height}H0z\"/>{}</svg>",
            drawn.elements()
        );
        Self { kind, svg, says, height, drawn }
    }

    /// The plot as a file of its own.
    pub fn standalone(&self) -> String {
        let (width, height) = (WIDTH * 3 / 4, self.height * 3 / 4);
        let opened = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" "
        );
        let styled = format!("</title><style>{STYLE}</style>");
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n",
            self.svg.replacen("<svg ", &opened, 1).replacen("</title>", &styled, 1)
        )
    }
}
