mod examples;
mod house;
mod pages;
mod spec;
mod tables;
mod verdicts;
