mod command;
mod size;
