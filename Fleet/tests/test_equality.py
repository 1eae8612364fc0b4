"""Tables of the job equal those of one machine, row by row, whatever happens to its tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conftest import CAPTURES, items, options, wrapper
from tables import committed, log, on_one_machine, statuses, without_partitions

from weir_fleet import job, task
from weir_fleet.schema import Schema


def test_all_captures_in_two_partitions(spark: Any, weir: str, schema: Schema, tmp_path: Path) -> None:
    found = items(CAPTURES)
    counters = job.run(spark, options(weir, schema, tmp_path / "out", partitions=2, events=True), found)
    alone = on_one_machine(weir, schema, [item.uri for item in found], tmp_path / "alone", "--events")
    assert counters["captures"] == len(found) > 100
    for table in schema.tables:
        rows = without_partitions(committed(tmp_path / "out", table)).sort_by(
            [(name, "ascending") for name in table.key]
        )
        assert alone[table.name].num_rows > 0, table.name
        assert rows.num_rows == alone[table.name].num_rows, table.name
        assert rows.cast(table.rows()).equals(alone[table.name]), table.name
    # Spark reads what Arrow has written.
    for table in schema.tables:
        files = [str(tmp_path / "out" / path) for path in _paths(tmp_path / "out", table.name)]
        assert spark.read.schema(table.spark()).parquet(*files).count() == alone[table.name].num_rows


def _paths(output: Path, table: str) -> list[str]:
    from weir_fleet.ledger import Ledger
    from weir_fleet.storage import storage

    return Ledger(storage(""), str(output)).state().paths(table)


def test_killed_attempts(spark: Any, weir: str, schema: Schema, sample: Path, tmp_path: Path) -> None:
    # The first process for this capture kills the worker that started it, as the system does when memory is short.
    script = f"if [[ $2 == *rtsp-udp* ]] && mkdir {tmp_path}/killed 2>/dev/null; then kill -9 $PPID; sleep 60; fi"
    program = wrapper(tmp_path, weir, script)
    job.run(spark, options(program, schema, tmp_path / "out", partitions=2), items(sample))
    assert (tmp_path / "killed").exists()
    job.run(spark, options(weir, schema, tmp_path / "calm", partitions=2), items(sample))
    for table in schema.tables:
        assert committed(tmp_path / "out", table).equals(committed(tmp_path / "calm", table)), table.name


def test_second_attempt_of_a_finished_task(spark: Any, weir: str, schema: Schema, sample: Path, tmp_path: Path) -> None:
    work = options(weir, schema, tmp_path / "out", partitions=1)
    # A speculative attempt that wrote all its files, and lost.
    plan = task.Plan(
        str(tmp_path / "out"), "lost", schema.text, job.key(schema, work.weir), work.weir, "auto", weir, None
    )
    lost = task.run(plan, 0, items(sample), set())
    assert lost.files
    job.run(spark, work, items(sample))
    captures = committed(tmp_path / "out", schema["captures"])
    assert captures.num_rows == len(items(sample))
    assert all((tmp_path / "out" / file.path).exists() for file in lost.files)
    # The next run deletes what nobody refers to, once no attempt can still be running.
    job.run(spark, options(weir, schema, tmp_path / "out", keep_seconds=-2), items(sample))
    assert not any((tmp_path / "out" / file.path).exists() for file in lost.files)
    assert committed(tmp_path / "out", schema["captures"]).equals(captures)


def test_rerun_does_nothing(spark: Any, weir: str, schema: Schema, sample: Path, tmp_path: Path) -> None:
    job.run(spark, options(weir, schema, tmp_path / "out"), items(sample))
    before = sorted((file, file.stat().st_mtime_ns) for file in (tmp_path / "out").rglob("*") if file.is_file())
    counters = job.run(spark, options(weir, schema, tmp_path / "out"), items(sample))
    after = sorted((file, file.stat().st_mtime_ns) for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert (counters["listed"], counters["new"]) == (5, 0)
    assert before == after
    assert len(log(tmp_path / "out")) == 1


def test_statuses(spark: Any, weir: str, schema: Schema, sample: Path, tmp_path: Path) -> None:
    job.run(spark, options(weir, schema, tmp_path / "out"), items(sample))
    status, error = statuses(tmp_path / "out", schema)["made-cut-short.pcap"]
    assert (status, error) == ("damaged", "the file is cut short in the middle of a packet: 14 of 54 octets")
