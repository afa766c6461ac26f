"""``python -m vision.measure.bench FOLDER`` writes its table into vision/README.md."""

import sys
from pathlib import Path

from vision.measure.accuracy import write_table
from vision.measure.bench.every_set import bench_rows
from vision.measure.bench.rows import bench_table

TABLES = 30
TRACED = 12

README = Path(__file__).parents[2] / "README.md"

if __name__ == "__main__":
    text = bench_table(bench_rows(Path(sys.argv[1]), TABLES, TRACED))
    write_table(README, text, "bench")
    sys.stdout.write(text + "\n")
