mod examples;
mod spec;
mod verdicts;
