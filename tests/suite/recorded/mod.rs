mod files;
mod parquet;
mod replay;
