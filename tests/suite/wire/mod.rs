mod json;
mod npy;
