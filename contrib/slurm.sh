#!/bin/bash
# A Slurm array that makes an item of `bnpool reproduce`, a shard for each task:
#
#   sbatch --array=1-8 contrib/slurm.sh graphs --preset default
#   bnpool reproduce graphs --preset default --merge reproduce-shards/*    # when all are done
#
# A task that was killed or ran out of time goes on where it was when it is submitted again.
#SBATCH --job-name=bnpool
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=12:00:00
#SBATCH --output=bnpool-%A-%a.log
set -euo pipefail

item=${1:?name an item, as in: sbatch --array=1-8 contrib/slurm.sh graphs}
shift
# Arrays may begin at any number; shards begin at 1.
shard=$((SLURM_ARRAY_TASK_ID - ${SLURM_ARRAY_TASK_MIN:-1} + 1))
exec "${BNPOOL:-bnpool}" reproduce "$item" "$@" \
  --shard "$shard/$SLURM_ARRAY_TASK_COUNT" \
  --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --out "reproduce-shards/$shard"
