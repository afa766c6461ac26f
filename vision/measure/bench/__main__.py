"""``python -m vision.measure.bench FOLDER`` writes its table into vision/README.md."""

import sys
from pathlib import Path

from vision.measure.accuracy import refresh
from vision.measure.bench.every_set import measure
from vision.measure.bench.rows import as_table

TABLES = 30
TRACED = 12

README = Path(__file__).parents[2] / "README.md"

if __name__ == "__main__":
    text = as_table(measure(Path(sys.argv[1]), TABLES, TRACED))
    refresh(README, text, "bench")
    sys.stdout.write(text + "\n")
