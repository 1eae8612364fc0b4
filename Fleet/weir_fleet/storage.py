"""Where captures and tables are: local disks, object stores, HDFS.

Object stores and local disks are reached with Arrow's file systems; everything else with Hadoop's own shell, so that
every file system of the Spark installation can be used (`--storage hadoop` forces that).
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol, cast
from urllib.parse import urlsplit

from pyarrow import fs

_ARROW_SCHEMES = {"", "file", "s3", "s3a", "s3n", "gs", "gcs", "abfs", "abfss"}
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Entry:
    """A file."""

    uri: str
    size: int
    # Seconds since 1970; a whole number, since not all file systems have more.
    modified: int


class Storage(Protocol):
    """The operations that the job needs."""

    def list(self, uri: str) -> Iterator[Entry]:
        """All files below a folder, or the file itself, or nothing if there is none."""

    def read(self, uri: str) -> contextlib.AbstractContextManager[BinaryIO]:
        """Opens a file for reading."""

    def write(self, uri: str, octets: bytes) -> None:
        """Writes a file, with its folders."""

    def put(self, local: Path, uri: str) -> None:
        """Copies a local file, with its folders."""

    def delete(self, uri: str) -> None:
        """Deletes a file, if it exists."""


def storage(uri: str, kind: str = "auto") -> Storage:
    """The storage of a URI."""
    if kind == "hadoop" or (kind == "auto" and scheme(uri) not in _ARROW_SCHEMES):
        return HadoopStorage()
    return ArrowStorage()


def scheme(uri: str) -> str:
    """The scheme of a URI; empty for a path."""
    return urlsplit(uri).scheme if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", uri) else ""


def local_path(uri: str) -> Path | None:
    """The local path, if the file is on a local disk."""
    if scheme(uri) == "file":
        return Path(re.sub(r"^file://[^/]*", "", uri))
    return Path(uri) if scheme(uri) == "" else None


def join(uri: str, *parts: str) -> str:
    """A path below a URI."""
    return "/".join([uri.rstrip("/"), *parts])


class ArrowStorage:
    """Arrow's file systems."""

    def _open(self, uri: str) -> tuple[fs.FileSystem, str]:
        path = local_path(uri)
        if path is not None:
            return fs.LocalFileSystem(), str(path)
        found, name = fs.FileSystem.from_uri(re.sub(r"^s3[an]:", "s3:", uri))
        return found, name

    def list(self, uri: str) -> Iterator[Entry]:
        """All files below a folder, in order of their names."""
        files, path = self._open(uri)
        info = files.get_file_info(path)
        if info.type == fs.FileType.NotFound:
            return
        found = [info]
        if info.type == fs.FileType.Directory:
            found = files.get_file_info(fs.FileSelector(path, recursive=True))
        for one in sorted(found, key=lambda one: str(one.path)):
            if one.type == fs.FileType.File:
                suffix = one.path[len(path) :].lstrip("/")
                name = join(uri, suffix) if suffix else uri
                modified = int(one.mtime.timestamp()) if one.mtime else 0
                yield Entry(name, one.size or 0, modified)

    @contextlib.contextmanager
    def read(self, uri: str) -> Iterator[BinaryIO]:
        """Opens a file for reading."""
        files, path = self._open(uri)
        with files.open_input_stream(path, compression=None) as stream:
            yield cast(BinaryIO, stream)

    def write(self, uri: str, octets: bytes) -> None:
        """Writes a file; on a local disk under another name first, so that it is never seen in part."""
        files, path = self._open(uri)
        if isinstance(files, fs.LocalFileSystem):
            target = Path(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_name(f".{target.name}.{os.getpid()}")
            partial.write_bytes(octets)
            partial.replace(target)
            return
        with files.open_output_stream(path, compression=None) as stream:
            stream.write(octets)

    def put(self, local: Path, uri: str) -> None:
        """Copies a local file."""
        files, path = self._open(uri)
        if isinstance(files, fs.LocalFileSystem):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        with local.open("rb") as source, files.open_output_stream(path, compression=None) as stream:
            while block := source.read(_BLOCK):
                stream.write(block)

    def delete(self, uri: str) -> None:
        """Deletes a file, if it exists."""
        files, path = self._open(uri)
        if files.get_file_info(path).type == fs.FileType.File:
            files.delete_file(path)


class HadoopStorage:
    """Hadoop's file systems, through the shell that is part of every Spark installation: a process for each file."""

    def _command(self, *arguments: str) -> list[str]:
        home = os.environ.get("SPARK_HOME")
        if not home:
            import pyspark

            home = str(Path(pyspark.__file__).parent)
        # The configuration of the cluster, if there is one, goes first.
        places = [os.environ.get("HADOOP_CONF_DIR") or _configuration(), f"{home}/jars/*"]
        java = f"{os.environ['JAVA_HOME']}/bin/java" if os.environ.get("JAVA_HOME") else "java"
        return [java, "-cp", ":".join(places), "org.apache.hadoop.fs.FsShell", *arguments]

    def _run(self, *arguments: str) -> str:
        run = subprocess.run(self._command(*arguments), capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise OSError(_reason(run.stderr) or f"hadoop fs {arguments[0]} failed")
        return run.stdout

    def list(self, uri: str) -> Iterator[Entry]:
        """All files below a folder, in order of their names."""
        try:
            text = self._run("-ls", "-R", uri)
        except OSError as error:
            if "No such file" in str(error):
                return
            raise
        entries = []
        for line in text.splitlines():
            # Permissions, replicas, owner, group, size, date, time, name.
            parts = line.split(None, 7)
            if len(parts) == 8 and parts[0].startswith("-"):
                moment = time.mktime(time.strptime(f"{parts[5]} {parts[6]}", "%Y-%m-%d %H:%M"))
                entries.append(Entry(parts[7], int(parts[4]), int(moment)))
        yield from sorted(entries, key=lambda entry: entry.uri)

    @contextlib.contextmanager
    def read(self, uri: str) -> Iterator[BinaryIO]:
        """Opens a file for reading."""
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(self._command("-cat", uri), stdout=subprocess.PIPE, stderr=errors)
            try:
                yield cast(BinaryIO, process.stdout)
            finally:
                if process.stdout:
                    process.stdout.close()
                if process.wait() != 0:
                    errors.seek(0)
                    raise OSError(_reason(errors.read().decode(errors="replace")) or f"{uri} cannot be read")

    def write(self, uri: str, octets: bytes) -> None:
        """Writes a file."""
        with tempfile.NamedTemporaryFile() as file:
            file.write(octets)
            file.flush()
            self.put(Path(file.name), uri)

    def put(self, local: Path, uri: str) -> None:
        """Copies a local file. Hadoop's shell writes under another name and renames."""
        self._run("-mkdir", "-p", uri.rsplit("/", 1)[0])
        self._run("-put", "-f", str(local), uri)

    def delete(self, uri: str) -> None:
        """Deletes a file, if it exists."""
        self._run("-rm", "-f", "-skipTrash", uri)


@functools.cache
def _configuration() -> str:
    """A folder with the file that Hadoop's shell requires, for machines without a configuration."""
    folder = tempfile.mkdtemp(prefix="weir-fleet-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (Path(folder) / "core-site.xml").write_text("<configuration/>\n")
    return folder


def _reason(text: str) -> str:
    """The line that says why, without the log lines around it."""
    noise = re.compile(r"\b(WARN|INFO)\b|SLF4J|log4j|^\s+at ")
    lines = [line for line in text.splitlines() if line and not noise.search(line)]
    return lines[-1] if lines else ""
