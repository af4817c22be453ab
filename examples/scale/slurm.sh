#!/usr/bin/env bash
# One shard of an audit for each task of an array job. See README.md beside this file.
#
#     sbatch examples/scale/slurm.sh SPECS… [ARGUMENTS of plaudit audit]
#
# Change these to what your cluster has:
#SBATCH --job-name=plaudit
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --mem=1G
#SBATCH --time=01:00:00
#SBATCH --output=plaudit-%A-%a.log
#
# The size of the array is the number of shards. It may begin at 0 or at 1, and must have no gaps; `%` is fine (--array=1-16%4).
# To play some shards again, say how many there are in all, and name them from 1:
#
#     SHARDS=16 sbatch --array=3,7 examples/scale/slurm.sh SPECS… [ARGUMENTS]
set -euo pipefail

# Change this if plaudit is not on the PATH of the nodes, or needs a module:
# module load plaudit

if [ -n "${SHARDS:-}" ]; then
  shard=$SLURM_ARRAY_TASK_ID
else
  SHARDS=$SLURM_ARRAY_TASK_COUNT
  shard=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1))
  if [ $((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1)) -ne "$SHARDS" ]; then
    echo "the array has gaps: give --array=1-N, or SHARDS=N to play some of N shards" >&2
    exit 2
  fi
fi
exec plaudit audit "$@" --shard "$shard/$SHARDS" --out shards --jobs "${SLURM_CPUS_PER_TASK:-1}"
