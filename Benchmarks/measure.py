"""Timing in interleaved rounds, result tables, and the comparison of weir's counts with the ground truth."""

import collections
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

MB = 10**6
HERE = pathlib.Path(__file__).resolve().parent


def build_tools(tools):
    """Compiles the generator, the libpcap loop and the timer into a folder."""
    tools.mkdir(exist_ok=True)
    compiler = os.environ.get("CC", "cc")
    common = [compiler, "-std=c11", "-D_DEFAULT_SOURCE", "-D_DARWIN_C_SOURCE", "-Wall", "-Wextra", "-Werror"]
    generator = [HERE / "generate.c", *sorted((HERE / "generate").glob("*.c"))]
    for name, flags, sources, libraries in [("generate", ["-O3"], generator, []),
                                            ("loop", ["-O2"], [HERE / "loop.c"], ["-lpcap"]),
                                            ("timed", ["-O2"], [HERE / "timed.c"], [])]:
        subprocess.run([*common, *flags, "-o", tools / name, *sources, *libraries], check=True)


def timed(command, output="/dev/null", tools=pathlib.Path(__file__).resolve().parent / "bin"):
    """Runs a command; returns its status, wall and processor time in seconds, and peak memory in bytes."""
    with tempfile.NamedTemporaryFile("r") as report:
        subprocess.run([tools / "timed", report.name, output, *command], stderr=subprocess.DEVNULL, check=True)
        status, wall, user, system, peak = (int(word) for word in report.read().split())
    return {"status": status, "wall": wall / 1e9, "cpu": (user + system) / 1e9, "peak": peak}


class Table:
    """Commands over one input. Each round runs every command once, so that drift of the machine affects all equally.
    Ratios are computed within a round; the table shows the median of the rounds' ratios."""

    def __init__(self, title, tools, reference=True):
        self.title, self.tools, self.reference = title, tools, reference
        self.rows, self.comparisons, self.memory_comparisons, self.bounds = {}, [], [], []
        self.failures, self.exceeded = [], []

    def add(self, name, command, rounds=None, limit=None):
        self.rows[name] = {"command": command, "rounds": rounds, "results": {}}
        if limit:
            self.comparisons.append((name, *limit))

    def compare(self, name, reference, limit):
        self.comparisons.append((name, reference, limit))

    def compare_memory(self, name, reference, limit):
        self.memory_comparisons.append((name, reference, limit))

    def bound_memory(self, name, bound):
        self.bounds.append((name, bound))

    def run(self, rounds):
        for number in range(rounds):
            for name, row in self.rows.items():
                if number >= (row["rounds"] or rounds):
                    continue
                result = timed(row["command"], tools=self.tools)
                if result["status"] == 0:
                    row["results"][number] = result
                elif row["results"] or number == 0:
                    self.failures.append(f"{self.title}: {name}: exit status {result['status']}")
                    row["rounds"] = number or -1
        self.show()

    def ratio(self, name, reference):
        rows = [self.rows.get(key, {"results": {}})["results"] for key in (name, reference)]
        shared = sorted(rows[0].keys() & rows[1].keys())
        return statistics.median(rows[0][n]["wall"] / rows[1][n]["wall"] for n in shared) if shared else None

    def median(self, name, what):
        values = [result[what] for result in self.rows.get(name, {"results": {}})["results"].values()]
        return statistics.median(values) if values else None

    def show(self):
        print(f"\n{self.title}")
        first = next(iter(self.rows), None)
        print(f"  {'':24}{'wall ms':>10}{'cpu ms':>10}{'ratio':>9}{'peak MB':>10}{'rounds':>8}")
        for name, row in self.rows.items():
            if not row["results"]:
                print(f"  {name:24}{'failed':>10}")
                continue
            ratio = self.ratio(name, first) if self.reference else None
            print(f"  {name:24}{self.median(name, 'wall') * 1e3:10.1f}{self.median(name, 'cpu') * 1e3:10.1f}"
                  f"{f'{ratio:9.2f}' if ratio else '':>9}{self.median(name, 'peak') / MB:10.1f}"
                  f"{len(row['results']):8}")
        for name, reference, limit in self.comparisons:
            self.judge(f"{name} / {reference}", self.ratio(name, reference), limit)
        for name, reference, limit in self.memory_comparisons:
            peaks = self.median(name, "peak"), self.median(reference, "peak")
            self.judge(f"peak of {name} / {reference}", peaks[0] / peaks[1] if all(peaks) else None, limit)
        for name, bound in self.bounds:
            peak = self.median(name, "peak")
            self.judge(f"peak of {name}, MB", peak / MB if peak else None, bound / MB)

    def judge(self, what, value, limit):
        if value is None:
            return
        if limit is None:
            print(f"  {what}: {value:.3g} (no limit)")
            return
        line = f"{what}: {value:.3g}, limit {limit:.3g}"
        print(f"  {line}{'' if value <= limit else '  EXCEEDED'}")
        if value > limit:
            self.exceeded.append(f"{self.title}: {line}")

    def record(self):
        return {"title": self.title, "exceeded": self.exceeded, "failures": self.failures,
                "rows": [{"name": name, "command": row["command"], "rounds": list(row["results"].values())}
                         for name, row in self.rows.items()]}


def memory_bound(kind, truth):
    """Returns the memory bound for a capture in bytes: 24 MB, and twice 256 bytes per direction of a flow, 512 per stream,
    and 1,024 per TCP direction with media."""
    media_directions = truth["directions"] if kind in ("interleaved", "rtmp") else 0
    return 24 * MB + 2 * (256 * truth["directions"] + 512 * len(truth["streams"]) + 1024 * media_directions)


RTP_FACTS = ("payloadType", "packets", "expected", "lost", "duplicates", "reordered", "firstSequence", "lastSequence")
RTMP_FACTS = ("messageStreamId", "messages", "payloadBytes", "keyframes", "firstTimestamp", "lastTimestamp")


def stream_key(stream):
    """Returns the key of a stream, in a record and in the ground truth."""
    if "ssrc" in stream:
        return stream["ssrc"]
    source = stream["source"]
    return f"{stream.get('mediaType')} of {source['address']}:{source['port']}"


def check_counts(weir, capture, truth, tools, options=()):
    """Returns the differences between weir's records and the ground truth, one line each."""
    wanted = {stream_key(stream): stream for stream in truth["streams"]}
    problems, seen, counts = [], {}, collections.Counter()
    name = pathlib.Path(capture).name
    # RTMP messages are counted individually, so each must be a record.
    packets = ["--packets"] if "messages" in truth else []
    with tempfile.NamedTemporaryFile("r", suffix=".ndjson") as output:
        result = timed([weir, "analyze", "--format", "ndjson", *packets, *options, capture], output.name, tools)
        if result["status"] != 0:
            return [f"{name}: weir exits with {result['status']}"]
        summary = None
        for line in output:
            # Events are the majority: counted, not parsed.
            if line.startswith('{"record":"event"'):
                for what in ("handshake", "message") if packets else ():
                    counts[what] += f'"protocol":"rtmp","kind":"{what}"' in line
                continue
            record = json.loads(line)
            if record["record"] == "summary":
                summary = record
            elif record["record"] == "flow":
                for what, value in record.get("tcp", {}).items():
                    counts[what] += value if isinstance(value, int) else 0
            elif record["record"] == "stream":
                key = stream_key(record)
                if key in seen:
                    problems.append(f"{name}: stream {key} is reported twice")
                seen[key] = record
    if summary is None:
        problems.append(f"{name}: no summary record")
    elif summary.get("packets") != truth["packets"]:
        problems.append(f"{name}: {summary.get('packets')} packets, but there are {truth['packets']}")
    elif summary.get("checksumErrors", 0) != 0:
        problems.append(f"{name}: {summary['checksumErrors']} checksum errors, but there are none")
    for what, key in (("message", "messages"), ("handshake", "handshakeParts"), ("outOfOrderSegments", "lateSegments"),
                      ("retransmittedBytes", "repeatedBytes")):
        if key in truth and counts[what] != truth[key]:
            problems.append(f"{name}: {what} comes to {counts[what]}, but should be {truth[key]}")
    problems += [f"{name}: stream {key} does not exist" for key in seen.keys() - wanted.keys()]
    for key, stream in wanted.items():
        found = seen.get(key)
        if found is None:
            problems.append(f"{name}: stream {key} is missing")
            continue
        for fact in RTP_FACTS if "ssrc" in stream else RTMP_FACTS:
            # Only video has key frames.
            if fact in stream and found.get(fact) != stream[fact]:
                problems.append(f"{name}: stream {key}: {fact} is {found.get(fact)}, but should be {stream[fact]}")
    if len(problems) > 20:
        problems = problems[:20] + [f"{name}: and {len(problems) - 20} more"]
    return problems
