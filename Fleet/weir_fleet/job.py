"""The job: lists captures, analyzes the new ones on Spark, and commits their rows."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as compute
import pyarrow.parquet as parquet

from weir_fleet import task
from weir_fleet.inputs import Item
from weir_fleet.ledger import Commit, DataFile, Done, Ledger, State, absolute
from weir_fleet.runner import Weir
from weir_fleet.schema import Schema
from weir_fleet.storage import join, storage
from weir_fleet.task import Plan

# A task has captures of about this size, so that a killed one loses little, and files of rows are not too small.
_TASK_OCTETS = 4 << 30
_TASKS_PER_CORE = 4
# What the start of a process costs, as octets of a capture.
_CAPTURE_OCTETS = 1 << 20


@dataclass(frozen=True)
class Job:
    """The options of a run."""

    output: str
    weir: Weir
    schema: Schema
    program: str | None
    storage: str = "auto"
    retry: bool = False
    partitions: int | None = None
    keep_seconds: float = 86_400
    say: Callable[[str], None] = print


def key(schema: Schema, weir: Weir) -> str:
    """Changes when the rows of a capture may: with Weir, the tables, the profile, the options."""
    name = weir.profile or ""
    # A built-in profile changes with Weir.
    profile = Path(name).read_bytes() if name and Path(name).exists() else name.encode()
    parts = [schema.weir, schema.text, hashlib.sha256(profile).hexdigest(), str(weir.events)]
    return f"{schema.weir}-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:16]}"


def new_items(state: State, items: Iterable[Item], current: str, retry: bool) -> list[Item]:
    """The captures that are not in the tables, or only by another version."""
    again = {"unavailable", "failed"} if retry else {"unavailable"}

    def is_new(item: Item) -> bool:
        known = state.sources.get(item.uri)
        return (
            known is None
            or (known.size, known.modified, known.site, known.key) != (item.size, item.modified, item.site, current)
            or known.status in again
        )

    return [item for item in items if is_new(item)]


def groups(items: list[Item], count: int) -> list[list[Item]]:
    """Distributes captures to tasks of similar size.

    Files of one site with the same size go to the same task, since only they can have the same content, which is
    analyzed once. A site is split only if it is larger than a task: each site of a task has files of rows of its own.
    """
    together: dict[tuple[str, int], list[Item]] = defaultdict(list)
    for item in items:
        together[item.site, item.size].append(item)
    # A capture costs something however small it is.
    cost = {place: sum(max(0, item.size) + _CAPTURE_OCTETS for item in some) for place, some in together.items()}
    share = max(1, -(-sum(cost.values()) // max(1, count)))
    parts: list[tuple[int, list[Item]]] = []
    site = None
    for place in sorted(together):
        if not parts or place[0] != site or parts[-1][0] + cost[place] > share:
            parts.append((0, []))
        site = place[0]
        parts[-1] = (parts[-1][0] + cost[place], parts[-1][1] + together[place])
    tasks: list[tuple[int, list[Item]]] = [(0, []) for _ in range(max(1, min(count, len(parts))))]
    for octets, part in sorted(parts, key=lambda part: -part[0]):
        least = min(range(len(tasks)), key=lambda index: tasks[index][0])
        tasks[least] = (tasks[least][0] + octets, tasks[least][1] + part)
    return [sorted(some, key=lambda item: item.uri) for _, some in tasks if some]


def run(spark: Any, job: Job, items: list[Item]) -> dict[str, float]:
    """Analyzes what is new and commits it; the counters of the run."""
    output = absolute(job.output)
    ledger = Ledger(storage(output, job.storage), output)
    state = ledger.state()
    current = key(job.schema, job.weir)
    todo = new_items(state, items, current, job.retry)
    counters: dict[str, float] = {"listed": len(items), "new": len(todo)}
    job.say(f"{len(items)} captures, {len(todo)} to analyze")
    if todo:
        context = spark.sparkContext
        size = sum(max(0, item.size) for item in todo)
        wanted = job.partitions or max(context.defaultParallelism * _TASKS_PER_CORE, -(-size // _TASK_OCTETS))
        tasks = groups(todo, wanted)
        run_id = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:6]}"
        plan = Plan(output, run_id, job.schema.text, current, job.weir, job.storage, job.program, job.weir.profile)
        known = {place for place, done in state.captures.items() if done.key == current and not _is_again(done, job)}
        results = _analyze(context, plan, tasks, known, job.say)
        commit = _commit(plan, state, results)
        commit.schema = job.schema.text
        for result in results:
            for name, value in result.counters.items():
                counters[name] = counters.get(name, 0) + value
        commit.counters = counters
        counters["version"] = ledger.commit(state, commit)
        state = ledger.state()
    counters["deleted"] = ledger.clean(state, job.keep_seconds)
    return counters


def _is_again(done: Done, job: Job) -> bool:
    return done.status == "unavailable" or (job.retry and done.status == "failed")


def _analyze(
    context: Any, plan: Plan, tasks: list[list[Item]], known: set[tuple[str, str]], say: Callable[[str], None]
) -> list[task.Result]:
    shared = context.broadcast((plan, known))
    context.setJobGroup(plan.run, "weir-fleet")

    def work(numbered: tuple[int, list[Item]]) -> task.Result:
        plan, known = shared.value
        return task.run(plan, numbered[0], numbered[1], known)

    work_items = context.parallelize(list(enumerate(tasks)), len(tasks))
    with _Progress(context, plan.run, len(tasks), say):
        # Spark returns the result of one attempt of each task, so that only its files are committed.
        return list(work_items.map(work).collect())


class _Progress:
    """Reports the finished tasks, every few seconds."""

    def __init__(self, context: Any, group: str, count: int, say: Callable[[str], None]) -> None:
        self.tracker = context.statusTracker()
        self.group, self.count, self.say = group, count, say
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()

    def _watch(self) -> None:
        last = -1
        while not self.ended.wait(2 if sys.stderr.isatty() else 15):
            stages = [
                self.tracker.getStageInfo(stage)
                for job in self.tracker.getJobIdsForGroup(self.group)
                for stage in getattr(self.tracker.getJobInfo(job), "stageIds", [])
            ]
            finished = sum(stage.numCompletedTasks for stage in stages if stage)
            failed = sum(stage.numFailedTasks for stage in stages if stage)
            if finished != last:
                last = finished
                self.say(f"{finished} of {self.count} tasks" + (f", {failed} attempts failed" if failed else ""))


def _commit(plan: Plan, state: State, results: list[task.Result]) -> Commit:
    """Adds the new rows, and removes those of the same captures by another version."""
    commit = Commit()
    for result in results:
        commit.add += result.files
        commit.done += result.done
    commit.forget = _replaced(state, commit.done)
    gone = {(done.site, done.capture) for done in commit.done if done.unit} | set(commit.forget)
    # By unit of work and site: the captures whose rows are removed.
    redone: dict[tuple[str, str], set[str]] = defaultdict(set)
    for site, capture in gone:
        old = state.captures.get((site, capture))
        if old:
            redone[old.unit, site].add(capture)
    for file in state.files.values():
        captures = redone.get((file.unit, file.site))
        if captures:
            commit.remove.append(file.path)
            rest = _without(plan, file, captures)
            if rest:
                commit.add.append(rest)
    return commit


def _replaced(state: State, changes: list[Done]) -> list[tuple[str, str]]:
    """The captures that no file has any more: the file was still being written, was replaced, or can be read now."""
    changed = {done.uri: done for done in changes}
    left = {(done.site, done.capture) for uri, done in state.sources.items() if uri not in changed}
    left |= {(done.site, done.capture) for done in changes}
    before = {(done.site, done.capture) for uri, done in state.sources.items() if uri in changed}
    return sorted(before - left)


def _without(plan: Plan, file: DataFile, captures: set[str]) -> DataFile | None:
    """A copy of a data file without the rows of some captures; None if no row is left."""
    uri = join(plan.output, file.path)
    with storage(uri, plan.storage).read(uri) as stream:
        rows = parquet.read_table(pa.BufferReader(stream.read()), partitioning=None)
    kept = rows.filter(compute.invert(compute.is_in(rows["capture"], pa.array(sorted(captures)))))
    if kept.num_rows == 0:
        return None
    place = f"{file.path.rsplit('/', 1)[0]}/{plan.run}-kept-{uuid.uuid4().hex[:8]}.parquet"
    task.write(plan, kept, place)
    return DataFile(file.table, place, kept.num_rows, file.site, file.unit)
