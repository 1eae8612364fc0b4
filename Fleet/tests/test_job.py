"""Bad captures, new captures, new versions."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow.compute as compute
import pytest
from conftest import CAPTURES, items, options, wrapper
from tables import committed, log, statuses

from weir_fleet import job
from weir_fleet.inputs import Item, Sites, find
from weir_fleet.ledger import Commit, ConflictError, Ledger
from weir_fleet.runner import Limits
from weir_fleet.schema import Schema
from weir_fleet.storage import storage


def test_bad_captures_are_rows(spark: Any, weir: str, schema: Schema, sample: Path, tmp_path: Path) -> None:
    (sample / "site-0/text.pcap").write_text("no capture")
    (sample / "site-0/empty.pcap").write_bytes(b"")
    (sample / "site-0/slow.pcap").write_bytes(b"slow")
    (sample / "site-0/crash.pcap").write_bytes(b"crash")
    (sample / "site-0/large.pcap").write_bytes(b"large")
    script = """
case $2 in
  *slow.pcap) sleep 60 ;;
  *crash.pcap) kill -SEGV $$ ;;
  *large.pcap) exec python3 -c 'bytearray(4 << 30)' ;;
esac"""
    program = wrapper(tmp_path, weir, script)
    found = [*items(sample), Item(str(sample / "site-0/gone.pcap"), 10, 0, "site-0")]
    work = options(program, schema, tmp_path / "out", limits=Limits(seconds=3, memory=1 << 30))
    counters = job.run(spark, work, found)
    rows = statuses(tmp_path / "out", schema)
    assert len(rows) == len(found) == 11
    assert rows["text.pcap"][0] == "unreadable"
    assert rows["empty.pcap"] == ("unreadable", "the file is empty")
    assert rows["slow.pcap"] == ("failed", "not finished after 3 s")
    assert rows["crash.pcap"] == ("failed", "ended by SIGSEGV")
    assert rows["large.pcap"][0] == "failed" and "MemoryError" in rows["large.pcap"][1]
    assert rows["gone.pcap"] == ("unavailable", "No such file or directory")
    assert rows["rtsp-udp.pcap"] == ("complete", "")
    assert (counters["complete"], counters["failed"], counters["unavailable"]) == (4, 3, 1)

    # Only what may succeed now is tried again.
    shutil.copyfile(CAPTURES / "rtsp/rtsp-basic.pcap", sample / "site-0/gone.pcap")
    again = job.run(spark, work, found)
    assert again["new"] == 1
    assert statuses(tmp_path / "out", schema)["gone.pcap"] == ("complete", "")
    assert committed(tmp_path / "out", schema["captures"]).num_rows == 11
    retried = job.run(spark, options(weir, schema, tmp_path / "out", retry=True), found)
    assert retried["new"] == 3
    assert statuses(tmp_path / "out", schema)["crash.pcap"][0] == "unreadable"
    assert committed(tmp_path / "out", schema["captures"]).num_rows == 11


def test_a_missing_program_fails_the_job(spark: Any, schema: Schema, sample: Path, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="cannot be started"):
        job.run(spark, options("/nowhere/weir", schema, tmp_path / "out"), items(sample))
    assert not log(tmp_path / "out")


def test_only_new_captures_are_analyzed(spark: Any, weir: str, schema: Schema, sample: Path, tmp_path: Path) -> None:
    job.run(spark, options(weir, schema, tmp_path / "out"), items(sample))
    shutil.copyfile(CAPTURES / "rtsp/rtsp-basic.pcap", sample / "site-1/new.pcap")
    # The same content at the same site is analyzed once, at another site again.
    shutil.copyfile(CAPTURES / "rtsp/rtsp-udp.pcap", sample / "site-0/copy.pcap")
    shutil.copyfile(CAPTURES / "rtsp/rtsp-udp.pcap", sample / "site-1/copy.pcap")
    counters = job.run(spark, options(weir, schema, tmp_path / "out"), items(sample))
    assert (counters["new"], counters["captures"], counters["duplicates"]) == (3, 2, 1)
    captures = committed(tmp_path / "out", schema["captures"])
    assert captures.num_rows == 7
    assert len(set(zip(captures["site"].to_pylist(), captures["capture"].to_pylist(), strict=True))) == 7
    assert job.run(spark, options(weir, schema, tmp_path / "out"), items(sample))["new"] == 0


def test_another_profile_redoes_what_it_is_used_for(
    spark: Any, weir: str, schema: Schema, sample: Path, tmp_path: Path
) -> None:
    job.run(spark, options(weir, schema, tmp_path / "out", partitions=1), items(sample))
    before = committed(tmp_path / "out", schema["findings"])
    profile = tmp_path / "quiet.yml"
    profile.write_text("rules:\n  RTP-SEQ-LOSS: off\n")
    only = [item for item in items(sample) if "rtsp-loss" in item.uri]
    counters = job.run(spark, options(weir, schema, tmp_path / "out", profile=str(profile)), only)
    assert (counters["listed"], counters["new"]) == (1, 1)
    after = committed(tmp_path / "out", schema["findings"])
    is_loss = compute.equal(before["rule"], "RTP-SEQ-LOSS")
    assert compute.sum(is_loss).as_py() > 0
    assert after.num_rows == before.num_rows - compute.sum(is_loss).as_py()
    captures = committed(tmp_path / "out", schema["captures"])
    assert captures.num_rows == 5
    assert sorted(set(captures["profile"].to_pylist())) == ["default", "quiet.yml"]
    # Captures that are not listed keep their rows.
    assert job.run(spark, options(weir, schema, tmp_path / "out", profile=str(profile)), only)["new"] == 0


def test_built_in_profiles(spark: Any, weir: str, schema: Schema, sample: Path, tmp_path: Path) -> None:
    job.run(spark, options(weir, schema, tmp_path / "out", profile="strict"), items(sample))
    captures = committed(tmp_path / "out", schema["captures"])
    assert set(captures["profile"].to_pylist()) == {"strict"}
    assert set(captures["status"].to_pylist()) == {"complete", "damaged"}


def test_a_capture_that_was_still_written(spark: Any, weir: str, schema: Schema, sample: Path, tmp_path: Path) -> None:
    whole = (CAPTURES / "rtsp/rtsp-basic.pcap").read_bytes()
    (sample / "site-0/growing.pcap").write_bytes(whole[: len(whole) // 2])
    job.run(spark, options(weir, schema, tmp_path / "out"), items(sample))
    assert statuses(tmp_path / "out", schema)["growing.pcap"][0] == "damaged"
    (sample / "site-0/growing.pcap").write_bytes(whole)
    assert job.run(spark, options(weir, schema, tmp_path / "out"), items(sample))["new"] == 1
    assert statuses(tmp_path / "out", schema)["growing.pcap"][0] == "complete"
    assert committed(tmp_path / "out", schema["captures"]).num_rows == 6


def test_two_runs_at_once(tmp_path: Path) -> None:
    ledger = Ledger(storage(""), str(tmp_path))
    state = ledger.state()
    assert ledger.commit(state, Commit()) == 1
    with pytest.raises(ConflictError):
        ledger.commit(state, Commit())
    assert ledger.commit(ledger.state(), Commit()) == 2


def test_groups() -> None:
    many = [Item(f"{site}/{index}.pcap", 1000 * index, 0, f"s{site}") for site in range(20) for index in range(50)]
    many += [Item(f"0/{index}.copy.pcap", 1000 * index, 0, "s0") for index in range(50)]
    tasks = job.groups(many, 8)
    assert sorted(item.uri for some in tasks for item in some) == sorted(item.uri for item in many)
    assert len(tasks) == 8
    places = [{(item.site, item.size) for item in some} for some in tasks]
    assert sum(len(place) for place in places) == len(set().union(*places))
    # Few sites are split: each site of each task has files of its own.
    assert sum(len({item.site for item in some}) for some in tasks) <= 20 + 8
    assert job.groups(many[:1], 8) == [many[:1]]


def test_inputs(sample: Path, tmp_path: Path) -> None:
    files = storage("")
    assert [item.site for item in find(files, [str(sample)], [], Sites(None))].count("site-0") == 3
    assert len(find(files, [f"{sample}/*/rtsp-*.pcap"], [], Sites(None))) == 2
    assert len(find(files, [f"{sample}/*.pcap"], [], Sites(None))) == 0
    assert len(find(files, [f"{sample}/**/*.pcap"], [], Sites(None))) == 5
    named = find(files, [str(sample)], [], Sites(r"(?P<site>rtsp|rtmp)-"))
    assert {item.site for item in named} == {"rtsp", "rtmp", "unknown"}
    (tmp_path / "list.txt").write_text(f"# new\n{sample}/site-0/rtsp-udp.pcap\n\n")
    (tmp_path / "list.jsonl").write_text(f'{{"uri": "{sample}/site-0/rtsp-udp.pcap", "site": "berlin"}}\n')
    (tmp_path / "list.csv").write_text(f"uri,site,size,modified\n{sample}/nowhere.pcap,paris,5,7\n")
    lines = find(files, [], [str(tmp_path / name) for name in ("list.jsonl", "list.txt", "list.csv")], Sites(None))
    assert [(item.site, item.size) for item in lines] == [("paris", 5), ("berlin", lines[1].size)]
    assert lines[1].size > 1000
    with pytest.raises(FileNotFoundError):
        find(files, [str(tmp_path / "nowhere")], [], Sites(None))
