#!/usr/bin/env bash
# One report of the shards that slurm.sh played. Submit it from the same folder, to start when all of them have ended well:
#
#     sbatch --dependency=afterok:JOB --kill-on-invalid-dep=yes examples/scale/slurm-merge.sh SHARDS [ARGUMENTS of plaudit merge]
#
# Change these to what your cluster has:
#SBATCH --job-name=plaudit-merge
#SBATCH --cpus-per-task=4
#SBATCH --mem=1G
#SBATCH --time=01:00:00
#SBATCH --output=plaudit-merge-%j.log
set -euo pipefail

# As in slurm.sh:
# module load plaudit

shards=${1:?give the number of shards, as in --array=1-16}
shift
exec plaudit merge "$@" shards/shard-*-of-"$shards".json --out reports
