//! Plots of a card, in the page or next to it, and their captions.

use super::super::plot::{self, Plot, PlotKind};
use super::super::words::{brief, capital, percent};
use super::outside::{TEXT, text};
use minijinja::{Value, context};
use plaudit_core::finding::{Finding, Loss};

/// Bytes of plots that a page of few audits holds itself, and one of many.
const MOST: usize = 240_000;
const MOST_OF_MANY: usize = 16_000;
/// Number of audits that are few.
const FEW: usize = 20;

/// Most points of a known tail in a caption; all are in the report's JSON.
const TAIL: usize = 2;

/// Bytes left for plots in the page; the first audits get them.
pub(super) struct PlotBudget(usize);

impl PlotBudget {
    pub(super) fn of(audits: usize) -> Self {
        Self(if audits <= FEW { MOST } else { MOST_OF_MANY })
    }
}

/// Plots of a finding, the deciding one first: all in the page, or all next to it.
pub(super) fn figures(finding: &Finding, slug: &str, budget: &mut PlotBudget) -> Vec<Value> {
    let mut plots: Vec<Plot> = plot::all(finding);
    let deciding = plot::deciding(finding);
    plots.sort_by_key(|plot| plot.kind != deciding);
    let size = plots.iter().map(|plot| plot.svg.len()).sum();
    let inside = budget.0.checked_sub(size);
    budget.0 = inside.unwrap_or(0);
    let figure = |plot: &Plot| {
        let caption = caption(finding, plot.kind);
        context! {
            heading => plot.kind.heading(),
            // Made by this program; what came from outside was escaped when it was drawn.
            svg => inside.is_some().then(|| Value::from_safe_string(plot.svg.clone())),
            file => format!("plots/{slug}-{}.svg", plot.kind.word()),
            // The caption is in words already.
            alt => match caption {
                Some(_) => plot.kind.heading().into(),
                None => text(plot.says.split(';').next().unwrap_or_default(), TEXT),
            },
            caption,
        }
    };
    plots.iter().map(figure).collect()
}

/// Decay of the loss of known laws.
fn known_tail(loss: &Loss) -> String {
    let Some(law) = &loss.law else { return String::new() };
    let known = loss.tail.iter().filter_map(|point| Some((point.epsilon, point.exact?)));
    let tail: Vec<String> = known
        .filter(|(_, p)| *p > 0.0)
        .take(TAIL)
        .map(|(epsilon, p)| format!("{} at ε = {}", percent(p), brief(epsilon)))
        .collect();
    match tail.is_empty() {
        true => format!(" The laws are known ({law})."),
        false => format!(
            " The laws are known ({law}): the loss exceeds ε with probability {}.",
            tail.join(", ")
        ),
    }
}

/// Caption of a plot for this finding; the general explanation is once at the end of the page.
fn caption(finding: &Finding, kind: PlotKind) -> Option<String> {
    let loss = &finding.loss;
    let claimed = finding.claim.reference_epsilon;
    match kind {
        PlotKind::Loss => {
            let words = plot::beyond(loss, claimed);
            Some(format!("{}.{}", capital(&words), text(&known_tail(loss), TEXT)))
        }
        PlotKind::Posterior => {
            let (_, allowed) = plot::reach(claimed, 0.5);
            let (_, reached) = plot::reach(finding.epsilon_lower, 0.5);
            Some(format!(
                "From 50 % to {} by the claim’s ε, to at least {} by the certified one (δ left out).",
                percent(allowed),
                percent(reached)
            ))
        }
        PlotKind::Outcomes
        | PlotKind::Profile
        | PlotKind::Tradeoff
        | PlotKind::Overview
        | PlotKind::Attack => None,
    }
}
