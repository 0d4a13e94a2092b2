"""Makes the package ``benchmarks`` at the root of the repository importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
