"""weir's report of a capture, in a comparable form."""
import collections
import json
import re

Told = collections.namedtuple("Told", "kind key first frame time flow summary")
"""An event: what it is, and where, by the frames of the capture that a variant was made of."""

MESSAGES = {"rtsp", "sdp", "rtmp", "rtcp"}
"""The protocols whose events are messages: what they say stands in their own octets."""

CLAIMS = re.compile(
    r"never|refus|without|nobody|did not|not reach|no answer|lost|missing|stopp|silent|stood still|reset|hung|closed|"
    r"left|gone|unreachable|rejected|nothing|no media|was not|were not")
"""Words of outcomes that claim an absence, a refusal, a closing or a loss."""


OF_CAPTURE = re.compile(r"the capture|captured|unknown|cannot be told")
"""Words of what is said of the capture, and not of the peers."""


class Report:
    """One capture's records."""

    def __init__(self, lines, origins=None):
        self.events, self.findings, self.outcomes = [], [], []
        self.sessions, self.streams = set(), set()
        self.faults = collections.Counter()
        self.closings = 0
        numbers = []
        for line in lines:
            record = json.loads(line)
            kind = record["record"]
            if kind == "event":
                self.closings += record["protocol"] == "tcp" and record["kind"] in {"close", "reset"}
                self.take(record, origins)
            elif kind == "finding" and record["verdict"] == "fail" and record["severity"] != "note":
                self.faults[record["rule"]] += 1
                self.findings.append(record)
            elif kind == "session":
                self.sessions.add((record["kind"], record.get("uri") or record.get("app") or ""))
                self.outcomes.append((record["kind"], record.get("outcome", "")))
            elif kind == "stream":
                self.streams.add((record["kind"], record.get("ssrc") or "", end(record["source"]),
                                  end(record["destination"])))
            numbers.append(kind)
        self.count = collections.Counter(numbers)

    def take(self, record, origins):
        def origin(frame):
            if origins is None:
                return frame
            return origins[frame - 1] if 0 < frame <= len(origins) else -1
        others = {"start", "end", "gap", "keyframe", "timestampBack", "remark"}
        if record["protocol"] not in MESSAGES or record["kind"] in others:
            return
        fields = record.get("fields", {})
        key = "|".join(str(fields.get(name, "")) for name in (
            "method", "status", "cseq", "packet", "type", "command", "transactionId", "chunkSize", "ssrc", "length",
            "timestamp"))
        self.events.append(Told(
            record["protocol"] + "." + record["kind"], end(record["source"]) + "|" + key,
            origin(record.get("firstFrame", record["frame"])), origin(record["frame"]), record["time"],
            record["flow"], record["summary"]))

    def clauses(self):
        """The parts of all outcomes that make a claim, without numbers."""
        found = collections.Counter()
        for kind, outcome in self.outcomes:
            for clause in re.split(r"[;:,]", outcome):
                clause = re.sub(r"\d+([.,]\d+)*", "N", clause).strip().replace("packets", "packet")
                if CLAIMS.search(clause) and not OF_CAPTURE.search(clause):
                    found[f"{kind}: {clause}"] += 1
        return found


def end(endpoint):
    return f"{endpoint['address']}:{endpoint['port']}"
