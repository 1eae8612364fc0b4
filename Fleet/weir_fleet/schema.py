"""The schemas of Arrow and Spark, made of the document that `weir tables --schema json` prints."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

# The columns that the job adds to every table, which are also its partitions.
PARTITIONS = ("site", "date")


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    type: str
    required: bool
    description: str
    unit: str | None = None


@dataclass(frozen=True)
class Table:
    """A table as Weir describes it."""

    name: str
    description: str
    key: tuple[str, ...]
    optional: bool
    columns: tuple[Column, ...]

    def rows(self, unit: str = "us") -> pa.Schema:
        """The schema of Weir's rows, without partitions. Their texts have nanoseconds; Spark has microseconds."""
        return pa.schema([pa.field(column.name, _arrow(column.type, unit)) for column in self.columns])

    def arrow(self) -> pa.Schema:
        """The schema of the Parquet files."""
        fields = [pa.field(column.name, _arrow(column.type, "us"), not column.required) for column in self.columns]
        return pa.schema([*fields, pa.field("site", pa.string(), False), pa.field("date", pa.date32())])

    def spark(self) -> Any:
        """The schema as Spark's StructType."""
        from pyspark.sql import types

        kinds: dict[str, Any] = {
            "text": types.StringType(),
            "json": types.StringType(),
            "integer": types.LongType(),
            "number": types.DoubleType(),
            "flag": types.BooleanType(),
            "time": types.TimestampType(),
            "texts": types.ArrayType(types.StringType()),
            "integers": types.ArrayType(types.LongType()),
        }
        fields = [
            types.StructField(
                column.name,
                kinds[column.type],
                not column.required,
                {"comment": column.description, **({"unit": column.unit} if column.unit else {})},
            )
            for column in self.columns
        ]
        fields.append(types.StructField("site", types.StringType(), False, {"comment": "Where it was captured."}))
        fields.append(types.StructField("date", types.DateType(), True, {"comment": "The day of the first frame."}))
        return types.StructType(fields)


@dataclass(frozen=True)
class Schema:
    """All tables."""

    version: str
    weir: str
    tables: tuple[Table, ...]
    text: str

    @staticmethod
    def parse(text: str) -> Schema:
        """Reads the document."""
        document = json.loads(text)
        tables = tuple(
            Table(
                table["name"],
                table["description"],
                tuple(table["key"]),
                table["optional"],
                tuple(
                    Column(
                        column["name"], column["type"], column["required"], column["description"], column.get("unit")
                    )
                    for column in table["columns"]
                ),
            )
            for table in document["tables"]
        )
        return Schema(document["schemaVersion"], document["weirVersion"], tables, text)

    @staticmethod
    def of(weir: str) -> Schema:
        """Asks a program for its schema."""
        run = subprocess.run([weir, "tables", "--schema", "json"], check=True, capture_output=True, text=True)
        return Schema.parse(run.stdout)

    def __getitem__(self, name: str) -> Table:
        return next(table for table in self.tables if table.name == name)


def _arrow(kind: str, unit: str) -> pa.DataType:
    kinds: dict[str, pa.DataType] = {
        "text": pa.string(),
        "json": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "flag": pa.bool_(),
        "time": pa.timestamp(unit, "UTC"),
        "texts": pa.list_(pa.string()),
        "integers": pa.list_(pa.int64()),
    }
    return kinds[kind]
