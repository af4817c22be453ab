mod command;
mod reconstruct;
mod size;
