mod determinism;
mod streams;
