"""The command `weir-fleet`."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from weir_fleet import job, report, runner
from weir_fleet.inputs import Sites, find
from weir_fleet.ledger import ConflictError
from weir_fleet.runner import Limits, Weir
from weir_fleet.schema import Schema
from weir_fleet.storage import storage


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except (OSError, ValueError, RuntimeError, ConflictError) as error:
        print(f"weir-fleet: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="weir-fleet", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    run = commands.add_parser("run", help="analyze captures and add them to the tables")
    run.add_argument("--input", action="append", default=[], metavar="URI", help="a folder, file or pattern")
    run.add_argument("--manifest", action="append", default=[], metavar="URI", help="a list of captures")
    run.add_argument("--output", required=True, metavar="URI", help="where the tables are")
    run.add_argument("--site-pattern", metavar="REGEX", help="names the site of a URI with a group (?P<site>…)")
    run.add_argument("--weir", metavar="PROGRAM", help="the program (default: weir in PATH, or from --files)")
    run.add_argument("--profile", metavar="FILE", help="the profile that rules are checked with")
    run.add_argument("--events", action="store_true", help="also write the table events, which is large")
    run.add_argument("--memory", type=_size, default="2GiB", metavar="SIZE", help="of one process (default: 2GiB)")
    run.add_argument("--timeout", type=int, default=600, metavar="SECONDS", help="for one capture (default: 600)")
    run.add_argument("--retry-failed", action="store_true", help="analyze captures again whose analysis failed")
    run.add_argument("--partitions", type=int, metavar="N", help="the number of tasks (default: by size)")
    run.add_argument("--keep-hours", type=float, default=24, metavar="H", help="before unused files are deleted")
    _common(run)
    run.set_defaults(command=_run)

    page = commands.add_parser("report", help="answer the questions in SQL files")
    page.add_argument("--tables", required=True, metavar="URI", help="the output of run")
    page.add_argument("--output", required=True, metavar="FOLDER", help="for report.html, report.md and the CSV files")
    page.add_argument("--queries", metavar="FOLDER", help="SQL files (default: those of the package)")
    page.add_argument("--since", default="1970-01-01", metavar="DATE", help="the first day, for 'new since'")
    page.add_argument("--engine", choices=["spark", "duckdb"], default="spark")
    _common(page)
    page.set_defaults(command=_report)

    queries = commands.add_parser("queries", help="copy the SQL files to a folder, to change them")
    queries.add_argument("folder")
    queries.set_defaults(command=lambda options: report.copy_queries(Path(options.folder)))

    views = commands.add_parser("views", help="print the tables as views for DuckDB")
    views.add_argument("--tables", required=True, metavar="URI", help="the output of run")
    _common(views)
    views.set_defaults(command=_views)
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--master", metavar="URL", help="Spark's master (default: local[*], or that of spark-submit)")
    parser.add_argument(
        "--storage", choices=["auto", "arrow", "hadoop"], default="auto", help="how files are reached (default: auto)"
    )


def _size(text: str) -> int:
    units = {"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
    number = text.rstrip("KMGTiB")
    if not number.isdigit() or text[len(number) :] not in units:
        raise argparse.ArgumentTypeError(f"{text} is not a size such as 2GiB")
    return int(number) * units[text[len(number) :]]


def _run(options: argparse.Namespace) -> int:
    if not options.input and not options.manifest:
        raise ValueError("name captures with --input or --manifest")
    with spark(options.master) as session:
        profile = options.profile
        if profile and Path(profile).exists():
            profile = str(Path(profile).resolve())
        weir = Weir(runner.program(options.weir), profile, options.events, Limits(options.timeout, options.memory))
        first = (options.input + options.manifest)[0]
        items = find(storage(first, options.storage), options.input, options.manifest, Sites(options.site_pattern))
        work = job.Job(
            options.output, weir, Schema.of(weir.program), options.weir, options.storage, options.retry_failed,
            options.partitions, options.keep_hours * 3600, _say,
        )  # fmt: skip
        counters = job.run(session, work, items)
    _say(", ".join(f"{name} {value:.10g}" for name, value in counters.items()))
    return 0


def _report(options: argparse.Namespace) -> int:
    queries = report.queries(Path(options.queries) if options.queries else None)
    if options.engine == "duckdb":
        results = report.with_duckdb(options.tables, options.storage, queries, options.since)
    else:
        with spark(options.master) as session:
            results = report.with_spark(session, options.tables, options.storage, queries, options.since)
    report.write(Path(options.output), options.tables, results)
    _say(f"{Path(options.output) / 'report.html'}: {len(results)} questions")
    return 0


def _views(options: argparse.Namespace) -> int:
    for statement in report.views(*report.read(options.tables, options.storage)):
        print(statement)
    return 0


@contextlib.contextmanager
def spark(master: str | None) -> Iterator[Any]:
    """A Spark session: as configured by spark-submit, else on this machine."""
    from pyspark.conf import SparkConf
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("weir-fleet").config("spark.sql.session.timeZone", "UTC")
    if master or not SparkConf().contains("spark.master"):
        # The Python with this package, not the first one in PATH.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        quiet = Path(__file__).with_name("log4j2.properties")
        builder = builder.config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={quiet}")
        builder = builder.master(master or "local[*]")
        # A laptop has no other use for the page of a job, and no name that resolves to itself.
        builder = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


def _say(text: str) -> None:
    print(f"weir-fleet: {text}", file=sys.stderr)
