mod build;
mod choices;
mod composition;
mod keys;
mod learning;
mod noise;
mod post;
mod queries;
