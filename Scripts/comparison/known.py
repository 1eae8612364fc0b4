"""Known differences, each with captures, protocol, kind, pattern, and the reason why weir is right."""
import dataclasses
import fnmatch
import json
import re

from .differences import KINDS, PROTOCOLS


class KnownError(Exception):
    pass


@dataclasses.dataclass
class Known:
    capture: str        # glob on the end of the capture's path, such as `rtsp/*.pcap`
    protocol: str
    kind: str
    pattern: str        # regular expression, searched in the difference's text
    reason: str
    reference: str      # specification and section, or tshark's documented limit
    used: int = 0

    def matches(self, capture, difference):
        return (self.protocol == difference.protocol and self.kind == difference.kind and self.covers(capture)
                and re.search(self.pattern, difference.text) is not None)

    def covers(self, capture):
        path = str(capture).replace("\\", "/")
        return fnmatch.fnmatchcase(path, self.capture) or fnmatch.fnmatchcase(path, "*/" + self.capture)


def load(path):
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise KnownError(f"{path}: {error}") from error
    return [parse(entry, f"{path}: entry {number}") for number, entry in enumerate(entries, 1)]


def parse(entry, where):
    names = ("capture", "protocol", "kind", "pattern", "reason", "reference")
    if not isinstance(entry, dict) or sorted(entry) != sorted(names):
        raise KnownError(f"{where} needs exactly {', '.join(names)}")
    for name in names:
        if not isinstance(entry[name], str) or not entry[name].strip():
            raise KnownError(f"{where}: {name} is empty")
    if entry["protocol"] not in PROTOCOLS:
        raise KnownError(f"{where}: protocol is one of {', '.join(PROTOCOLS)}")
    if entry["kind"] not in KINDS:
        raise KnownError(f"{where}: kind is one of {', '.join(KINDS)}")
    try:
        re.compile(entry["pattern"])
    except re.error as error:
        raise KnownError(f"{where}: pattern: {error}") from error
    return Known(**entry)


def find(entries, capture, difference):
    """Returns the first entry that explains the difference, and marks it as used."""
    for entry in entries:
        if entry.matches(capture, difference):
            entry.used += 1
            return entry
    return None


def stale(entries, captures, everything):
    """Returns entries that explained nothing although their capture was compared.

    An entry for many captures can be judged only when everything was compared."""
    return [entry for entry in entries if not entry.used
            and (everything or ("*" not in entry.capture and any(map(entry.covers, captures))))]
