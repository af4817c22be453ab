//! Series of plots: each with the same words and the same look in all plots.

use super::backend::Style;

pub(super) enum LegendSample {
    Line,
    Fill,
    Mark,
}

/// Meaning of a line, a bar, an area or a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Series {
    /// Outcomes under D and under D', as bars or as lines.
    BarsD,
    BarsDPrime,
    LineD,
    LineDPrime,
    /// Where the witness names D, and where D'.
    SaysD,
    SaysDPrime,
    Witness,
    Estimated,
    CertifiedLower,
    CertifiedUpper,
    Proved,
    /// By laws of the outcomes that are known.
    Exact,
    Claim,
    Forbidden,
    NoLeak,
    Violation,
    /// Bounds of violated claims among those of all audits: of claims under review, and of planted mistakes.
    OverClaim,
    Planted,
}

impl Series {
    pub fn words(self) -> &'static str {
        self.look().2
    }

    pub fn style(self) -> Style {
        self.look().0
    }

    pub fn sample(self) -> LegendSample {
        self.look().1
    }

    /// Style of the area that it spans.
    pub fn band(self) -> Style {
        match self {
            Self::Estimated => Style::EstimatedBand,
            Self::CertifiedLower | Self::CertifiedUpper | Self::Proved => Style::CertifiedBand,
            Self::Violation | Self::OverClaim => Style::ViolationBand,
            Self::Planted => Style::PlantedBand,
            _ => self.style(),
        }
    }

    fn look(self) -> (Style, LegendSample, &'static str) {
        use LegendSample::{Fill, Line, Mark};
        match self {
            Self::BarsD => (Style::BarD, Fill, "under D"),
            Self::BarsDPrime => (Style::BarDPrime, Fill, "under D′"),
            Self::LineD => (Style::LineD, Line, "under D"),
            Self::LineDPrime => (Style::LineDPrime, Line, "under D′"),
            Self::SaysD => (Style::RegionD, Fill, "witness says D"),
            Self::SaysDPrime => (Style::RegionDPrime, Fill, "witness says D′"),
            Self::Witness => (Style::Event, Mark, "witness"),
            Self::Estimated => (Style::Estimated, Line, "estimated"),
            Self::CertifiedLower => (Style::Certified, Line, "certified lower"),
            Self::CertifiedUpper => (Style::CertifiedUpper, Line, "certified upper"),
            Self::Proved => (Style::Proved, Line, "proved"),
            Self::Exact => (Style::Exact, Line, "law known"),
            Self::Claim => (Style::Claim, Line, "claim"),
            Self::Forbidden => (Style::Forbidden, Fill, "forbidden"),
            Self::NoLeak => (Style::Chance, Line, "no leak"),
            Self::Violation => (Style::Mark, Mark, "violation"),
            Self::OverClaim => (Style::Violation, Line, "violation"),
            Self::Planted => (Style::Planted, Line, "planted mistake"),
        }
    }
}
