"""Start a Dask cluster on Slurm, and run a batch on it; needs dask-jobqueue and f2csp[cluster] on all nodes.

python slurm.py solve puzzles.sdm -o solved.jsonl --shared-files
"""

import subprocess
import sys

from dask_jobqueue import SLURMCluster

with SLURMCluster(
    queue="normal",  # your partition
    cores=16,  # of a job
    processes=16,  # a process for each core: a search uses one thread
    memory="32GB",
    walltime="08:00:00",
    worker_extra_args=["--lifetime", "470m", "--lifetime-stagger", "5m"],  # leave before Slurm ends the job
) as cluster:
    cluster.adapt(maximum_jobs=60)
    command = ["f2csp", "batch", *sys.argv[1:], "--cluster", cluster.scheduler_address, "--chunk", "1000", "--resume"]
    sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - your own words
