mod command;
mod link;
mod planned;
mod reconstruct;
mod size;
