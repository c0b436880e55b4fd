"""The bounds of measured costs, in the file that `bin/bench --check` compares with."""
import json
import math
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "bounds.json"


def add_options(parser):
    """Adds the parts and the options that all benchmark programs have."""
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--quick", action="store_true", help="measure less")
    parser.add_argument("--shared", action="store_true", help="ignored: processor time and memory are measured in any case")
    parser.add_argument("--check", action="store_true", help="compare with the bounds")
    parser.add_argument("--set-bounds", action="store_true", help="set the bounds to nine tenths of what is reached")
    parser.add_argument("--margin", type=float, default=0, help="the percentage of a bound that is left to noise")


class Bounds:
    """Costs, each with an aim: the ratio of the aim to the cost is compared, or set to nine tenths of what was reached."""

    def __init__(self, options):
        self.options = options
        self.bounds = json.loads(FILE.read_text())
        self.passed, self.complaints = 0, []
        print(f"{'cost':44}{'reached':>14}{'aim':>12}")

    def note(self, key, cost, unit, aim):
        """Takes a cost, and prints it beside its aim."""
        print(f"{key:44}{cost:>11.2f} {unit:<3}{aim:>8} {unit}", flush=True)
        ratio = aim / max(cost, 1e-9)
        if self.options.set_bounds:
            bound = ratio * 0.9
            digits = max(2, 1 - math.floor(math.log10(bound)))
            self.bounds["bounds"][key] = {"ratio": math.floor(bound * 10 ** digits) / 10 ** digits}
        if self.options.check:
            bound = self.bounds["bounds"].get(key, {}).get("ratio")
            if bound is None:
                self.complaints.append(f"{key}: there is no bound; --set-bounds sets it")
            elif ratio < bound * (1 - self.options.margin / 100):
                self.complaints.append(f"{key}: {ratio:.2f} of its aim, the bound is {bound:.2f}")
            else:
                self.passed += 1

    def finish(self):
        """Writes the bounds, or the complaints and `N passed, N failed`; returns the status of the program."""
        if self.options.set_bounds:
            FILE.write_text(json.dumps(self.bounds, indent=2, sort_keys=True, separators=(",", " : "), ensure_ascii=False) + "\n")
        if not self.options.check:
            return 0
        for complaint in self.complaints:
            print(f"out of bounds: {complaint}")
        print(f"{self.passed} passed, {len(self.complaints)} failed")
        return 1 if self.complaints else 0

    def run(self, parts):
        """Measures the parts of the options, or all, and calls `finish`. Takes the functions that measure, by part."""
        unknown = [part for part in self.options.parts if part not in parts]
        if unknown:
            sys.exit(f"no such part: {unknown[0]}; parts: {', '.join(parts)}")
        for part, measure in parts.items():
            if not self.options.parts or part in self.options.parts:
                measure()
        return self.finish()
