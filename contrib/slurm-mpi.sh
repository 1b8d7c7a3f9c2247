#!/usr/bin/env bash
# Training on four machines: sbatch contrib/slurm-mpi.sh --dataset dd
# The result is the same, byte by byte, as on one machine; `--resume` goes on with
# any number of tasks.
#SBATCH --job-name=bnpool
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --time=24:00:00
# Time to write a checkpoint before the end.
#SBATCH --signal=TERM@120
set -euo pipefail

# bnpool built on this cluster: cargo install --path crates/bnpool-cli --features mpi
# The data sets must be where all machines see them: BNPOOL_DATA, or --data-dir.
srun --mpi=pmix bnpool train --threads "$SLURM_CPUS_PER_TASK" "$@"
