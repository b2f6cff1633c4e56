"""The pages of the experiments in ``samples/experiments``: the file of each, and on demand its table and its plot."""

import json
import re
import tomllib
from dataclasses import asdict
from pathlib import Path

from docs.program import ROOT

EXPERIMENTS = sorted((ROOT / "samples" / "experiments").glob("*.toml"))
_HEAD = re.compile(r'title = .*\ntext = """\n.*?^"""\n', re.MULTILINE | re.DOTALL)


def experiment_pages(runs: Path | None) -> dict[str, str]:
    """The pages of all experiments; with a folder in which runs are kept, also their tables and plots."""
    return {name: text for path in EXPERIMENTS for name, text in files_of(path, runs).items()}


def files_of(path: Path, runs: Path | None) -> dict[str, str]:
    """The page of an experiment; with a folder in which runs are kept, also its table, and its plot if it has one."""
    text = path.read_text(encoding="utf-8")
    content = tomllib.loads(text)
    plot = f"{path.stem}.svg" if "plot" in content else None
    command = f"f2csp compare --experiment samples/experiments/{path.name} --markdown"
    command += f" --plot {plot} > {path.stem}.md" if plot else f" > {path.stem}.md"
    page = f"# {content['title']}\n\n{content['text']}"
    files = {}
    if runs is not None:
        page, drawn = _results(path, plot, runs)
        files = {f"experiments/{plot}": drawn} if plot else {}
    page += f"\n## The file of the experiment\n\n```toml\n{_HEAD.sub('', text)}```\n\n"
    page += f"This makes a page with the table of its runs:\n\n```sh\n{command}\n```\n"
    return files | {f"experiments/{path.stem}.md": page}


def _results(path: Path, plot: str | None, folder: Path) -> tuple[str, str]:
    """A page with the table of an experiment, and its plot; raises ValueError if engines contradict each other."""
    from f2csp.experiments import Run, load_experiment, run
    from f2csp.experiments.plots import plotted
    from f2csp.experiments.runs import Journal
    from f2csp.experiments.table import contradictions, document

    experiment = load_experiment(str(path))
    kept = folder / f"{path.stem}-{experiment.digest[:12]}.jsonl"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with Journal(experiment.digest, str(folder), resumes=True) as journal:
            lines = [json.dumps(asdict(each)) + "\n" for each in run(experiment, journal)]
            kept.write_text("".join(lines), encoding="utf-8")
    runs = [Run(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]
    if wrong := contradictions(runs):
        raise ValueError(f"{path.name}: engines contradict each other on {wrong[0]}")
    return document(experiment, runs, plot), plotted(experiment, runs, "svg").decode() if plot else ""
