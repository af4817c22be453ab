mod memory;
mod pairs;
mod programs;
mod regressions;
mod sensitivity;
mod shrink;
