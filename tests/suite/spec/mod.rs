mod bad;
mod good;
mod programs;
