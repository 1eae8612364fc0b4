"""Runs a program under callgrind."""
import os
import subprocess


def stripped(program, target):
    """Copies a program without its debug information, some of which valgrind cannot read; returns the path of the copy."""
    subprocess.run(["strip", "--strip-debug", "-o", target, program], check=True)
    return target


def run(program, words, profile, *options):
    """Runs a program, which may fail, and writes its profile; returns the finished process with what valgrind said."""
    return subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *options, program, *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
        env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})
