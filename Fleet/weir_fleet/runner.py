"""One capture: `weir tables` in a process of its own, with limits of memory and time, and its rows."""

from __future__ import annotations

import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.json as arrow_json

from weir_fleet.schema import Schema, Table


@dataclass(frozen=True)
class Limits:
    """What the analysis of one capture may use."""

    seconds: int = 600
    memory: int = 2 << 30


@dataclass(frozen=True)
class Weir:
    """The program and its options."""

    program: str
    profile: str | None = None
    events: bool = False
    limits: Limits = Limits()


@dataclass(frozen=True)
class Analysis:
    """The rows of one capture."""

    tables: dict[str, pa.Table]
    status: str


# Rows longer than this are not expected of any capture.
_LONGEST_ROW = 256 << 20


def analyze(weir: Weir, schema: Schema, file: Path, capture: str, name: str) -> Analysis:
    """Analyzes a local file. Whatever happens to the process, the result has a row of the table captures."""
    with tempfile.TemporaryDirectory(prefix="weir-fleet-") as folder:
        command = [weir.program, "tables", str(file), "--output", folder, "--id", capture, "--jobs", "1", "--quiet"]
        command += ["--profile", weir.profile] if weir.profile else []
        command += ["--events"] if weir.events else []
        failure = _run(command, weir.limits)
        if failure is None:
            try:
                return _read(schema, Path(folder), name)
            except (OSError, pa.ArrowInvalid, KeyError) as error:
                failure = f"rows that do not fit the schema: {error}"
    return failed(schema, capture, name, "failed", failure)


def failed(schema: Schema, capture: str, name: str, status: str, reason: str) -> Analysis:
    """A row for a capture without an analysis."""
    captures = schema["captures"]
    row = {
        "capture": capture, "file": name, "status": status, "error": reason, "linkTypes": [], "limitsReached": [],
        "profile": "", "weirVersion": schema.weir, "schemaVersion": schema.version,
    }  # fmt: skip
    tables = {table.name: table.rows().empty_table() for table in schema.tables}
    tables["captures"] = pa.Table.from_pylist([row], schema=captures.rows())
    return Analysis(tables, status)


def _run(command: list[str], limits: Limits) -> str | None:
    """Runs the program; the reason if it did not end by itself."""
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                timeout=limits.seconds, preexec_fn=_limiting(limits.memory), check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"not finished after {limits.seconds} s"
        except OSError as error:
            # Without the program no capture can be analyzed: the job is misconfigured, and must fail.
            raise RuntimeError(f"{command[0]} cannot be started: {error.strerror}") from error
        # 2: the capture could not be read to its end, which its row says.
        if process.returncode in (0, 2):
            return None
        errors.seek(0)
        lines = errors.read().decode(errors="replace").strip().splitlines()
        said = f": {lines[-1]}" if lines else ""
        if process.returncode < 0:
            return f"ended by {signal.Signals(-process.returncode).name}{said}"
        return f"exit code {process.returncode}{said}"


def _limiting(memory: int) -> Callable[[], None]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return limit


def _read(schema: Schema, folder: Path, name: str) -> Analysis:
    tables = {table.name: _rows(table, folder / f"{table.name}.ndjson") for table in schema.tables}
    captures = tables["captures"]
    if captures.num_rows != 1:
        raise KeyError(f"{captures.num_rows} rows of captures")
    place = captures.schema.get_field_index("file")
    tables["captures"] = captures.set_column(place, captures.schema.field(place), pa.array([name]))
    return Analysis(tables, captures.column("status")[0].as_py())


def _rows(table: Table, file: Path) -> pa.Table:
    schema = table.rows("ns")
    if file.stat().st_size == 0:
        return table.rows().empty_table()
    read = arrow_json.read_json(
        file,
        # A block must contain the longest row.
        arrow_json.ReadOptions(use_threads=False, block_size=min(_LONGEST_ROW, max(1 << 20, file.stat().st_size))),
        arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    )
    # Nanoseconds are cut off.
    return read.cast(table.rows(), safe=False)


def program(name: str | None) -> str:
    """The path of weir: as given, as distributed with the job, or in PATH."""
    if name and "/" in name:
        return str(Path(name).resolve())
    found = shutil.which(name or "weir")
    if found:
        return found
    from pyspark import SparkFiles

    distributed = Path(SparkFiles.get(name or "weir"))
    if distributed.exists():
        distributed.chmod(0o755)
        return str(distributed)
    raise FileNotFoundError("weir is neither in PATH nor distributed with --files: use --weir")
