//! Learning: audits of a training from what it was fed and what came out. Pure functions; nothing here trains a model.

pub mod canaries;
