mod files;
mod missing;
mod replay;
mod spelled;
