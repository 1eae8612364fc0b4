"""Reads tables in a form that can be compared."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from weir_fleet.ledger import Ledger
from weir_fleet.runner import _rows
from weir_fleet.schema import PARTITIONS, Schema, Table
from weir_fleet.storage import storage


def committed(output: Path, table: Table) -> pa.Table:
    """The rows of a table that commits name, ordered by key; the files must have the schema."""
    state = Ledger(storage(""), str(output)).state()
    parts = [parquet.read_table(output / path, partitioning=None) for path in state.paths(table.name)]
    for part in parts:
        assert part.schema.equals(table.arrow())
    rows = pa.concat_tables(parts) if parts else table.arrow().empty_table()
    return rows.sort_by([("site", "ascending"), *((name, "ascending") for name in table.key)])


def on_one_machine(
    weir: str, schema: Schema, captures: list[str], folder: Path, *arguments: str
) -> dict[str, pa.Table]:
    """The tables that Weir itself writes."""
    run = subprocess.run([weir, "tables", *captures, "--output", str(folder), "--quiet", *arguments], check=False)
    assert run.returncode in (0, 2)
    tables = {table.name: _rows(table, folder / f"{table.name}.ndjson") for table in schema.tables}
    return {name: rows.sort_by([(key, "ascending") for key in schema[name].key]) for name, rows in tables.items()}


def without_partitions(rows: pa.Table) -> pa.Table:
    """The columns that Weir writes."""
    return rows.drop_columns(list(PARTITIONS))


def statuses(output: Path, schema: Schema) -> dict[str, tuple[str, str]]:
    """The status and the error of each capture, by its file name."""
    rows = committed(output, schema["captures"]).to_pylist()
    return {Path(row["file"]).name: (row["status"], row["error"] or "") for row in rows}


def log(output: Path) -> list[dict[str, object]]:
    """The commits."""
    return [json.loads(file.read_text()) for file in sorted((output / "_weir/log").glob("*.json"))]
