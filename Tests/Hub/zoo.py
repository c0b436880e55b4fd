"""A zoo of random documents, operations, and accidents, against a model of what must hold.

Usage: zoo.py SLUICE ROUNDS [--seed S] [--jobs N] [--disks] [--preload LIBRARIES] [--shrink SECONDS] [--script FILE]

Each round writes a script by its seed: documents that refer to each other, groups, edits, renames, deletions, commands, kills
(also in the middle of a request), sources that can't be reached, a full disk (`--disks`, in a
mount namespace of its own), and jumps of the clock (`--preload`, with Debian's faketime). After each step and each kill the hub has
what it has acknowledged; the outputs of each run are numbered without gap or duplicate, and equal those of an uninterrupted
run in virtual time.

A script after which something does not hold is shrunk, and printed with its seed; `--seed` repeats its round, and `--script`
runs a script of a file. Ends with `N passed, N failed`.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from seeds import chosen_seed
from zoo_round import Round
from zoo_scripts import script
from zoo_world import Violation

arguments = argparse.ArgumentParser()
arguments.add_argument("sluice")
arguments.add_argument("rounds", type=int, nargs="?", default=1)
arguments.add_argument("--seed", type=int)
arguments.add_argument("--jobs", type=int, default=3)
arguments.add_argument("--disks", action="store_true", help="mount disks: only in a mount namespace of its own")
arguments.add_argument("--preload", default="", help="libraries by which the clock can jump")
arguments.add_argument("--shrink", type=float, default=120)
arguments.add_argument("--script")
options = arguments.parse_args()

printing = threading.Lock()


def say(*lines):
    with printing:
        print(*lines, sep="\n", flush=True)


def can_mount():
    """Returns whether disks in memory can be mounted here."""
    if not options.disks:
        return False
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True)
        if done.returncode == 0:
            subprocess.run(["umount", folder], check=True)
        return done.returncode == 0


def failure(steps):
    """Runs a script; returns what does not hold, or None."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            Round(options.sluice, folder, has_disk, options.preload).perform(steps)
        except Violation as violation:
            return str(violation)
        except Exception:
            return traceback.format_exc()
    return None


def shrunk(steps, reason, seconds):
    """Returns a shorter script that fails too, and its reason, found by leaving out parts; scripts depend on chance, and get
    two attempts each."""
    end, size = time.monotonic() + seconds, max(1, len(steps) // 2)
    while size:
        index = 0
        while index < len(steps) and time.monotonic() < end:
            candidate = steps[:index] + steps[index + size:]
            found = failure(candidate) or failure(candidate)
            if found:
                steps, reason = candidate, found
            else:
                index += size
        size //= 2
    return steps, reason


def perform(seed):
    """Performs the round of a seed; returns whether everything held."""
    begin = time.monotonic()
    steps = script(seed, has_disk, bool(options.preload))
    reason = failure(steps)
    if not reason:
        say(f"ok seed {seed}: {len(steps)} operations in {time.monotonic() - begin:.1f} s")
        return True
    say(f"FAILED seed {seed}: {reason}", "shrinking …")
    steps, reason = shrunk(steps, reason, options.shrink)
    lines = ",\n ".join(json.dumps(step) for step in steps)
    say(f"FAILED seed {seed}: {reason}", f"repeat it with: --seed {seed}; the shortest script that fails:", f"[{lines}]")
    return False


has_disk = can_mount()
if options.script:
    reason = failure(json.loads(Path(options.script).read_text()))
    say(f"FAILED {reason}" if reason else "ok", f"{int(not reason)} passed, {int(bool(reason))} failed")
    sys.exit(bool(reason))
first = options.seed if options.seed is not None else chosen_seed() * 1000
say(f"{options.rounds} rounds from seed {first}"
    + ("" if has_disk else "; without full disks") + ("" if options.preload else "; without jumps of the clock"))
with ThreadPoolExecutor(options.jobs) as pool:
    results = list(pool.map(perform, range(first, first + options.rounds)))
say(f"{sum(results)} passed, {len(results) - sum(results)} failed")
sys.exit(not all(results))
