mod arithmetic;
mod audits;
mod catalog;
mod closed;
mod covers;
mod extreme;
mod laws;
mod post;
