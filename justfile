# Recipes for `just` (https://just.systems). `just` lists them.

_default:
    @just --list

# Everything that must pass before a change is merged
check:
    .ci/run

# The quick tests, or those whose names contain FILTER
test FILTER="":
    cargo test --release {{ FILTER }}

# Formats, and applies what clippy can fix by itself
fix:
    cargo fmt --all
    cargo clippy --release --all-targets --fix --allow-dirty --allow-staged
    cargo fmt --all

# Renews snapshots, schema and golden results: review what changed
update:
    PLAUDIT_UPDATE=1 cargo test --release --test suite
    tests/reports.sh --update
    python3 python/reference.py

# Builds docs/ as a book with search, in target/book
book:
    .ci/book

# Runs a benchmark of benches/
bench NAME *ARGS:
    cargo bench --bench {{ NAME }} -- {{ ARGS }}
