"""Writes random regular expressions with RE2's answers, a case a line, to standard output.

    python3 -m venv venv && venv/bin/pip install google-re2
    venv/bin/python re2_cases.py [COUNT] [SEED] > re2.jsonl

A case has a pattern and texts; for each text the places of the leftmost match and its groups in code points (-1, -1 for
a group that took no part), or null without a match. `refused` marks a pattern that RE2 rejects. Unsupported features
(`\\C`, scripts) and features that RE2 leaves to its binding (duplicate group names) are not generated.
"""

import json
import random
import sys

import re2

count = int(sys.argv[1]) if len(sys.argv) > 1 else 600
random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
options = re2.Options()
options.log_errors = False

letters = list("aAbBcCkKsSzZ019_- .\n\t") + ["\u212a", "\u017f", "\u00e9", "\u00c9", "\u00df", "\u1e9e", "\u03c3",
           "\u03c2", "\u03a3", "\u0130", "\u0131", "\u01c4", "\u01c5", "\u01c6", "\u20ac", "\U0001d400", "\u00b5",
           "\u039c", "\u03bc", "\u2028"]
categories = ["L", "Lu", "Ll", "Lt", "N", "Nd", "P", "S", "Sc", "Z", "Zs", "C", "Cc", "Any", "^Lu", "^L"]
posix = ["alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
         "word", "xdigit"]
pick = random.choice


def literal():
    kind = random.random()
    if kind < 0.75:
        letter = pick(letters)
        return "\\" + letter if letter in "-." and random.random() < 0.5 else letter
    if kind < 0.8:
        return pick(["\\x41", "\\x{212A}", "\\x{73}", "\\x6b", "\\x{00053}", "\\x{D800}"])
    if kind < 0.87:
        return pick(["\\101", "\\141", "\\0", "\\07", "\\012", "\\153", "\\1", "\\8", "\\19", "\\777", "\\60"])
    if kind < 0.95:
        return pick(["\\n", "\\t", "\\a", "\\f", "\\v", "\\r", "\\.", "\\*", "\\\\", "\\_", "\\-"])
    return pick(["\\e", "\\Z", "\\h", "\\E", "\\u0041", "\\q", "]", "}", "{", "{1", "a{,2}", "a{01}", "\\"])


def group_class():
    kind = random.random()
    if kind < 0.4:
        return pick(["\\d", "\\D", "\\s", "\\S", "\\w", "\\W"])
    name = pick(categories)
    letter = pick("pP")
    return "\\" + letter + (name if len(name) == 1 and random.random() < 0.5 else "{" + name + "}")


def bracket():
    text = "[" + ("^" if random.random() < 0.3 else "")
    for _ in range(random.randint(1, 4)):
        kind = random.random()
        if kind < 0.35:
            text += pick(["a", "k", "S", "z", "0", "\u017f", "\u212a", "\u03c3", "\\-", "-", "_", "\\n", "\\101"])
        elif kind < 0.6:
            first, last = sorted([pick("aAkKsSzZ09"), pick("aAkKsSzZ09")])
            text += (first + "-" + last) if random.random() < 0.95 else (last + "-" + first)
        elif kind < 0.8:
            text += group_class()
        elif kind < 0.95:
            text += "[:" + ("^" if random.random() < 0.3 else "") + pick(posix) + ":]"
        else:
            text += pick(["[:", "[:foo:]", "\\d-z", "a-\\d", "[", "]"])
    return text + ("]" if random.random() < 0.98 else "")


def atom(depth):
    kind = random.random()
    if kind < 0.5 or depth == 0:
        return literal()
    if kind < 0.6:
        return pick([".", "^", "$", "\\b", "\\B", "\\A", "\\z"])
    if kind < 0.68:
        return group_class()
    if kind < 0.78:
        return bracket()
    if kind < 0.82:
        return "\\Q" + pick(["a", "a.", "k+", "", "(", "s\\"]) + pick(["\\E", "\\E", "\\E", ""])
    if kind < 0.88:
        return "(?" + flags() + ")"
    opening = pick(["(", "(", "(", "(?:", "(?" + flags() + ":"])
    return opening + choice(depth - 1) + (")" if random.random() < 0.99 else "")


def flags():
    on = "".join(random.sample("imsU", random.randint(0, 2)))
    off = "-" + "".join(random.sample("imsU", random.randint(0, 2))) if random.random() < 0.3 else ""
    return on + off


def part(depth):
    text = atom(depth)
    if random.random() < 0.35:
        text += pick(["*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{1,2}", "{0,2}", "{1,}", "{2,}?", "{0,1}?"])
        if random.random() < 0.03:
            text += pick(["*", "+", "{2}", "{1001}", "{2,1}", "{1000}"])
    return text


def choice(depth):
    branches = []
    for _ in range(pick([1, 1, 1, 2, 2, 3])):
        branches.append("".join(part(depth) for _ in range(random.randint(0, 3))))
    return "|".join(branches)


def text():
    return "".join(pick(letters) for _ in range(random.randint(0, 6)))


# Which code points a fold or a category has is asked for each of these.
probes = letters + [chr(c) for c in range(128)] + list("\u00aa\u00b2\u0660\u2160\u00ab\u2013\u00a0\u200b\ufeff\u0301")

for number in range(count):
    pattern = choice(3)
    if number % 5 == 0:
        pattern = "(?i)" + pick([literal(), group_class(), bracket()])
    texts = [text() for _ in range(3)]
    if number % 5 == 0:
        texts += random.sample(probes, 6)
    if "\\B" in pattern:
        # RE2 looks for it between the bytes of a code point as well.
        texts = [sample for sample in texts if sample.isascii()]
    try:
        compiled = re2.compile(pattern, options)
    except re2.error:
        print(json.dumps({"pattern": pattern, "refused": True}))
        continue
    answers = []
    for sample in texts:
        match = compiled.search(sample)
        answers.append([list(match.span(i)) for i in range(compiled.groups + 1)] if match else None)
    print(json.dumps({"pattern": pattern, "texts": texts, "answers": answers}))
