#!/usr/bin/env bash
# Explores once for all shards. Submit it before slurm.sh, from the same folder and with the same specs and arguments:
#
#     sbatch examples/scale/slurm-explore.sh SPECS… [ARGUMENTS of plaudit audit]
#
# Then add --frozen shards/frozen.json to the arguments of slurm.sh and slurm-merge.sh.
#
# Change these to what your cluster has:
#SBATCH --job-name=plaudit-explore
#SBATCH --cpus-per-task=4
#SBATCH --mem=1G
#SBATCH --time=01:00:00
#SBATCH --output=plaudit-explore-%j.log
set -euo pipefail

# As in slurm.sh:
# module load plaudit

exec plaudit audit "$@" --explore-only shards/frozen.json --jobs "${SLURM_CPUS_PER_TASK:-1}"
