//! Progress bars, on standard error, for people only.

use super::output;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// A bar for the running audit, and one for the whole run.
pub(super) struct Progress {
    bars: MultiProgress,
    audit: ProgressBar,
    total: ProgressBar,
}

impl Progress {
    /// Bars for a run of so many trials; hidden unless `wanted` and standard error is a terminal.
    pub fn new(wanted: bool, trials: u64) -> Self {
        let hidden = !wanted || !std::io::stderr().is_terminal();
        let target =
            if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bars = MultiProgress::with_draw_target(target);
        let bar = |length| {
            let style = "{msg:24!} {wide_bar} {human_pos} of {human_len} trials {eta:>4}";
            // The template above is one that indicatif knows; else its own default will do.
            let style = ProgressStyle::with_template(style)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            bars.add(ProgressBar::new(length).with_style(style))
        };
        let (audit, total) = (bar(0), bar(trials));
        total.set_message("all");
        Self { bars, audit, total }
    }

    /// The next audit starts.
    pub fn start(&self, name: &str, trials: u64) {
        self.audit.reset();
        self.audit.set_length(trials);
        self.audit.set_message(name.to_owned());
    }

    /// Says something on standard error, above the bars.
    pub fn note(&self, words: &str) {
        self.bars.suspend(|| output::note(words));
    }

    /// So many trials more are done.
    pub fn advance(&self, trials: u64) {
        self.audit.inc(trials);
        self.total.inc(trials);
    }
}

impl Drop for Progress {
    /// Leaves the terminal as it was.
    fn drop(&mut self) {
        self.audit.finish_and_clear();
        self.total.finish_and_clear();
    }
}
