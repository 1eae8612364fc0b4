"""The program for spark-submit, which runs a file."""

from weir_fleet.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
