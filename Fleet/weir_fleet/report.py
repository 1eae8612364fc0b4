"""Answers to the questions in SQL files, as Markdown, CSV and a page."""

from __future__ import annotations

import csv
import datetime
import io
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from weir_fleet.ledger import Ledger, State, absolute
from weir_fleet.page import page
from weir_fleet.schema import Schema, Table
from weir_fleet.storage import join, local_path, storage


@dataclass(frozen=True)
class Query:
    """A question: its SQL, and how to show the answer."""

    name: str
    title: str
    text: str
    sql: str
    # The columns of a bar chart: label and value.
    plot: tuple[str, str] | None = None


@dataclass(frozen=True)
class Answer:
    """The rows that a query returned."""

    query: Query
    columns: list[str]
    rows: list[list[Any]]


def queries(folder: Path | None) -> list[Query]:
    """The queries of a folder, in order of their names; by default those of the package."""
    if folder is not None:
        files = sorted(folder.glob("*.sql"))
        if not files:
            raise FileNotFoundError(f"{folder}: there are no SQL files")
        return [parse(file.stem, file.read_text()) for file in files]
    package = resources.files("weir_fleet") / "queries"
    names = sorted(file.name for file in package.iterdir() if file.name.endswith(".sql"))
    return [parse(name.removesuffix(".sql"), (package / name).read_text()) for name in names]


def copy_queries(folder: Path) -> int:
    """Copies the queries of the package to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for query in (resources.files("weir_fleet") / "queries").iterdir():
        if query.name.endswith(".sql"):
            (folder / query.name).write_text(query.read_text())
    return 0


def parse(name: str, text: str) -> Query:
    """Reads a file: comments `-- title:`, `-- text:`, `-- plot: bars label=… value=…`, and a statement."""
    found = dict(re.findall(r"^-- (title|text|plot): *(.+)$", text, re.MULTILINE))
    plot = re.fullmatch(r"bars label=(\w+) value=(\w+)", found["plot"].strip()) if "plot" in found else None
    if "plot" in found and not plot:
        raise ValueError(f"{name}.sql: a plot is 'bars label=COLUMN value=COLUMN', not '{found['plot']}'")
    sql = re.sub(r"^--.*\n", "", text, flags=re.MULTILINE).strip().rstrip(";")
    columns = (plot[1], plot[2]) if plot else None
    return Query(name, found.get("title", name), found.get("text", ""), sql, columns)


def with_spark(spark: Any, tables: str, kind: str, questions: Sequence[Query], since: str) -> list[Answer]:
    """Answers with Spark SQL."""
    output, state, schema = read(tables, kind)
    for table in schema.tables:
        paths = [_hadoop(join(output, path)) for path in state.paths(table.name)]
        # The files have all columns. Without a schema, Spark would read those of each file first.
        rows = spark.read.schema(table.spark()).parquet(*paths) if paths else spark.createDataFrame([], table.spark())
        rows.createOrReplaceTempView(table.name)
    answers = []
    for query in questions:
        arguments = {"since": since} if ":since" in query.sql else {}
        result = spark.sql(query.sql, args=arguments)
        answers.append(Answer(query, list(result.columns), [list(row) for row in result.collect()]))
    return answers


def _hadoop(uri: str) -> str:
    """The scheme that Hadoop has for an object store."""
    return re.sub(r"^s3:", "s3a:", uri)


def with_duckdb(tables: str, kind: str, questions: Sequence[Query], since: str) -> list[Answer]:
    """Answers with DuckDB."""
    import duckdb

    output, state, schema = read(tables, kind)
    with tempfile.TemporaryDirectory(prefix="weir-fleet-") as folder:
        place = output
        if local_path(output) is None:
            place = folder
            _fetch(output, kind, state, Path(folder))
        connection = duckdb.connect()
        connection.execute("SET TimeZone = 'UTC'")
        for statement in views(place, state, schema):
            connection.execute(statement)
        answers = []
        for query in questions:
            arguments = {"since": since} if ":since" in query.sql else {}
            result = connection.execute(re.sub(r":since\b", "$since", query.sql), arguments)
            columns = [column[0] for column in result.description]
            answers.append(Answer(query, columns, [list(row) for row in result.fetchall()]))
        return answers


def _fetch(output: str, kind: str, state: State, folder: Path) -> None:
    """Copies the data files, for an engine that only reads local ones."""
    for path in state.files:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with storage(output, kind).read(join(output, path)) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy)


def views(output: str, state: State, schema: Schema) -> list[str]:
    """The tables as views of DuckDB: exactly the committed files."""
    statements = []
    for table in sorted({file.table for file in state.files.values()}):
        files = ", ".join("'" + join(output, path).replace("'", "''") + "'" for path in state.paths(table))
        # The files contain the partition columns.
        source = f"read_parquet([{files}], hive_partitioning = false)"
        statements.append(f"CREATE OR REPLACE VIEW {table} AS SELECT * FROM {source};")
    empty = [table for table in schema.tables if not state.paths(table.name)]
    return statements + [_empty_view(table) for table in empty]


def _empty_view(table: Table) -> str:
    """A table without rows, with its columns."""
    kinds = {
        "text": "VARCHAR", "json": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "flag": "BOOLEAN",
        "time": "TIMESTAMPTZ", "texts": "VARCHAR[]", "integers": "BIGINT[]",
    }  # fmt: skip
    columns = [f"NULL::{kinds[column.type]} AS {column.name}" for column in table.columns]
    columns += ["NULL::VARCHAR AS site", "NULL::DATE AS date"]
    return f"CREATE OR REPLACE VIEW {table.name} AS SELECT {', '.join(columns)} WHERE false;"


def read(tables: str, kind: str) -> tuple[str, State, Schema]:
    """What the tables contain."""
    output = absolute(tables)
    state = Ledger(storage(output, kind), output).state()
    if state.version == 0:
        raise FileNotFoundError(f"{tables}: there are no tables; 'weir-fleet run --output {tables}' writes them")
    return output, state, Schema.parse(state.schema)


def write(folder: Path, tables: str, answers: Sequence[Answer]) -> None:
    """Writes the report."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text(markdown(tables, answers))
    (folder / "report.html").write_text(page(tables, answers))
    for answer in answers:
        (folder / f"{answer.query.name}.csv").write_text(_csv(answer))


def text(value: Any) -> str:
    """A value as the report shows it."""
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return str(value.isoformat(sep=" ", timespec="seconds"))
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)


def _csv(answer: Answer) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(answer.columns)
    # Spreadsheets take a text that starts like this for a formula, and texts come from captured traffic.
    writer.writerows(
        [
            ["'" + cell if re.match(r"[=@\t\r]|[+-](?![\d.])", cell) else cell for cell in map(text, row)]
            for row in answer.rows
        ]
    )
    return out.getvalue()


def markdown(tables: str, answers: Sequence[Answer]) -> str:
    """The report as Markdown."""
    parts = [f"# Fleet report\n\nTables: `{tables}`\n"]
    for answer in answers:
        parts.append(f"## {answer.query.title}\n\n{answer.query.text}\n")
        if not answer.rows:
            parts.append("No rows.\n")
            continue
        lines = ["| " + " | ".join(answer.columns) + " |", "|" + " --- |" * len(answer.columns)]
        lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in answer.rows]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _cell(value: Any) -> str:
    """Text from captured traffic is no markup."""
    escaped = text(value).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", " ")
    return re.sub(r"([\\`*_{}\[\]#|!])", r"\\\1", escaped)
