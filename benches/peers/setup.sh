#!/bin/sh
# Makes the virtual environment of the peers: ./setup.sh [FOLDER], by default `venv`.
#
# On Linux the plain `torch` package brings CUDA libraries (5 GB). If your index has a CPU build, name it:
#   PEERS_TORCH="torch==2.15.0+cpu" ./setup.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-"$here/venv"}
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet "${PEERS_TORCH:-torch}"
"$folder/bin/pip" install --quiet numpy scipy scikit-learn leidenalg igraph psutil \
    aiohttp fsspec jinja2 networkx pyparsing requests tqdm xxhash
# Both would ask for torch_scatter, which has no wheel. BN-Pool needs one function of it: stand_in/ has that.
"$folder/bin/pip" install --quiet --no-deps torch-geometric torch-geometric-pool
PYTHONPATH="$here/stand_in" "$folder/bin/python" -c "
import torch, torch_geometric, tgp, leidenalg
from importlib.metadata import version
print('torch', torch.__version__, '· torch-geometric', torch_geometric.__version__,
      '· torch-geometric-pool', version('torch-geometric-pool'), '· leidenalg', version('leidenalg'))"
