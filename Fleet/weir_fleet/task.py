"""The work of one Spark task: captures, one after the other, and the Parquet files of their rows."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as parquet

from weir_fleet import runner
from weir_fleet.inputs import Item
from weir_fleet.ledger import DataFile, Done
from weir_fleet.runner import Analysis, Weir
from weir_fleet.schema import Schema
from weir_fleet.storage import join, local_path, storage

# Rows of this many octets are written before the next capture is analyzed.
_MOST_ROWS = 256 << 20
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Plan:
    """What every task needs."""

    output: str
    run: str
    schema: str
    key: str
    weir: Weir
    storage: str
    # Names of the program and the profile where they were distributed with the job.
    program: str | None
    profile: str | None


@dataclass(frozen=True)
class Result:
    """What a task has written."""

    files: list[DataFile]
    done: list[Done]
    counters: dict[str, float]


@dataclass(frozen=True)
class Content:
    """A capture on local disk."""

    path: Path
    digest: str
    octets: int


def run(plan: Plan, number: int, items: list[Item], known: set[tuple[str, str]]) -> Result:
    """Analyzes captures. `known` has the sites and captures whose rows are in the tables already.

    May run twice at the same time, or be killed at any point: the files of each attempt have names of their own.
    """
    schema = Schema.parse(plan.schema)
    weir = replace(plan.weir, program=runner.program(plan.program), profile=_profile(plan))
    writer = Writer(plan, schema, f"{plan.run}-{number:05}-{uuid.uuid4().hex[:8]}")
    done: list[Done] = []
    counters: dict[str, float] = defaultdict(float)
    seen: set[tuple[str, str]] = set()
    for item in items:
        start = time.monotonic()
        try:
            with local(item, plan.storage) as content:
                fetched = time.monotonic()
                place = (item.site, content.digest)
                counters["bytes"] += content.octets
                if place in known or place in seen:
                    counters["duplicates"] += 1
                    done.append(_done(item, content.digest, plan.key, "duplicate", ""))
                    continue
                seen.add(place)
                analysis = runner.analyze(weir, schema, content.path, content.digest, item.uri)
        except OSError as error:
            fetched = time.monotonic()
            capture = f"file:{item.uri}"
            reason = (error.strerror or str(error)).strip()
            analysis = runner.failed(schema, capture, item.uri, "unavailable", reason)
            place = (item.site, capture)
        counters["fetchSeconds"] += fetched - start
        counters["analyzeSeconds"] += time.monotonic() - fetched
        counters["captures"] += 1
        counters[analysis.status] += 1
        writer.add(analysis, item.site)
        done.append(_done(item, place[1], plan.key, analysis.status, writer.unit))
    return Result(writer.finish(), done, dict(counters))


def _profile(plan: Plan) -> str | None:
    if plan.profile is None or Path(plan.profile).exists():
        return plan.profile
    from pyspark import SparkFiles

    distributed = Path(SparkFiles.get(Path(plan.profile).name))
    # Otherwise it is the name of a built-in profile.
    return str(distributed) if distributed.exists() else plan.profile


def _done(item: Item, capture: str, key: str, status: str, unit: str) -> Done:
    return Done(item.uri, item.size, item.modified, item.site, capture, key, status, unit)


@contextlib.contextmanager
def local(item: Item, kind: str) -> Iterator[Content]:
    """The capture on local disk: where it is, or a copy that is streamed there; hashed on the way."""
    digest = hashlib.sha256()
    octets = 0
    path = local_path(item.uri) if kind != "hadoop" else None
    with contextlib.ExitStack() as stack:
        source = stack.enter_context(path.open("rb") if path else storage(item.uri, kind).read(item.uri))
        copy = None if path else stack.enter_context(tempfile.NamedTemporaryFile(prefix="weir-fleet-"))
        while block := source.read(_BLOCK):
            digest.update(block)
            octets += len(block)
            if copy:
                copy.write(block)
        if copy:
            copy.flush()
        yield Content(path or Path(copy.name if copy else ""), digest.hexdigest(), octets)


class Writer:
    """Collects rows, and writes them to a file for each table, site and day."""

    def __init__(self, plan: Plan, schema: Schema, unit: str) -> None:
        self.plan = plan
        self.schema = schema
        self.unit = unit
        self.files: list[DataFile] = []
        self.octets = 0
        self.rows: dict[tuple[str, str, datetime.date | None], list[pa.Table]] = defaultdict(list)

    def add(self, analysis: Analysis, site: str) -> None:
        """Adds the rows of a capture."""
        start = analysis.tables["captures"].column("startTime")[0].as_py()
        day = start.date() if start else None
        for table in self.schema.tables:
            rows = analysis.tables[table.name]
            if rows.num_rows == 0:
                continue
            count = rows.num_rows
            rows = rows.append_column("site", pa.array([site] * count, pa.string()))
            rows = rows.append_column("date", pa.array([day] * count, pa.date32()))
            rows = rows.cast(table.arrow())
            self.rows[table.name, site, day].append(rows)
            self.octets += rows.nbytes
        if self.octets > _MOST_ROWS:
            self.finish()

    def finish(self) -> list[DataFile]:
        """Writes the collected rows; all files so far."""
        for (table, site, day), parts in self.rows.items():
            name = f"{self.unit}-{len(self.files):03}.parquet"
            # The names that Hive's partitioning gives them, which other engines read as columns.
            place = f"data/{table}/site={quote(site, safe='')}/date={day or '__HIVE_DEFAULT_PARTITION__'}/{name}"
            rows = pa.concat_tables(parts)
            write(self.plan, rows, place)
            self.files.append(DataFile(table, place, rows.num_rows, site, self.unit))
        self.rows.clear()
        self.octets = 0
        return self.files


def write(plan: Plan, rows: pa.Table, place: str) -> None:
    """Writes a Parquet file below the output."""
    with tempfile.TemporaryDirectory(prefix="weir-fleet-") as folder:
        file = Path(folder) / "rows.parquet"
        parquet.write_table(rows, file, compression="zstd")
        uri = join(plan.output, place)
        storage(uri, plan.storage).put(file, uri)
