#!/usr/bin/env bash
# bnpool on four machines:
#   sbatch contrib/slurm-mpi.sh train --dataset dd
#   sbatch contrib/slurm-mpi.sh cluster huge.safetensors --memory 60GB
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
# The data must be where all machines see them: BNPOOL_DATA, --data-dir, or the path of
# the graph. A graph that no machine can hold must be a container:
#   bnpool data convert edges.csv huge.safetensors
srun --mpi=pmix bnpool "$@" --threads "$SLURM_CPUS_PER_TASK"
