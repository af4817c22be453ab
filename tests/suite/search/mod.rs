mod memory;
mod pairs;
mod people;
mod programs;
mod regressions;
mod sensitivity;
mod shrink;
