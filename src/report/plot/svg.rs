//! A finished plot: small, titled, and fit for a page or a file of its own.

use super::canvas::{CLAIM, TEXT, WIDTH, hex, text_size};
use crate::report::words::visible;

/// Which plot it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Outcomes under D and under D'.
    Outcomes,
    /// Privacy-loss distribution.
    Loss,
    /// Privacy profile δ(ε).
    Profile,
    /// Trade-off curve.
    Tradeoff,
    /// Posterior against prior.
    Posterior,
}

impl Kind {
    /// The word in file names. No word has a hyphen, so that `<slug>-<word>` is never ambiguous.
    pub fn word(self) -> &'static str {
        match self {
            Self::Outcomes => "outcomes",
            Self::Loss => "loss",
            Self::Profile => "profile",
            Self::Tradeoff => "tradeoff",
            Self::Posterior => "posterior",
        }
    }

    /// What the plot shows, as a heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Outcomes => "Outcomes under D and D′",
            Self::Loss => "Privacy-loss distribution",
            Self::Profile => "Privacy profile",
            Self::Tradeoff => "Trade-off curve",
            Self::Posterior => "What an attacker learns",
        }
    }
}

/// A plot: an `<svg>` element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// Which plot it is.
    pub kind: Kind,
    /// The element, without a namespace or a size of its own, to stand in an HTML page.
    pub svg: String,
    /// Whether there is anything on it; else it says why not.
    pub has_data: bool,
    height: u32,
}

impl Plot {
    /// Makes what plotters drew small (five plots an audit, eighty audits a page) and gives it a
    /// title for those who do not see it.
    pub(super) fn new(kind: Kind, audit: &str, height: u32, drawn: &str) -> Self {
        let body = drawn
            .split_once('>')
            .and_then(|(_, rest)| rest.rsplit_once("</svg>"))
            .map_or("", |(body, _)| body);
        let claim = format!("stroke=\"{}\"", hex(&CLAIM));
        // Attribute values and text are escaped: none of these patterns can occur in them.
        let body = body
            .replace(&claim, &format!("{claim} stroke-dasharray=\"12 8\""))
            .replace(" opacity=\"1\"", "")
            .replace(" stroke=\"none\"", "")
            .replace(" text-anchor=\"start\"", "")
            .replace(" font-family=\"sans-serif\"", "")
            .replace(&text_size(), "")
            .replace(" \"/>", "\"/>")
            .replace(">\n", ">")
            .replace("\n</text>", "</text>");
        let title = escape(&format!("{}: {}", kind.heading(), visible(audit)));
        let svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             font-size=\"{TEXT}\" font-family=\"system-ui, sans-serif\"><title>{title}</title>{body}</svg>"
        );
        Self { kind, svg, height, has_data: true }
    }

    /// The same, marked as one without data.
    pub(super) fn without_data(self) -> Self {
        Self { has_data: false, ..self }
    }

    /// The plot as a file of its own.
    pub fn standalone(&self) -> String {
        let size = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" ",
            WIDTH * 3 / 4,
            self.height * 3 / 4
        );
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n",
            self.svg.replacen("<svg ", &size, 1)
        )
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
