"""An item of `bnpool reproduce` on a Ray cluster, a shard for each worker.

    pip install ray
    python contrib/ray_launch.py --workers 8 --cpus 4 --out /shared/graphs graphs --preset default
"""

import argparse
import os
import subprocess

import ray

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
parser.add_argument("--workers", type=int, default=2)
parser.add_argument("--cpus", type=int, default=1, help="of each worker")
parser.add_argument("--out", required=True, help="a directory that all machines see")
arguments, words = parser.parse_known_args()

command = [os.environ.get("BNPOOL", "bnpool"), "reproduce", *words]
out = os.path.abspath(arguments.out)
shards = [os.path.join(out, str(number + 1)) for number in range(arguments.workers)]


@ray.remote(num_cpus=arguments.cpus, max_retries=2)
def work(number):
    shard = ["--shard", f"{number + 1}/{arguments.workers}", "--out", shards[number]]
    threads = ["--threads", str(arguments.cpus)]
    subprocess.run([*command, *shard, *threads], check=True, stdout=subprocess.DEVNULL)


ray.init()
ray.get([work.remote(number) for number in range(arguments.workers)])
subprocess.run([*command, "--merge", *shards, "--out", os.path.join(out, "all")], check=True)
