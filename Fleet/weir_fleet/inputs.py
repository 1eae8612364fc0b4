"""The captures to analyze, and where each was captured."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet

from weir_fleet.storage import Storage, join

_NAMES = re.compile(r"\.(pcap|pcapng|cap)(\.(gz|zst))?$|\.pcap\d+$", re.IGNORECASE)
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Item:
    """A capture file."""

    uri: str
    size: int
    modified: int
    site: str


class Sites:
    """Names the site of a capture: the group `site` of a pattern, or the folder directly below the input."""

    def __init__(self, pattern: str | None) -> None:
        self.pattern = re.compile(pattern) if pattern else None

    def name(self, uri: str, root: str) -> str:
        """The site of a file that was found below `root`."""
        if self.pattern:
            found = self.pattern.search(uri)
            return found["site"] if found and found["site"] else "unknown"
        below = uri[len(root) :].strip("/").split("/") if uri.startswith(root) else []
        return below[0] if len(below) > 1 else "unknown"


def find(storage: Storage, inputs: Iterable[str], manifests: Iterable[str], sites: Sites) -> list[Item]:
    """All captures of folders, patterns and manifests; each once, in order of their names."""
    items: dict[str, Item] = {}
    for uri in inputs:
        for item in _listed(storage, uri, sites):
            items.setdefault(item.uri, item)
    for manifest in manifests:
        for item in _from_manifest(storage, manifest, sites):
            items.setdefault(item.uri, item)
    return [items[uri] for uri in sorted(items)]


def _listed(storage: Storage, uri: str, sites: Sites) -> Iterator[Item]:
    wild = _WILD.search(uri)
    root = uri[: wild.start()].rsplit("/", 1)[0] if wild and "/" in uri[: wild.start()] else ("." if wild else uri)
    entries = list(storage.list(root))
    if not entries and not wild:
        raise FileNotFoundError(f"{uri}: there is no such file or folder")
    pattern = uri if not wild or root != "." else join(root, uri)
    for entry in entries:
        # `*` does not match a slash, as in a shell; `**` does.
        wanted = _matches(entry.uri, pattern) if wild else entry.uri == uri or bool(_NAMES.search(entry.uri))
        if wanted:
            yield Item(entry.uri, entry.size, entry.modified, sites.name(entry.uri, root))


def _matches(uri: str, pattern: str) -> bool:
    names, parts = uri.split("/"), pattern.split("/")

    def match(name: int, part: int) -> bool:
        if part == len(parts):
            return name == len(names)
        if parts[part] == "**":
            return any(match(rest, part + 1) for rest in range(name, len(names) + 1))
        return name < len(names) and fnmatchcase(names[name], parts[part]) and match(name + 1, part + 1)

    return match(0, 0)


def _from_manifest(storage: Storage, manifest: str, sites: Sites) -> Iterator[Item]:
    """A list of new objects: lines of text, lines of JSON, CSV or Parquet with a column `uri`; `site`, `size` and
    `modified` are optional."""
    for row in _rows(storage, manifest):
        uri = str(row["uri"])
        size, modified = row.get("size"), row.get("modified")
        if size is None or modified is None:
            entry = next(iter(_stat(storage, uri)), None)
            size, modified = (entry.size, entry.modified) if entry else (-1, 0)
        site = row.get("site")
        yield Item(uri, int(size), int(modified), str(site) if site else sites.name(uri, uri.rsplit("/", 2)[0]))


def _stat(storage: Storage, uri: str) -> Iterator[Any]:
    """A file that cannot be examined is reported as unavailable when it is read."""
    try:
        yield from storage.list(uri)
    except OSError:
        return


def _rows(storage: Storage, manifest: str) -> list[dict[str, Any]]:
    with storage.read(manifest) as stream:
        octets = stream.read()
    if manifest.endswith((".parquet", ".csv")):
        import pyarrow as pa

        source = pa.BufferReader(octets)
        table = parquet.read_table(source) if manifest.endswith(".parquet") else arrow_csv.read_csv(source)
        return [dict(row) for row in table.to_pylist()]
    lines = [line.strip() for line in octets.decode().splitlines()]
    return [json.loads(line) if line.startswith("{") else {"uri": line} for line in lines if line and line[0] != "#"]
