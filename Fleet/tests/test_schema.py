"""One definition makes all schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import CAPTURES

from weir_fleet.runner import Weir, _rows, analyze
from weir_fleet.schema import Schema
from weir_fleet.storage import ArrowStorage, HadoopStorage, join


def test_spark_and_arrow_have_the_same_columns(schema: Schema) -> None:
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType

    for table in schema.tables:
        made = table.spark()
        assert [field.name for field in made] == [column.name for column in table.columns] + ["site", "date"]
        translated = from_arrow_schema(table.arrow())
        assert [(field.name, field.dataType.typeName(), field.nullable) for field in translated] == [
            (field.name, field.dataType.typeName(), field.nullable) for field in made
        ]
        assert StructType.fromJson(json.loads(made.json())) == made
        assert set(table.key) <= {column.name for column in table.columns}


def test_the_document_of_a_run_is_the_schema(weir: str, schema: Schema, tmp_path: Path) -> None:
    import subprocess

    capture = str(CAPTURES / "rtsp/rtsp-udp.pcap")
    subprocess.run([weir, "tables", capture, "-o", str(tmp_path)], check=True)
    assert (tmp_path / "schema.json").read_text() == schema.text
    names = {file.stem for file in tmp_path.glob("*.ndjson")}
    assert names == {table.name for table in schema.tables}


def test_an_unknown_column_is_an_error(schema: Schema, tmp_path: Path) -> None:
    rows = tmp_path / "rules.ndjson"
    rows.write_text('{"capture":"a","rule":"R","pass":1,"fail":0,"inconclusive":0,"notApplicable":0}\n')
    assert _rows(schema["rules"], rows).num_rows == 1
    rows.write_text('{"capture":"a","rule":"R","surprise":1}\n')
    with pytest.raises(pa.ArrowInvalid):
        _rows(schema["rules"], rows)


def test_times_are_cut_to_microseconds(weir: str, schema: Schema, tmp_path: Path) -> None:
    rows = tmp_path / "series.ndjson"
    rows.write_text('{"capture":"a","stream":1,"index":0,"time":"2026-01-02T03:04:05.123456999Z"}\n')
    assert _rows(schema["series"], rows)["time"][0].as_py().isoformat() == "2026-01-02T03:04:05.123456+00:00"


def test_rows_longer_than_a_block(weir: str, schema: Schema, tmp_path: Path) -> None:
    rows = tmp_path / "sessions.ndjson"
    with rows.open("w") as file:
        for number in range(1, 40):
            row = {"capture": "a", "session": number, "details": "x" * 200_000}
            file.write(json.dumps(row) + "\n")
    assert _rows(schema["sessions"], rows).num_rows == 39


def test_the_name_is_that_of_the_source(weir: str, schema: Schema) -> None:
    capture = CAPTURES / "rtsp/rtsp-udp.pcap"
    analysis = analyze(Weir(weir), schema, capture, "abc", "s3a://bucket/a.pcap")
    assert analysis.tables["captures"]["file"].to_pylist() == ["s3a://bucket/a.pcap"]
    assert analysis.tables["streams"]["capture"].unique().to_pylist() == ["abc"]


@pytest.mark.parametrize("kind", ["arrow", "hadoop"])
def test_storage(kind: str, tmp_path: Path) -> None:
    files: Any = ArrowStorage() if kind == "arrow" else HadoopStorage()
    root = f"file://{tmp_path}/a b"
    if kind == "hadoop":
        root = f"file://{tmp_path}/ab"
    files.write(join(root, "one", "x.bin"), b"octets")
    (tmp_path / "local").write_bytes(b"more")
    files.put(tmp_path / "local", join(root, "y.bin"))
    entries = list(files.list(root))
    assert [(entry.uri.rsplit("/", 1)[1], entry.size) for entry in entries] == [("x.bin", 6), ("y.bin", 4)]
    assert all(abs(entry.modified - (tmp_path / "local").stat().st_mtime) < 90 for entry in entries)
    with files.read(join(root, "y.bin")) as stream:
        assert stream.read() == b"more"
    files.delete(join(root, "y.bin"))
    assert len(list(files.list(root))) == 1
    assert list(files.list(join(root, "nowhere"))) == []
    with pytest.raises(OSError), files.read(join(root, "y.bin")) as stream:
        stream.read()
