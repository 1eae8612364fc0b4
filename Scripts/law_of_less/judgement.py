"""Finds where a variant's report breaks the law."""
import collections
import re

LOSS = re.compile(r"^RTP-SEQ-LOSS|^TS-CC|packets? lost")
"""What is said of lost packets; the counters of a transport stream are all that shows them where it travels alone."""

CLOSING = re.compile(r"^\w+: (the connection was closed|connection closed|connection reset|the (client|server) "
                     r"(closed|reset) the connection)( \((RST\)?|frame N\)))?$|^\w+: frame N\)$")
"""What is said of how a connection ended, and nothing else."""

Breach = collections.namedtuple("Breach", "article what")


def judge(whole, variant, part, foreign=None):
    """Returns the breaches in `part`, the report of `variant` of a capture whose report is `whole`.

    `foreign` is the report of the capture merged into it.
    """
    breaches = list(faults(whole, part, foreign)) + list(claims(whole, part, foreign))
    yield from (breach for breach in breaches if not (variant.mayLose and LOSS.search(breach.what)))
    if not foreign:
        yield from places(whole, variant, part)
    yield from identities(whole, part, foreign)


def faults(whole, part, foreign):
    """(a) No error or warning appears that the whole capture does not have."""
    known = whole.faults + foreign.faults if foreign else whole.faults
    for rule, count in sorted(part.faults.items()):
        if count > known[rule]:
            example = next((item for item in part.findings if item["rule"] == rule and not any(
                item["fingerprint"] == other["fingerprint"] for other in whole.findings)), None)
            words = example["message"] if example else "once more"
            yield Breach("a", f"{rule}: {words}")


def places(whole, variant, part):
    """(b) Every event whose octets are all captured keeps its frame and time.

    If two segments of a message are out of order, it is complete with the one that fills the gap; of a duplicate packet,
    either copy may come first.
    """
    cuts = variant.name.startswith("snap length")
    kept = {frame.origin for frame in variant.frames if not cuts or len(frame.octets) >= frame.length}
    where = collections.defaultdict(set)
    for event in part.events:
        where[event.kind, event.key].add(event.frame)
    for event in whole.events:
        # Frames between the first and the last of a message may contain a part of it.
        if not all(frame in kept for frame in range(event.first, event.frame + 1)):
            continue
        told = where.get((event.kind, event.key))
        if told and event.frame not in told:
            others = {other.frame for other in whole.events if (other.kind, other.key) == (event.kind, event.key)}
            if variant.name == "neighbours swapped" and any(event.first - 1 <= frame <= event.frame + 1 for frame in told):
                continue
            if told - others:
                yield Breach("b", f"{event.kind} {event.summary[:60]}: frame {event.frame} told in {sorted(told - others)[:3]}")


def claims(whole, part, foreign):
    """(c) The outcome claims nothing that the whole capture's does not.

    A closed connection is no claim if it is in the timeline of the whole capture.
    """
    known = whole.clauses() + foreign.clauses() if foreign else whole.clauses()
    for clause, count in sorted(part.clauses().items()):
        if count > known[clause] and not (whole.closings and CLOSING.search(clause)):
            yield Breach("c", clause)


def identities(whole, part, foreign):
    """(d) Streams and sessions keep their identity."""
    streams = whole.streams | foreign.streams if foreign else whole.streams
    for stream in sorted(part.streams - streams):
        yield Breach("d", f"stream {' '.join(stream)}")
    known = whole.count["session"] + (foreign.count["session"] if foreign else 0)
    if part.count["session"] > known:
        yield Breach("d", f"{part.count['session']} sessions instead of {known}")
    known = whole.count["stream"] + (foreign.count["stream"] if foreign else 0)
    if part.count["stream"] > known:
        yield Breach("d", f"{part.count['stream']} streams instead of {known}")
