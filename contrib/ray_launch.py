"""An item of `bnpool reproduce` on a Ray cluster. The workers share a directory.

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
command += ["--out", os.path.abspath(arguments.out)]


@ray.remote(num_cpus=arguments.cpus, max_retries=2)
def work(number):
    # Whoever claims a run makes it; who finds none left waits for the others.
    subprocess.run([*command, "--threads", str(arguments.cpus)], check=True, stdout=subprocess.DEVNULL)
    return number


ray.init()
ray.get([work.remote(number) for number in range(arguments.workers)])
subprocess.run([*command, "--tables"], check=True)
