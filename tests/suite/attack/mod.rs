mod command;
mod forms;
mod link;
mod null;
mod planned;
mod reconstruct;
mod single;
mod size;
