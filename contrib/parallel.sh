#!/bin/bash
# Shards of an item by GNU parallel, then the table:
#
#   contrib/parallel.sh 4 clustering --quick
#
# Over ssh, with a disk that all machines share, one line is enough for the runs:
#
#   seq 8 | parallel -j1 --sshlogin a,b,c,d bnpool reproduce graphs --shard {}/8 --out /shared/graphs/{}
set -euo pipefail

shards=${1:?how many shards?}
item=${2:?which item?}
shift 2
bnpool=${BNPOOL:-bnpool}
threads=$(($(nproc) / shards))
seq "$shards" | parallel --line-buffer --halt now,fail=1 -j "$shards" \
  "$bnpool" reproduce "$item" "$@" --shard "{}/$shards" --out "reproduce-shards/{}" \
  --threads "$((threads > 0 ? threads : 1))"
exec "$bnpool" reproduce "$item" "$@" --merge reproduce-shards/*
