"""Writes Sources/SluiceExpressions/RegularExpressions/CaseFolding+Runs.swift, from RE2's own case folding.

    python3 -m venv venv && venv/bin/pip install google-re2
    venv/bin/python case_folding.py > CaseFolding+Runs.swift
"""

import re2

options = re2.Options()
options.log_errors = False

candidates = set()
for code in list(range(0xD800)) + list(range(0xE000, 0x110000)):
    letter = chr(code)
    for other in (letter.lower(), letter.upper(), letter.title(), letter.casefold()):
        if len(other) == 1 and other != letter:
            candidates |= {code, ord(other)}
text = "".join(map(chr, sorted(candidates)))

following = {}
for code in sorted(candidates):
    ring = sorted(ord(x) for x in re2.compile("(?i)\\x{%x}" % code, options).findall(text))
    if len(ring) > 1:
        following[code] = ring[(ring.index(code) + 1) % len(ring)]

runs, used = [], set()
for code in sorted(following):
    if code in used:
        continue
    best = None
    for step in (1, 2):
        distance, last = following[code] - code, code
        while last + step in following and last + step not in used and following[last + step] - last - step == distance:
            last += step
        length = (last - code) // step + 1
        if best is None or length > best[0]:
            best = (length, last, step, distance)
    length, last, step, distance = best
    used |= set(range(code, last + 1, step))
    runs.append((code, last, 1 if length == 1 else step, distance))

print("""// Made by Tests/SluiceExpressionsTests/Oracles/case_folding.py from RE2's case folding; not edited by hand.

extension CaseFolding {
    /// Runs of four numbers: the first and the last code point, the step within the run, and the distance to the next
    /// code point that differs only in case. The last of such code points leads back to the first.
    static let runs: [Int32] = [""")
line = "       "
for run in runs:
    piece = " " + ", ".join(map(str, run)) + ","
    if len(line) + len(piece) > 118:
        print(line)
        line = "       "
    line += piece
print(line + "\n    ]\n}")
