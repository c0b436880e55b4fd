"""What must hold of a hub in the zoo: a model of its documents, groups, and runs."""
import copy
import json
import subprocess
from pathlib import Path

from zoo_documents import BASES, EVENTS, POLL, document
from zoo_world import Violation

ENDED = {"idle", "blocked"}


class Run:
    """A run as it must be."""

    def __init__(self, number, states, chain):
        self.number = number
        self.states = set(states)
        # The specs that it was begun with, its own first, then those that it refers to.
        self.chain = chain
        # The number of outputs that must be those of an uninterrupted run; all of them where it is None.
        self.exact = None
        # The time of the run, where it is paused.
        self.time = None

    def allows(self, status):
        if self.number is not None and status["run"] != self.number:
            return False
        # A run that was stopped is shown as blocked where its document can't run; one that has completed or failed is not.
        if status["state"] not in self.states:
            return False
        return self.time is None or status["state"] != "paused" or status["time"] == self.time

    def __str__(self):
        return f"run {self.number}, {'/'.join(sorted(self.states))}" + (f" at {self.time}" if self.time is not None else "")


class Model:
    """The documents, groups, and runs of a hub as they must be."""

    def __init__(self, feeds):
        self.feeds = feeds
        self.specs, self.last, self.revisions, self.groups = {}, {}, {}, {}
        # The runs that a stream may have: several where nothing was promised.
        self.runs = {}
        # All runs of a stream by their numbers.
        self.begun = {}
        # The number of the last run of an id that was seen and stored; no number is used twice, not even after a removal.
        self.numbers = {}

    def copy(self):
        return copy.deepcopy(self)

    # MARK: Documents

    def name(self, id):
        return self.last[id]["name"] if id in self.last else f"Name of {id}"

    def written(self, spec):
        """Returns a spec with the text of its reference."""
        spec = copy.deepcopy(spec)
        ref = spec["ref"]
        if ref and "text" not in ref:
            ref["text"] = self.name(ref["id"]) if ref["is_by_name"] else ref["id"]
        return spec

    def document(self, spec):
        return document(spec, feeds=self.feeds)

    def put(self, spec, revision=None):
        id = spec["id"]
        self.specs[id] = self.last[id] = spec
        self.runs.setdefault(id, [Run(None, ENDED, [spec])])
        self.begun.setdefault(id, {})
        if revision is not None:
            self.revisions.setdefault(id, {})[revision] = spec

    def remove(self, id):
        for table in (self.specs, self.runs, self.begun, self.revisions):
            table.pop(id, None)
        for members in self.groups.values():
            members.discard(id)

    def rename(self, id, name, rewrites):
        old = self.specs[id]["name"]
        for other in self.specs:
            ref = self.specs[other]["ref"]
            if rewrites and old != name and other != id and ref and ref.get("text") == old:
                self.put(dict(self.specs[other], ref=dict(ref, text=id)))
        self.put(dict(self.specs[id], name=name))

    def target(self, spec):
        """Returns the spec that a spec refers to, or None."""
        text = spec["ref"] and spec["ref"]["text"]
        if text in self.specs:
            return self.specs[text]
        return next((other for other in self.specs.values() if other["name"] == text), None)

    def chain(self, spec):
        """Returns a spec and all that it refers to, and whether all of them are there."""
        chain, is_whole = [spec], True
        while chain[-1]["ref"]:
            found = self.target(chain[-1])
            if not found:
                is_whole = False
                found = self.last.get(chain[-1]["ref"]["id"])
                if not found:
                    break
            if any(found["id"] == other["id"] for other in chain):
                return chain, False
            chain.append(found)
        return chain, is_whole

    def affected(self, id):
        """Returns the ids of a document and of all that depend on it."""
        found = {id}
        while True:
            more = {other for other, spec in self.last.items() if spec["ref"] and spec["ref"]["id"] in found} - found
            if not more:
                return found
            found |= more

    # MARK: Runs

    def see(self, id, status):
        """Notes the number of a run that a hub shows."""
        if "warning" not in status:
            self.numbers[id] = max(self.numbers.get(id, 0), status["run"])

    def begin(self, id, number):
        """Returns a run that begins now."""
        chain, _ = self.chain(self.specs[id])
        run = Run(number, {"running", "completed"}, chain)
        self.begun[id][number] = run
        return run

    def disturb(self, ids, counts):
        """Notes that runs are edited, so that their values are no longer those of an uninterrupted run."""
        for id in ids:
            for run in self.runs.get(id, []) + list(self.begun.get(id, {}).values()):
                count = sum(1 for output in counts.get(id, []) if output["run"] == run.number)
                run.exact = count if run.exact is None else min(count, run.exact)
                if "running" in run.states or "paused" in run.states:
                    run.states |= {"completed", "failed"}


class Oracle:
    """Uninterrupted runs in virtual time."""

    def __init__(self, sluice, folder):
        self.sluice, self.folder, self.known = sluice, Path(folder), {}

    def events(self, chain, until):
        """Returns the events of a run by then, each a time and a value or "completed"."""
        key = json.dumps([(spec["id"], spec["shape"]) for spec in chain])
        if key in self.known and self.known[key][0] >= until:
            return self.known[key][1]
        folder = self.folder / str(len(list(self.folder.iterdir())))
        folder.mkdir()
        for spec in chain:
            whole = dict(spec, ref=spec["ref"] and dict(spec["ref"], text=spec["ref"]["id"]))
            (folder / f"{spec['id']}.json").write_text(json.dumps(document(whole)))
        end = until * 1.5 + 2
        done = subprocess.run([self.sluice, "run", f"{folder}/{chain[0]['id']}.json", "--virtual", "--until", str(end)],
                              capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise Violation(f"sluice run: {done.stderr}")
        events = [event(json.loads(line)) for line in done.stdout.splitlines()]
        self.known[key] = (end, events)
        return events


def event(json):
    """Returns the time and the value of an event, without the marks of edits."""
    if "value" in json:
        value = json["value"]
        return json["time"], value["v"] if isinstance(value, dict) and "v" in value else value
    return json["time"], "completed" if json.get("completed") else "failed"


def check_outputs(id, run, outputs, oracle):
    """Checks the outputs of one run.

    - Throws: Violation where a value is not that of an uninterrupted run.
    """
    last = 0
    for index, output in enumerate(outputs):
        if output["sequence"] != index + 1:
            raise Violation(f"{id}: run {run.number} has the output {output} in place of {index + 1}")
        if output["time"] < last:
            raise Violation(f"{id}: the times of run {run.number} go backward at {output}")
        last = output["time"]
    if not outputs or not run.chain:
        return
    if id in (POLL, EVENTS):
        before = 0
        for output in outputs:
            value = output.get("value") or {}
            if value.get("c") != output["sequence"]:
                raise Violation(f"{id}: run {run.number} has counted wrongly at {output}")
            if value["v"] <= before or id == EVENTS and value["v"] != before + 1:
                raise Violation(f"{id}: run {run.number} has {output} after the item {before}")
            before = value["v"]
        return
    exact = outputs if run.exact is None else outputs[:run.exact]
    if not exact:
        return
    expected = oracle.events(run.chain, exact[-1]["time"])
    for index, output in enumerate(exact):
        wanted = expected[index] if index < len(expected) else None
        if event(output) != wanted:
            raise Violation(f"{id}: run {run.number} has the output {output}, an uninterrupted run {wanted}")


def check_complete(id, run, outputs, oracle, time):
    """Checks that nothing is missing of a run that is paused at a time."""
    if id in (POLL, EVENTS) or run.exact is not None or not run.chain:
        return
    expected = [found for found in oracle.events(run.chain, time) if found[0] < time]
    if len(outputs) < len(expected):
        raise Violation(f"{id}: run {run.number} has {len(outputs)} outputs at {time} s, and an uninterrupted run has "
                        f"{len(expected)}: next is {expected[len(outputs)]}")


def mark_of(chain):
    """Returns the marks that outputs have when all edits have arrived: of the document, and of its base.

    The mark of the base is None where a stage may have passed its last value, which others still repeat, and where items from
    before the edit may wait for their partners longer than the test does: a zip with a slower stream holds hundreds of them.
    """
    texts = json.dumps([spec["operators"] for spec in chain])
    if '"prefix"' in texts or '"distinct"' in texts or '"zip"' in texts:
        return chain[0]["mark"], None
    return chain[0]["mark"], chain[-1]["mark"] if chain[-1]["id"] in BASES else 0
