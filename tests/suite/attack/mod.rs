mod command;
mod infer;
mod link;
mod null;
mod planned;
mod reconstruct;
mod single;
mod size;
