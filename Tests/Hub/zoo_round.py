"""One round of the zoo: a script that runs against a hub, and a model of what must hold."""
import copy
import threading
import time
from pathlib import Path

from zoo_documents import EVENTS, POLL
from zoo_model import ENDED, Model, Oracle, Run, check_complete, check_outputs, mark_of
from zoo_world import PATIENCE, Disk, Feeds, HubProcess, Violation, WallClock


class Round:
    """A hub, its surroundings, and its model."""

    def __init__(self, sluice, folder, has_disk, libraries):
        self.sluice, self.folder = sluice, Path(folder)
        for name in ("disk", "oracle"):
            (self.folder / name).mkdir()
        self.disk = Disk(str(self.folder / "disk"), has_disk)
        self.clock = WallClock(libraries, self.folder / "clock")
        self.feeds = Feeds()
        self.oracle = Oracle(sluice, self.folder / "oracle")
        # What the hub may be like: several where it was killed before it answered.
        self.models = [Model(self.feeds.address)]
        # What a consumer has read of each stream.
        self.outputs, self.cursors = {}, {}
        # The streams whose runs were removed since their cursors were last used in vain.
        self.forgotten = set()
        self.restart, self.hub = "never", None

    @property
    def model(self):
        return self.models[0]

    def perform(self, script):
        """Runs a script.

        - Throws: Violation where something does not hold.
        """
        try:
            for operation in script:
                if operation["do"] == "hub":
                    self.restart = operation["restart"]
                    continue
                if not self.hub:
                    self.launch()
                self.do(operation)
                if operation["do"] not in ("wait", "feeds", "clock", "disk", "kill", "end", "crash"):
                    self.verify()
            if self.hub:
                self.settle()
        finally:
            if self.hub and not self.hub.is_killed:
                self.hub.kill()
            self.feeds.close()
            self.disk.remove()

    # MARK: The process

    def launch(self):
        options = ["--restart", self.restart, "--allow", f"127.0.0.1:{self.feeds.port}"]
        self.hub = HubProcess(self.sluice, str(self.folder / "disk" / "hub.sqlite"), self.folder / "log", options,
                              self.clock.environment)

    def relaunch(self, down=0):
        time.sleep(down)
        try:
            self.launch()
        except Violation:
            # A hub may refuse to start on a full disk: it says so, and starts when there is room.
            if not self.disk.is_full:
                raise
            self.disk.free()
            self.launch()
        self.verify()

    def ask(self, method, path, body=None, headers=None):
        return self.hub.ask(method, path, body, headers)

    # MARK: Operations

    def do(self, operation):
        kind = operation["do"]
        if kind == "wait":
            time.sleep(operation["seconds"])
        elif kind == "kill":
            self.hub.kill()
            self.relaunch(operation["down"])
        elif kind == "end":
            self.hub.terminate()
            self.relaunch(operation["down"])
        elif kind == "crash":
            self.crash(operation)
        elif kind == "feeds":
            self.feeds.change(operation["mode"])
        elif kind == "disk":
            self.disk.fill() if operation["is_full"] else self.disk.free()
        elif kind == "clock":
            self.clock.jump(operation["seconds"])
        elif kind == "group":
            self.group(operation)
        elif kind in ("start", "stop", "pause", "resume", "step", "speed", "reset"):
            self.command(kind, operation["id"], operation)
        else:
            self.write(kind, operation)

    def crash(self, operation):
        """Kills the hub during an operation."""
        failures = []

        def work():
            try:
                self.do(operation["operation"])
            except Exception as failure:
                failures.append(failure)

        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(operation["after"])
        self.hub.kill()
        thread.join()
        if failures:
            raise failures[0]
        self.relaunch()

    def promise(self, answer, change):
        """Notes the effect of a request: `change` makes it in a model."""
        if answer.status and not answer.is_done:
            return
        after = self.model.copy()
        change(after)
        self.models = [after] if answer.is_done else [self.model, after]

    def revision(self, id):
        """Returns the revision of a stream; None where there is no such stream."""
        answer = self.ask("GET", "/streams")
        if not answer.is_done:
            return None
        return next((head["revision"] for head in answer.json if head["id"] == id), None)

    def write(self, kind, operation):
        model, spec, query = self.model, operation.get("spec"), ""
        id = spec["id"] if spec else operation["id"]
        if (id in model.specs) == (kind in ("create", "recreate")) or kind == "recreate" and id not in model.last:
            return
        old = model.last.get(id)
        marks = max([found["mark"] for found in [old, *model.revisions.get(id, {}).values()] if found] or [0])
        revision = self.revision(id)
        if kind not in ("create", "recreate") and revision is None:
            return
        match = {"If-None-Match": "*"} if revision is None else {"If-Match": f'"{revision}"'}
        is_same = kind in ("mark", "recreate", "rename", "delete") or kind == "create" and not old
        if kind == "rollback":
            spec = model.revisions.get(id, {}).get(revision - 1)
            if not spec or spec["shape"] != old["shape"]:
                return
        elif kind in ("mark", "recreate"):
            spec = dict(copy.deepcopy(old), mark=marks + 1)
        elif kind in ("replace", "create"):
            spec = model.written(dict(spec, mark=marks + 1))
        elif kind == "rename":
            spec = dict(copy.deepcopy(old), name=operation["name"])
            query = {"plain": "", "keep": "?dependents=keep", "rewrite": "?references=rewrite"}[operation["how"]]
        elif operation["keep"]:
            query = "?dependents=keep"
        is_other = not is_same or old is not None and spec is not None and spec["shape"] != old["shape"]
        affected = model.affected(id) if is_other else []
        counts = {other: self.read(other) for other in affected if other in model.specs}
        path = f"/streams/{id}"
        if kind == "delete":
            answer = self.ask("DELETE", path + query, headers=match)
        elif kind == "rollback":
            answer = self.ask("POST", path + "/rollback", {"revision": revision - 1}, match)
        else:
            answer = self.ask("PUT", path + query, model.document(spec), match)
        if answer.status in (400, 422):
            raise Violation(f"{operation} is answered with {answer}: the zoo has written a document that is not valid")
        if answer.status == 507 and not self.disk.is_full or answer.status >= 500 and answer.status != 507:
            raise Violation(f"{operation} is answered with {answer}, with {self.disk.free_bytes} bytes free")

        def change(after):
            if kind == "delete":
                return after.remove(id)
            after.disturb(affected, counts)
            if kind == "rename":
                after.rename(id, spec["name"], operation["how"] == "rewrite")
            else:
                after.put(copy.deepcopy(spec))
            after.revisions.setdefault(id, {})[(revision or 0) + 1] = after.specs[id]

        self.promise(answer, change)
        if kind == "delete" and answer.is_done:
            self.forget(id)

    def group(self, operation):
        verb, group, id = operation["verb"], operation["group"], operation["id"]
        path = f"/groups/{group}" + (f"/streams/{id}" if verb in ("add", "remove") else "")
        if verb != "create" and group not in self.model.groups or verb == "add" and id not in self.model.specs:
            return
        if verb == "remove" and id not in self.model.groups[group]:
            return
        answer = self.ask("PUT" if verb in ("create", "add") else "DELETE", path)
        if answer.status >= 400 and not (answer.status == 507 and self.disk.is_full):
            raise Violation(f"{operation} is answered with {answer}")

        def change(after):
            if verb == "create":
                after.groups.setdefault(group, set())
            elif verb == "delete":
                after.groups.pop(group, None)
            elif verb == "add":
                after.groups[group].add(id)
            else:
                after.groups[group].discard(id)

        self.promise(answer, change)

    def command(self, verb, id, operation):
        model = self.model
        if id not in model.specs:
            return
        if verb == "reset":
            self.read(id)
        body = {"speed": operation["speed"]} if verb == "speed" else None
        answer = self.ask("POST", f"/streams/{id}/{verb}", body)
        _, is_whole = model.chain(model.specs[id])
        if answer.status >= 400:
            is_expected = answer.status in (503, 507) and self.disk.is_full or answer.status == 409 and verb == "resume" \
                or answer.status in (409, 422) and not is_whole
            if not is_expected:
                raise Violation(f"{operation} is answered with {answer}")
            return
        if answer.is_done and verb == "start" and not is_whole:
            raise Violation(f"{operation} has begun a run of a document that can't run: {answer}")
        old = model.runs[id]
        if answer.is_done:
            status = answer.json
            model.see(id, status)
            if verb == "reset":
                self.forget(id)
                model.begun[id] = {}
                new = not_begun(model, id)
            else:
                new = self.commanded(verb, id, status)
            # Where the store refuses to take it, the answer says so, and nothing is promised.
            model.runs[id] = old + [new] if "warning" in status else [new]
            return
        number = max([run.number or 0 for run in old])
        if verb == "start" or verb == "resume" and number == 0:
            model.runs[id] = old + [model.begin(id, max(number, model.numbers.get(id, 0)) + 1)]
        elif verb == "resume":
            model.runs[id] = old + [self.changed(run, {"running", "completed", "failed"}) for run in old]
        elif verb == "pause":
            model.runs[id] = old + [self.changed(run, {"paused", "completed"}) for run in old]
        else:
            model.runs[id] = old + [self.changed(run, ENDED | {"completed"}) for run in old]

    def changed(self, run, states):
        after = copy.copy(run)
        after.states, after.time = set(states), None
        return after

    def commanded(self, verb, id, status):
        """Returns a run after a command, as the answer says."""
        model, number, state = self.model, status["run"], status["state"]
        old = next((run for run in model.runs[id] if run.number == number), None)
        if verb == "start" and old:
            raise Violation(f"{id}: a start has begun no run: {status}")
        if state == "failed" and (not old or "failed" not in old.states):
            raise Violation(f"{id}: the run has failed: {status}")
        # After a reset, the number of the run that was discarded is shown until the hub is started again.
        if not number or not old and state in ENDED:
            return not_begun(model, id)
        run = copy.copy(old) if old else model.begin(id, number)
        model.begun[id][number] = run
        allowed = {"start": {"running", "completed"}, "resume": {"running", "completed"}, "stop": ENDED | {"completed"},
                   "pause": {"paused", "completed"} | ENDED, "step": {"paused", "completed"}}.get(verb)
        if allowed and state not in allowed and state != "failed" and not (old and verb == "pause" and state in old.states):
            raise Violation(f"{id}: after {verb} the run is {status}")
        run.states, run.time = {state}, None
        if state == "running":
            run.states |= {"completed"}
        if run.exact is not None and state in ("running", "paused"):
            run.states |= {"failed"}
        if state in ENDED:
            run.states |= ENDED
        if state == "paused":
            run.time = status["time"]
        return run

    # MARK: What must hold

    def forget(self, id):
        """Forgets the outputs of runs that were removed. A consumer keeps its cursor, and misses no later output."""
        self.outputs.pop(id, None)
        self.forgotten.add(id)

    def read(self, id):
        """Returns all outputs of a stream, of which it reads those that are new."""
        outputs = self.outputs.setdefault(id, [])
        while True:
            answer = self.ask("GET", f"/streams/{id}/output?limit=1000&after={self.cursors.get(id, 'start')}")
            if answer.status in (0, 404):
                return outputs
            if answer.status == 410 and id in self.forgotten:
                self.forgotten.discard(id)
                self.cursors.pop(id, None)
                continue
            if not answer.is_done:
                raise Violation(f"{id}: after {self.cursors.get(id)} the outputs are answered with {answer}")
            page = answer.json
            for output in page:
                if outputs and (output["run"], output["sequence"]) <= (outputs[-1]["run"], outputs[-1]["sequence"]):
                    raise Violation(f"{id}: the output {output} comes after {outputs[-1]}")
                outputs.append(output)
            if page:
                self.cursors[id] = page[-1]["cursor"]
            if len(page) < 1000:
                return outputs

    def verify(self):
        """Checks the hub against each model that is possible, and keeps the first that fits."""
        failure = None
        for model in self.models:
            try:
                self.check(model)
                self.models = [model]
                # A deletion may have been stored without an answer.
                for id in set(self.outputs) - set(model.specs):
                    self.forget(id)
                return
            except Violation as violation:
                failure = failure or violation
        raise failure

    def check(self, model):
        heads = {head["id"]: head for head in self.ask("GET", "/streams").json if not head.get("isDefault")}
        if set(heads) != set(model.specs):
            raise Violation(f"there are the streams {sorted(heads)}, and must be {sorted(model.specs)}")
        for id, spec in model.specs.items():
            answer = self.ask("GET", f"/streams/{id}")
            if not answer.is_done or answer.json != model.document(spec):
                raise Violation(f"{id}: the document is {answer}, and must be {model.document(spec)}")
            model.revisions.setdefault(id, {})[heads[id]["revision"]] = spec
        found = {group["name"]: set(group["streams"]) for group in self.ask("GET", "/groups").json}
        for name in [*model.groups, *found]:
            if name != "all" and found.get(name) != model.groups.get(name):
                raise Violation(f"the group {name} has {found.get(name)}, and must have {model.groups.get(name)}")
        for id in model.specs:
            self.check_run(model, id)

    def check_run(self, model, id):
        status = self.ask("GET", f"/streams/{id}/run").json
        model.see(id, status)
        fitting = [run for run in model.runs[id] if run.allows(status)]
        if not fitting:
            allowed = " or ".join(map(str, model.runs[id]))
            raise Violation(f"{id}: the run is {short(status)}, and must be {allowed}")
        # What the hub shows may be lost as long as the store does not take it; a later run is lost already.
        model.runs[id] = [run for run in model.runs[id] if (run.number or 0) <= status["run"]] \
            if "warning" in status else fitting[:1]
        if "paused" in fitting[0].states and status["state"] == "paused":
            fitting[0].time = status["time"]
        if fitting[0].number in model.begun.get(id, {}):
            model.begun[id][fitting[0].number] = fitting[0]
        runs = {}
        for output in self.read(id):
            runs.setdefault(output["run"], []).append(output)
        for number, outputs in runs.items():
            if number not in model.begun[id]:
                raise Violation(f"{id}: there are outputs of run {number}, which was not begun: {outputs[0]}")
            check_outputs(id, model.begun[id][number], outputs, self.oracle)

    # MARK: The end

    def settle(self):
        """Has everything work again, and checks that all runs go on, have all edits, and miss nothing."""
        self.feeds.change("up")
        self.disk.free()
        self.verify()
        model = self.model
        going = [id for id in model.specs if self.status(id)["state"] == "running"]
        for id in going:
            self.until(f"{id}: the run continues", lambda: self.goes_on(id))
            self.until(f"{id}: the outputs are stored", lambda: "warning" not in self.status(id))
        for id in going:
            self.until(f"{id}: the edits arrive", lambda: self.has_edits(id))
        for id in going:
            answer = self.ask("POST", f"/streams/{id}/pause")
            if not answer.is_done:
                raise Violation(f"{id}: a pause is answered with {answer}")
            model.runs[id] = [self.commanded("pause", id, answer.json)]
        self.hub.terminate()
        self.launch()
        self.verify()
        for id in going:
            status = self.status(id)
            outputs = [output for output in self.read(id) if output["run"] == status["run"]]
            if status["state"] == "paused":
                check_complete(id, model.begun[id][status["run"]], outputs, self.oracle, status["time"])
        for id, outputs in list(self.outputs.items()):
            del self.outputs[id]
            self.cursors.pop(id, None)
            if id in model.specs and self.read(id) != outputs:
                raise Violation(f"{id}: one who reads all outputs at once does not find those that were read one by one")

    def status(self, id):
        return self.ask("GET", f"/streams/{id}/run").json

    def goes_on(self, id):
        """Returns whether the time of a run passes, or it has completed; of a source that was unreachable, items come."""
        before, count = self.status(id), len(self.read(id))
        if before["state"] != "running":
            return before["state"] in self.model.runs[id][0].states or before
        time.sleep(0.1)
        after = self.status(id)
        return len(self.read(id)) > count or id not in (POLL, EVENTS) and after["time"] > before["time"] or after

    def has_edits(self, id):
        """Returns whether the last output has the marks of the documents as they are now."""
        model = self.model
        chain, is_whole = model.chain(model.specs[id])
        status, outputs = self.status(id), self.read(id)
        if not is_whole or status["state"] != "running":
            return True
        if status["revision"] != self.revision(id):
            return status
        own, base = mark_of(chain)
        # An operator may hold back all that comes; then there is nothing to look at.
        count, end = len(outputs), time.monotonic() + 1
        while len(outputs) == count and time.monotonic() < end:
            time.sleep(0.05)
            outputs = self.read(id)
        if len(outputs) == count:
            return True
        value = outputs[-1].get("value", {})
        return value.get("m") == own and (base is None or value.get("b") in (base, -1)) or (outputs[-1], own, base)

    def until(self, what, holds):
        end = time.monotonic() + PATIENCE
        while (found := holds()) is not True:
            if time.monotonic() > end:
                found = short(found) if isinstance(found, dict) else found
                raise Violation(f"waited for {PATIENCE} s in vain: {what} ({found})")
            time.sleep(0.05)


def not_begun(model, id):
    """Returns the run of a stream that was not started."""
    return Run(None, ENDED, [model.specs[id]])


def short(status):
    return {key: value for key, value in status.items() if key != "stages"}
