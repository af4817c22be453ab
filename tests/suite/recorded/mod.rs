mod files;
mod missing;
mod parquet;
mod replay;
mod spelled;
