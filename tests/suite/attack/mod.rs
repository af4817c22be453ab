mod command;
mod forms;
mod link;
mod planned;
mod reconstruct;
mod size;
