"""What is in the tables: a log of commits, each a file that is created at once.

A data file counts only if a commit names it. So a task that was killed, retried or run twice leaves files that nobody
reads, and a reader sees all tables before a commit or all of them after it.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from weir_fleet.storage import Storage, join, local_path

_LOG = "_weir/log"


@dataclass(frozen=True)
class DataFile:
    """A Parquet file of one table, below the output."""

    table: str
    path: str
    rows: int
    site: str
    # The unit of work that wrote it, which groups the captures of its rows.
    unit: str


@dataclass(frozen=True)
class Done:
    """A capture file whose rows are in the tables, or are those of another file with the same content."""

    uri: str
    size: int
    modified: int
    site: str
    capture: str
    # The version of Weir, of the tables, of the profile and the options.
    key: str
    status: str
    unit: str


@dataclass
class State:
    """The result of all commits."""

    version: int = 0
    # The tables' schema, as Weir printed it.
    schema: str = ""
    files: dict[str, DataFile] = field(default_factory=dict)
    # By URI.
    sources: dict[str, Done] = field(default_factory=dict)
    # By site and capture: the file whose rows are in the tables.
    captures: dict[tuple[str, str], Done] = field(default_factory=dict)

    def paths(self, table: str) -> list[str]:
        """The data files of a table."""
        return sorted(file.path for file in self.files.values() if file.table == table)


@dataclass
class Commit:
    """A change of the tables."""

    add: list[DataFile] = field(default_factory=list)
    remove: list[str] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)
    # Captures whose files have another content now: site and capture.
    forget: list[tuple[str, str]] = field(default_factory=list)
    counters: dict[str, float] = field(default_factory=dict)
    schema: str = ""


class ConflictError(Exception):
    """Another run has committed at the same time."""


class Ledger:
    """The log below an output."""

    def __init__(self, storage: Storage, output: str) -> None:
        self.storage = storage
        self.output = output

    def state(self) -> State:
        """Replays the log."""
        state = State()
        for entry in self.storage.list(join(self.output, _LOG)):
            if not entry.uri.endswith(".json"):
                continue
            with self.storage.read(entry.uri) as stream:
                self._apply(state, json.loads(stream.read()))
        return state

    @staticmethod
    def _apply(state: State, commit: dict[str, Any]) -> None:
        state.version = int(commit["version"])
        state.schema = commit["schema"]
        for path in _list(commit, "remove"):
            state.files.pop(path, None)
        for file in _list(commit, "add"):
            added = DataFile(**file)
            state.files[added.path] = added
        for site, capture in _list(commit, "forget"):
            state.captures.pop((site, capture), None)
        for one in _list(commit, "done"):
            done = Done(**one)
            state.sources[done.uri] = done
            if done.unit:
                state.captures[done.site, done.capture] = done

    def commit(self, state: State, commit: Commit) -> int:
        """Adds a commit after `state`, or raises ConflictError."""
        version = state.version + 1
        uri = join(self.output, _LOG, f"{version:08}.json")
        document = {"version": version, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **asdict(commit)}
        octets = (json.dumps(document, separators=(",", ":")) + "\n").encode()
        path = local_path(uri)
        if path is None:
            if any(True for _ in self.storage.list(uri)):
                raise ConflictError(f"{uri} exists: another run has committed")
            self.storage.write(uri, octets)
            with self.storage.read(uri) as stream:
                if stream.read() != octets:
                    raise ConflictError(f"{uri} was replaced: another run has committed")
            return version
        # A link is created at once, and never replaces a file.
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{os.getpid()}")
        partial.write_bytes(octets)
        try:
            os.link(partial, path)
        except FileExistsError as error:
            raise ConflictError(f"{uri} exists: another run has committed") from error
        finally:
            partial.unlink()
        return version

    def clean(self, state: State, keep_seconds: float) -> int:
        """Deletes data files that no commit names and that are old enough not to belong to a running job."""
        data = join(self.output, "data")
        limit = time.time() - keep_seconds
        deleted = 0
        for entry in self.storage.list(data):
            if entry.uri[len(self.output.rstrip("/")) + 1 :] not in state.files and entry.modified < limit:
                self.storage.delete(entry.uri)
                deleted += 1
        return deleted


def _list(commit: dict[str, Any], name: str) -> list[Any]:
    return list(commit.get(name, []))


def absolute(output: str) -> str:
    """An output as other programs and processes find it."""
    path = local_path(output)
    return str(Path(path).resolve()) if path is not None and "://" not in output else output
