#!/usr/bin/env bash
# Builds a fuzz target, or all, runs it, and prints how many inputs it ran and what it found.
#
#   fuzz/run.sh TARGET|all [SECONDS]
#
# Needs a nightly toolchain, and nothing else. Inputs that were worth keeping stay in fuzz/corpus/TARGET, what was found in
# fuzz/artifacts/TARGET. The exit code is 1 if anything was found. An input may take TIMEOUT seconds (5): more is for
# machines that are busy otherwise.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

all=(certificate expression json npy shard spec table)
target=${1:?usage: fuzz/run.sh TARGET|all [SECONDS], of ${all[*]}}
seconds=${2:-600}
[ "$target" = all ] || all=("$target")

# What libFuzzer needs to see where an input leads (as cargo-fuzz has it, but without a sanitizer of memory: the crate has
# no unsafe code).
export RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Ccodegen-units=16"
host=$(rustc +nightly -vV | sed -n 's/^host: //p')
cargo +nightly build --locked --release --target "$host" "${all[@]/#/--bin=}"
folder=${CARGO_TARGET_DIR:-target}/$host/release
# Targets that read files write them first: to memory, if that can be.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm

found=0
for target in "${all[@]}"; do
  mkdir -p "corpus/$target" "artifacts/$target"
  dictionary=()
  [ ! -f "seeds/$target.dict" ] || dictionary=("-dict=seeds/$target.dict")
  log=artifacts/$target.log
  code=0
  "$folder/$target" "corpus/$target" "seeds/$target" "${dictionary[@]}" -max_total_time="$seconds" -timeout="${TIMEOUT:-5}" \
    -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 -artifact_prefix="artifacts/$target/" >"$log" 2>&1 || code=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  took=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log")
  printf '%-12s %9s runs in %s s: ' "$target" "${runs:-?}" "${took:-?}"
  if [ "$code" = 0 ]; then
    echo "nothing found"
  else
    found=1
    echo "FOUND (see fuzz/$log)"
    grep -m 3 -A 2 -E '^thread|^==[0-9]+== ?ERROR|^SUMMARY|Test unit written' "$log" || tail -n 5 "$log"
  fi
done
exit "$found"
