"""Questions, in both engines."""

from __future__ import annotations

import csv
import html.parser
from pathlib import Path
from typing import Any

import pytest
from conftest import CAPTURES, items, options

from weir_fleet import cli, job, report
from weir_fleet.schema import Schema

FOLDERS = [CAPTURES / name for name in ("rtsp", "rtmp", "transport")]


@pytest.fixture(scope="module")
def tables(spark: Any, weir: str, schema: Schema, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of some folders of captures; one is damaged."""
    output = tmp_path_factory.mktemp("tables")
    job.run(spark, options(weir, schema, output), items(*FOLDERS))
    return output


def test_both_engines_answer_alike(spark: Any, tables: Path) -> None:
    questions = report.queries(None)
    with_spark = report.with_spark(spark, str(tables), "auto", questions, "2020-01-01")
    with_duckdb = report.with_duckdb(str(tables), "auto", questions, "2020-01-01")
    assert len(questions) == 9
    for one, other in zip(with_spark, with_duckdb, strict=True):
        assert one.columns == other.columns
        assert one.rows, one.query.name
        shown = [[report.text(value) for value in row] for row in one.rows]
        assert shown == [[report.text(value) for value in row] for row in other.rows], one.query.name


def test_answers(tables: Path) -> None:
    answers = {
        answer.query.name: [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
        for answer in report.with_duckdb(str(tables), "auto", report.queries(None), "2026-11-23")
    }
    worst = answers["20-worst-streams"][0]
    assert worst["file"].endswith("rtsp-loss-udp.pcap") and worst["loss_percent"] == 5.625
    assert answers["50-failed-sessions"]
    assert {row["cause"] for row in answers["50-failed-sessions"]} >= {"publish-refused", "transport-refused"}
    assert all(str(row["first_day"]) >= "2026-11-23" for row in answers["32-new-findings"])
    software = {row["client"] for row in answers["30-findings-by-software"]}
    assert any("Lavf" in name for name in software)


def test_written_report(tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["report", "--tables", str(tables), "--output", str(tmp_path), "--engine", "duckdb"])
    assert code == 0
    page = (tmp_path / "report.html").read_text()
    text = (tmp_path / "report.md").read_text()
    for query in report.queries(None):
        assert query.title in text
        rows = list(csv.reader((tmp_path / f"{query.name}.csv").open()))
        assert len(rows) > 1 and len({len(row) for row in rows}) == 1
    assert page.count("<svg") == sum(query.plot is not None for query in report.queries(None))
    assert _balanced(page)


def test_text_of_peers_is_no_markup(tmp_path: Path) -> None:
    query = report.Query("q", "Title", "", "", ("label", "value"))
    hostile = "<script>alert(1)</script>|`x`\n=cmd()"
    answer = report.Answer(query, ["label", "value"], [[hostile, 1], ["=1+1", None]])
    report.write(tmp_path, "t", [answer])
    assert "<script" not in (tmp_path / "report.html").read_text()
    assert "<script" not in (tmp_path / "report.md").read_text()
    assert list(csv.reader((tmp_path / "q.csv").open()))[2][0].startswith("'=")


def test_own_queries(tables: Path, tmp_path: Path) -> None:
    assert cli.main(["queries", str(tmp_path)]) == 0
    (tmp_path / "99-own.sql").write_text("-- title: Own\nSELECT count(*) AS n FROM captures WHERE date >= :since;\n")
    answers = report.with_duckdb(str(tables), "auto", report.queries(tmp_path), "1990-01-01")
    assert answers[-1].rows == [[len(items(*FOLDERS))]]
    (tmp_path / "99-own.sql").write_text("-- plot: pie\nSELECT 1\n")
    with pytest.raises(ValueError, match="a plot is"):
        report.queries(tmp_path)


def test_views(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import duckdb

    assert cli.main(["views", "--tables", str(tables)]) == 0
    connection = duckdb.connect()
    connection.execute(capsys.readouterr().out)
    counted = connection.execute("SELECT count(*), sum(packets) FROM captures").fetchone()
    assert counted is not None and counted[0] > 100 and counted[1] > 10_000
    # Events were not written: the table is there, and empty.
    assert connection.execute("SELECT count(*) FROM events").fetchone() == (0,)


def test_no_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["views", "--tables", str(tmp_path)]) == 1
    assert "there are no tables" in capsys.readouterr().err


def _balanced(page: str) -> bool:
    class Parser(html.parser.HTMLParser):
        open: list[str]

        def handle_starttag(self, tag: str, attributes: object) -> None:
            if tag not in ("meta", "rect"):
                self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

        def handle_startendtag(self, tag: str, attributes: object) -> None:
            """A rectangle."""

    parser = Parser()
    parser.open = []
    parser.feed(page)
    return not parser.open
