mod bad;
mod good;
mod programs;
mod written;
