mod build;
mod choices;
mod composition;
mod keys;
mod noise;
mod queries;
