//! One request, as it is sent and for messages.

use super::settings::Format;

pub struct Request<'a> {
    pub id: u64,
    pub dataset: &'a str,
    /// The other dataset, and `true` for each run on the first, in this order.
    pub interleaved: Option<(&'a str, &'a [bool])>,
    pub runs: usize,
    pub seed: u64,
    /// Format of the answer.
    pub format: Format,
}

impl Request<'_> {
    /// The request as sent.
    pub fn line(&self) -> String {
        let Self { id, dataset, interleaved, runs, seed, format } = self;
        let format = format.word();
        let on = match interleaved {
            None => format!("\"dataset\": {dataset}"),
            Some((other, order)) => {
                let order: Vec<&str> =
                    order.iter().map(|on_first| if *on_first { "0" } else { "1" }).collect();
                format!("\"datasets\": [{dataset}, {other}], \"order\": [{}]", order.join(", "))
            }
        };
        format!(
            "{{\"plaudit\": 1, \"id\": {id}, \"runs\": {runs}, \"seed\": {seed}, \"format\": \
             \"{format}\", {on}}}\n"
        )
    }

    /// A request for something other than runs, as sent. A program that ignores `ask` takes it for a run.
    pub fn asking(&self, ask: &str) -> String {
        let Self { id, dataset, .. } = self;
        format!(
            "{{\"plaudit\": 1, \"id\": {id}, \"ask\": \"{ask}\", \"runs\": 1, \"seed\": 0, \
             \"format\": \"json\", \"dataset\": {dataset}}}\n"
        )
    }

    /// The request for messages, with its dataset cut short.
    pub fn words(&self) -> String {
        let mut dataset: String = self.dataset.chars().take(200).collect();
        if dataset.len() < self.dataset.len() {
            dataset.push('…');
        }
        let Self { id, runs, seed, .. } = self;
        format!("request {id} ({runs} runs, seed {seed}, dataset {dataset})")
    }
}
