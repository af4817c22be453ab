mod bad;
mod good;
mod post;
mod programs;
mod written;
