"""The program under test, a Spark session, and small sets of captures."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from weir_fleet import cli, job
from weir_fleet.inputs import Item, Sites, find
from weir_fleet.runner import Limits, Weir
from weir_fleet.schema import Schema
from weir_fleet.storage import storage

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = ROOT / "Captures"
# Of each protocol; one is damaged.
SAMPLE = [
    "rtsp/rtsp-udp.pcap", "rtsp/rtsp-loss-udp.pcap", "rtmp/rtmp-loss.pcap", "transport/made-cut-short.pcap",
    "http/websocket-deflate.pcap",
]  # fmt: skip


@pytest.fixture(scope="session")
def weir() -> str:
    """The program: $WEIR, or the latest build."""
    places = [os.environ.get("WEIR"), *(str(ROOT / f".build/{kind}/weir") for kind in ("release", "debug"))]
    found = next((place for place in places if place and Path(place).exists()), None)
    assert found, "build weir first, or name it in $WEIR"
    return str(Path(found).resolve())


@pytest.fixture(scope="session")
def schema(weir: str) -> Schema:
    """The tables of that program."""
    return Schema.of(weir)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Two cores, and three attempts of each task."""
    with cli.spark("local[2,3]") as session:
        yield session


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A folder with captures of two sites."""
    folder = tmp_path / "captures"
    for index, name in enumerate(SAMPLE):
        place = folder / f"site-{index % 2}" / Path(name).name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CAPTURES / name, place)
    return folder


def items(*places: Path) -> list[Item]:
    """The captures below folders."""
    return find(storage(""), [str(place) for place in places], [], Sites(None))


def options(weir: str, schema: Schema, output: Path, **changes: Any) -> job.Job:
    """The options of a job over a program."""
    profile, limits = changes.pop("profile", None), changes.pop("limits", Limits())
    work = Weir(weir, profile, changes.pop("events", False), limits)
    return job.Job(str(output), work, schema, weir, say=lambda text: None, **changes)


def wrapper(folder: Path, weir: str, script: str) -> str:
    """A program in place of weir: a script that sees the capture as $2, then weir itself."""
    program = folder / "weir-wrapper"
    program.write_text(f'#!/bin/bash\n{script}\nexec "{weir}" "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)
