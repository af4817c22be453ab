mod command;
mod planned;
mod reconstruct;
mod size;
