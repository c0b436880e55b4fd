"""Random scripts of the zoo: lists of operations, each a dictionary of JSON.

An operation that makes no sense where it comes, such as an edit of a stream that is gone, is left out when the script runs,
so that any part of a script is a script.
"""
import random

from zoo_documents import BASES, EVENTS, POLL, STREAMS, spec

GROUPS = ["red", "green"]


class Writer:
    """Writes one script."""

    def __init__(self, seed, has_disk, has_clock):
        self.chance = random.Random(seed)
        self.shape = 0
        chance = self.chance
        used = chance.sample(BASES, chance.randint(1, 2)) + STREAMS[:chance.randint(1, len(STREAMS))]
        used += [feed for feed in (POLL, EVENTS) if chance.random() < 0.5]
        self.ids = used
        self.script = [{"do": "hub", "restart": chance.choice(["never", "on-failure"])}]
        self.script += [{"do": "create", "spec": self.spec(id)} for id in used]
        self.script += [{"do": "start", "id": id} for id in used if chance.random() < 0.9]
        kinds = [(self.write, 8), (self.command, 6), (self.group, 2), (self.wait, 4), (self.kill, 3), (self.crash, 4)]
        if POLL in used or EVENTS in used:
            kinds.append((self.feeds, 3))
        if has_disk:
            kinds.append((self.disk, 2))
        if has_clock:
            kinds.append((self.clock, 2))
        makers, weights = zip(*kinds)
        for _ in range(chance.randint(10, 18)):
            self.script.append(chance.choices(makers, weights)[0]())
        # Each script has one kill at least.
        self.script.append(self.kill())

    def spec(self, id):
        self.shape += 1
        return spec(self.chance, id, self.shape)

    def id(self):
        return self.chance.choice(self.ids)

    def write(self):
        chance, id = self.chance, self.id()
        kind = chance.choices(["mark", "replace", "rename", "delete", "recreate", "rollback"], [6, 2, 3, 2, 4, 1])[0]
        if kind == "replace" and id not in (POLL, EVENTS):
            return {"do": "replace", "spec": self.spec(id)}
        if kind == "rename":
            name = chance.choice([f"Name of {id}", f"Other name of {id}"])
            return {"do": "rename", "id": id, "name": name, "how": chance.choice(["plain", "keep", "rewrite"])}
        if kind == "delete":
            return {"do": "delete", "id": id, "keep": chance.random() < 0.7}
        return {"do": kind if kind != "replace" else "mark", "id": id}

    def command(self):
        chance, id = self.chance, self.id()
        verb = chance.choices(["start", "stop", "pause", "resume", "step", "speed", "reset"], [4, 2, 3, 5, 2, 2, 1])[0]
        if verb == "speed":
            return {"do": "speed", "id": id, "speed": chance.choice([0.25, 1, 2, 4])}
        return {"do": verb, "id": id}

    def group(self):
        chance = self.chance
        verb = chance.choice(["create", "create", "add", "add", "add", "remove", "delete"])
        return {"do": "group", "verb": verb, "group": chance.choice(GROUPS), "id": self.id()}

    def wait(self):
        return {"do": "wait", "seconds": round(self.chance.choice([0.02, 0.2, self.chance.uniform(0, 0.8)]), 3)}

    def kill(self):
        chance = self.chance
        down = round(chance.choice([0, 0, chance.uniform(0, 0.5)]), 3)
        return {"do": "end" if chance.random() < 0.2 else "kill", "down": down}

    def crash(self):
        """Returns an operation during which the hub is killed."""
        chance = self.chance
        while True:
            operation = chance.choice([self.write, self.write, self.command, self.group])()
            if operation["do"] not in ("reset", "step", "speed"):
                return {"do": "crash", "operation": operation, "after": round(chance.uniform(0, 0.03), 4)}

    def feeds(self):
        return {"do": "feeds", "mode": self.chance.choice(["up", "up", "down", "failing"])}

    def disk(self):
        return {"do": "disk", "is_full": self.chance.random() < 0.6}

    def clock(self):
        return {"do": "clock", "seconds": self.chance.choice([-86400, -30, -1, 1, 10, 20])}


def script(seed, has_disk, has_clock):
    """Returns the script of a seed."""
    return Writer(seed, has_disk, has_clock).script
