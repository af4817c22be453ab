mod examples;
mod house;
mod spec;
mod verdicts;
