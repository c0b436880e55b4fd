"""Workers of a cluster, which share the partitions of streams over NATS JetStream.

Usage: workers.py SLUICE NATS-SERVER [SCHEDULES] [SEED] [NAME]
       workers.py SLUICE NATS-SERVER upgrade LATER [SEED]

Publishes items to a subject while workers are killed, stopped and continued, and replaced, the server is killed, the document is
edited, and the number of partitions is changed, also while other things break. Every item has to come out once, in order within its key, with the state of its
partition. NAME chooses the checks whose name contains it. SLUICE is a build with the trait NATS. `upgrade` replaces the workers one after the other
by those of a later version, LATER, whose states the earlier one can't read. Ends with `N passed, N failed`.
"""
import json
import random
import signal
import statistics
import subprocess
import sys
import threading
import time

from hub import Hub, output, run_checks, until
from nats_client import Client, Worker
from nats_server import Nats, NatsCluster
from seeds import chosen_seed
from server import Server
import workers_document

SLUICE, SERVER = sys.argv[1], sys.argv[2]
LATER = sys.argv[4] if sys.argv[3:4] == ["upgrade"] else None
SCHEDULES = int(sys.argv[3]) if len(sys.argv) > 3 and not LATER else 1
# The most seconds until all workers run an edit, in the median. The sample of all tests, which has no schedules, has to hold on a
# machine with other work.
EDIT_LIMIT = 0.2 if SCHEDULES else 1
place = 5 if LATER else 4
SEED = int(sys.argv[place]) if len(sys.argv) > place else chosen_seed()
WANTED = sys.argv[5] if len(sys.argv) > 5 and not LATER else ""
LEASE = 2


class World:
    """A server, a hub to edit the document with, workers, and a publisher."""

    def __init__(self, workers, count, isCluster=False, sink=None, options=(), delay=None, isKeyed=False):
        self.isKeyed = isKeyed
        # Also those that have ended.
        self.all = []
        self.nats = NatsCluster(SERVER) if isCluster else Nats(SERVER)
        self.client = Client(self.nats.address)
        self.replicas = 3 if isCluster else 1
        self.delay = delay
        self.sink, self.options = sink, [*options, "--nats-replicas", str(self.replicas)]
        self.client.create("IN", "in", self.replicas)
        self.client.create("OUT", "out.>", self.replicas)
        self.hub = self.new_hub()
        self.revision = 0
        self.count = count
        self.edit(count)
        for path in ("/groups/orders", "/groups/orders/streams/orders"):
            self.hub.ask("PUT", path)
        self.workers = [self.worker() for _ in range(workers)]
        self.sent = 0
        self.isOpen = True

    def new_hub(self):
        return Hub(SLUICE, f"{self.nats.folder}/hub.sqlite", "--nats", self.nats.address, *self.options)

    def restart(self, pause=0, sparing=()):
        """Kills the hub, the workers, and the servers, and starts all of them again, but for the workers that are spared."""
        killed = [worker for worker in self.workers if worker not in sparing]
        for one in [self.hub, *killed, self.nats]:
            one.kill()
        time.sleep(pause)
        self.nats.start()
        self.hub = self.new_hub()
        self.workers = [worker for worker in self.workers if worker in sparing] + [self.worker() for _ in killed]

    def worker(self, program=SLUICE):
        worker = Worker(program, self.nats.address, f"w{len(Worker.running)}", "orders", LEASE, *self.options)
        self.all.append(worker)
        return worker

    def edit(self, count, factor=1):
        field = {"If-Match": f'"{self.revision}"'} if self.revision else {"If-None-Match": "*"}
        while True:
            status, answer = self.hub.ask("PUT", "/streams/orders", self.text(count, factor), field)
            if status < 300:
                break
            if status == 412:        # the answer to this edit was lost
                break
            if status != 503:
                raise AssertionError(f"the edit is answered with {status}: {answer}")
            time.sleep(0.2)
        self.revision += 1
        self.count = count

    def text(self, count, factor):
        return (workers_document.keyed if self.isKeyed else workers_document.text)(count, factor, self.sink, self.delay)

    def begin(self, users=23):
        """Publishes items until the world is closed."""
        def work():
            numbers = [0] * users
            chance = random.Random(1)
            while self.isOpen:
                batch = []
                for _ in range(20):
                    user = chance.randrange(users)
                    numbers[user] += 1
                    self.sent += 1
                    batch.append((f"i{self.sent}", json.dumps({"id": self.sent, "user": f"u{user}", "n": numbers[user]}).encode()))
                self.client.publish("in", batch)
                time.sleep(0.02)
        self.thread = threading.Thread(target=work)
        self.thread.start()

    def finish(self):
        """Ends the publisher, and returns what has come out when it is all, or nothing more comes."""
        self.isOpen = False
        self.thread.join()
        last, since = -1, time.monotonic()
        while True:
            out = self.client.read("OUT")
            if len(out) != last:
                last, since = len(out), time.monotonic()
            ids = {json.loads(data)["item"]["id"] for _, _, data in out}
            if len(ids) >= self.sent or time.monotonic() - since > 60:
                time.sleep(1)
                return [(subject, json.loads(data)) for subject, _, data in self.client.read("OUT")]
            time.sleep(0.5)

    def verdict(self, out, checks_numbers=True):
        """Returns what is lost, duplicated, and out of order."""
        ids = [value["item"]["id"] for _, value in out]
        lost, twice = self.sent - len(set(ids)), len(ids) - len(set(ids))
        keys, partitions, disorder = {}, {}, 0
        for subject, value in out:
            user, n = value["item"]["user"], value["item"]["n"]
            if n != keys.get(user, 0) + 1:
                disorder += 1
            keys[user] = n
            # The state of a user goes with it to another partition.
            if self.isKeyed and value["number"] != n:
                disorder += 1
            if checks_numbers and not self.isKeyed and value["number"] != partitions.get(subject, 0) + 1:
                disorder += 1
            partitions[subject] = value["number"]
        return lost, twice, disorder

    def conclude(self, text, checks_numbers=True):
        """Ends the publisher and the world, and returns what the check prints: that nothing is lost, duplicated, or out of order."""
        lost, twice, disorder = self.verdict(self.finish(), checks_numbers)
        text = f"{text}: {self.sent} items, {lost} lost, {twice} duplicated, {disorder} out of order"
        if lost or twice or disorder:
            raise AssertionError(text)
        self.close()
        return text

    def status(self):
        """Returns the number of partitions of each worker, and the messages that it is behind, as `sluice status` shows them."""
        shown = subprocess.run([SLUICE, "status", "--nats", self.nats.address], capture_output=True, text=True).stdout
        rows = [line.split() for line in shown.splitlines() if line.startswith("w")]
        return sorted((int(row[2]), row[-1]) for row in rows)

    def close(self):
        for worker in list(Worker.running):
            worker.kill()
        self.nats.close()


def partitions_are_shared():
    world = World(1, 8)
    until("one worker has all", lambda: world.workers[0].partitions == 8)
    world.begin()
    begin = time.monotonic()
    world.workers.append(world.worker())
    until("two have half each", lambda: [w.partitions for w in world.workers] == [4, 4])
    joined = time.monotonic() - begin
    world.workers.append(world.worker())
    world.workers.append(world.worker())
    until("four have two each", lambda: [w.partitions for w in world.workers] == [2, 2, 2, 2])
    begin = time.monotonic()
    if world.workers.pop(0).leave() != 130:
        raise AssertionError("a worker that leaves does not end with 130")
    until("the others have its share", lambda: sorted(w.partitions for w in world.workers) == [2, 3, 3])
    left = time.monotonic() - begin
    until("a thousand items", lambda: world.sent >= 1000)
    out = world.finish()
    until("the status shows three workers that have taken everything", lambda: world.status() == [(2, "0"), (3, "0"), (3, "0")])
    lost, twice, disorder = world.verdict(out)
    text = (f"workers come and go: {world.sent} items, {lost} lost, {twice} duplicated, {disorder} out of order; a join takes "
            f"{joined:.1f} s, a leave {left:.1f} s")
    if lost or twice or disorder:
        raise AssertionError(text)
    world.close()
    return text


def a_worker_is_drained():
    """The page's request: the worker gives its partitions up, also those that begin meanwhile, and takes some again on demand."""
    world = World(3, 6)
    shown = lambda: {one["name"]: one for one in world.hub.json("GET", "/workers")}
    until("all have two", lambda: [w.partitions for w in world.workers] == [2, 2, 2])
    world.begin()
    until("the hub shows them", lambda: [len(one["partitions"]) for one in shown().values()] == [2, 2, 2])
    name = world.workers[0].name
    identity = shown()[name]["id"]
    begin = time.monotonic()
    status, _ = world.hub.ask("PUT", f"/workers/{identity}/drain")
    if status != 204:
        raise AssertionError(f"the drain is answered with {status}")
    until("the others have its partitions", lambda: [w.partitions for w in world.workers] == [0, 3, 3])
    took = time.monotonic() - begin
    until("the hub says so", lambda: shown()[name]["isDraining"] and shown()[name]["partitions"] == [])
    world.edit(9)
    until("the others have the new ones", lambda: sorted(w.partitions for w in world.workers) == [0, 4, 5])
    if "(draining)" not in subprocess.run([SLUICE, "status", "--nats", world.nats.address], capture_output=True, text=True).stdout:
        raise AssertionError("the status does not say that the worker is drained")
    world.hub.ask("DELETE", f"/workers/{identity}/drain")
    until("it has a third again", lambda: [w.partitions for w in world.workers] == [3, 3, 3])
    until("a thousand items", lambda: world.sent >= 1000)
    return world.conclude(f"a worker is drained in {took:.1f} s, and takes its share again", checks_numbers=False)


def edits_reach_all_workers():
    world = World(3, 6)
    until("all have two", lambda: [w.partitions for w in world.workers] == [2, 2, 2])
    arrivals, times = world.client.arrivals("out.>"), []
    world.begin()
    until("items come out", lambda: len(arrivals) > 50)
    for factor in range(2, 12):
        time.sleep(0.5)
        begin = time.monotonic()
        world.edit(6, factor)

        def reached():
            """Returns the times of the first items that are made by the edited document, by partition."""
            first = {}
            for subject, data, at in arrivals:
                if json.loads(data)["factor"] == factor:
                    first.setdefault(subject, at)
            return first

        until(f"edit {factor} runs everywhere", lambda: len(reached()) == 6)
        times.append(max(reached().values()) - begin)
    time.sleep(1)
    out = world.finish()
    lost, twice, disorder = world.verdict(out)
    factors = {}
    for subject, value in out:
        factors.setdefault(subject, []).append(value["factor"])
    if any(list(dict.fromkeys(one)) != list(range(1, 12)) for one in factors.values()):
        raise AssertionError(f"not all edits have come, in order: { {k: list(dict.fromkeys(v)) for k, v in factors.items()} }")
    text = (f"10 edits of a running stream on three workers, the last partition {1000 * statistics.median(times):.0f} ms after the request in "
            f"the median, {1000 * max(times):.0f} ms at most: {world.sent} items, {lost} lost, {twice} duplicated, {disorder} out of order")
    if lost or twice or disorder or statistics.median(times) > EDIT_LIMIT:
        raise AssertionError(text)
    world.close()
    return text


def the_count_changes():
    """The operators hold items for a while, and most of 32 partitions have none: each change waits for all of them."""
    world = World(2, 4, delay=0.7)
    until("both have half", lambda: [w.partitions for w in world.workers] == [2, 2])
    world.begin()
    until("items come out", lambda: len(world.client.read("OUT")) > 100)
    world.edit(32)
    until("32 partitions", lambda: [w.partitions for w in world.workers] == [16, 16])
    time.sleep(1)
    world.edit(1)
    until("one partition", lambda: sorted(w.partitions for w in world.workers) == [0, 1])
    return world.conclude("4 partitions become 32, and then 1", checks_numbers=False)


def groups_move_with_their_keys():
    """The count of each user goes on through changes of the number of partitions, while a worker dies and another joins."""
    world = World(2, 4, delay=0.7, isKeyed=True)
    until("both have half", lambda: [w.partitions for w in world.workers] == [2, 2])
    world.begin()
    until("items come out", lambda: len(world.client.read("OUT")) > 100)
    for count in (16, 1, 5):
        world.edit(count)
        time.sleep(0.3)
        world.workers.pop(0).kill()
        world.workers.append(world.worker())
        until(f"{count} partitions", lambda: sum(w.partitions for w in world.workers) == count)
        more = len(world.client.read("OUT")) + 100
        until("items come out of them", lambda: len(world.client.read("OUT")) > more)
    return world.conclude("4 partitions become 16, 1, and 5, with a kill in each change, and the counts of users go on")


def commands_reach_workers():
    """A hub pauses a stream while items come, a worker dies meanwhile, and the stream goes on: nothing is lost."""
    world = World(3, 6)
    state = lambda: world.hub.json("GET", "/streams/orders/run")["state"]
    until("all have two", lambda: [w.partitions for w in world.workers] == [2, 2, 2])
    world.begin()
    until("items come out", lambda: len(world.client.read("OUT")) > 100)
    until("the hub shows that it runs", lambda: state() == "running")
    for command in ("start", "stop", "reset", "step"):
        status, answer = world.hub.ask("POST", f"/streams/orders/{command}")
        if status != 409 or "the workers of the group 'orders' run the stream" not in str(answer):
            raise AssertionError(f"{command} is answered with {status}: {answer}")
    times, kept = [], 0
    for number in range(3):
        begin = time.monotonic()
        status, answer = world.hub.ask("POST", "/streams/orders/pause")
        times.append(time.monotonic() - begin)
        if status != 200 or state() != "paused":
            raise AssertionError(f"the pause is answered with {status}: {answer}")
        time.sleep(0.5)                                       # the sinks deliver what was there
        before = len(world.client.read("OUT"))
        world.workers.pop(0).kill()
        world.workers.append(world.worker())
        until("the others have its partitions", lambda: sorted(w.partitions for w in world.workers) == [2, 2, 2])
        time.sleep(0.5)
        kept += len(world.client.read("OUT")) - before
        world.edit(6, 10 + number)
        status, answer = world.hub.ask("POST", "/streams/orders/resume")
        if status != 200 or state() != "running":
            raise AssertionError(f"resume is answered with {status}: {answer}")
        until("items come out again", lambda: len(world.client.read("OUT")) > before + 100)
    if kept:
        raise AssertionError(f"{kept} items came out of a stream that was paused")
    return world.conclude(f"3 pauses with a kill in each, which take {max(times):.1f} s")


def subscriptions_reach_workers():
    """A hub, and another stream of the workers, read with `subscribe` what the workers put out, while workers and the hub are killed."""
    world = World(3, 6)
    until("all have two", lambda: [w.partitions for w in world.workers] == [2, 2, 2])
    reader = json.dumps({"source": {"subscribe": "orders"}})
    for name in ("here", "there"):
        world.hub.json("PUT", f"/streams/{name}", reader, {"If-None-Match": "*"})
    out = {"source": {"subscribe": "orders"}, "sinks": [{"id": "to", "publish": {"subject": "again"}}]}
    world.client.create("AGAIN", "again", 1)
    world.hub.json("PUT", "/streams/there", json.dumps(out), {"If-Match": '"1"'})
    world.hub.ask("PUT", "/groups/orders/streams/there")
    world.hub.json("POST", "/streams/here/start")
    until("the workers run it too", lambda: sum(w.partitions for w in world.workers) == 7)
    until("both know where they begin", lambda: world.nats.messages("KV_sluice-output-requests") >= 1)
    time.sleep(2)
    world.begin()
    chance = random.Random(SEED)
    for number in range(8):
        time.sleep(chance.uniform(0.5, 1.5))
        if number % 4 == 3:
            world.hub.kill()
            world.hub = world.new_hub()
        else:
            world.workers.pop(chance.randrange(len(world.workers))).kill()
            world.workers.append(world.worker())
    until("a thousand items", lambda: world.sent >= 1000)
    items = world.finish()
    lost, twice, disorder = world.verdict(items)
    sent = sorted(value["item"]["id"] for _, value in items)
    here = lambda: [event["value"]["item"]["id"] for event in output(world.hub, "here")]
    there = lambda: [json.loads(data)["item"]["id"] for _, _, data in world.client.read("AGAIN")]
    until("the hub has all", lambda: len(here()) >= len(sent))
    until("the other stream of the workers has all", lambda: len(there()) >= len(sent))
    time.sleep(1)
    if sorted(here()) != sent or sorted(there()) != sent or lost or twice or disorder:
        raise AssertionError(f"{len(sent)} items, {len(here())} on the hub, {len(there())} on a worker; {lost} lost, {twice} duplicated")
    world.close()
    return f"subscriptions to a stream of workers, 6 kills of workers and 2 of the hub: {len(sent)} items, 0 lost, 0 duplicated"


def everything_is_restarted():
    """Three servers, the hub, and the workers are killed together again and again, after the hub has cleaned the bucket: documents,
    groups, and the state of partitions stay."""
    world = World(2, 4, isCluster=True)
    until("all partitions are taken", lambda: sum(w.partitions for w in world.workers) == 4)
    time.sleep(17)                                            # a hub cleans the bucket 15 seconds after its start
    world.begin()
    for count in (3, 8, 4):
        time.sleep(1)
        world.restart()
        world.edit(count)
        until(f"{count} partitions", lambda: sum(w.partitions for w in world.workers) == count)
    return world.conclude("three restarts of everything, with three servers", checks_numbers=False)


def posts_come_under_one_key():
    """Workers are killed, and stopped past their lease, while they post: each item comes, again only under its key."""
    got, lock = {}, threading.Lock()

    def take(path, fields, body):
        with lock:
            identity = json.loads(body)["item"]["id"]
            got.setdefault(identity, []).append(fields.get("Idempotency-Key"))
        return 200, None
    receiver = Server(take)
    sink = {"id": "to", "post": {"url": f"http://127.0.0.1:{receiver.port}/", "body": "x"}}
    world = World(3, 6, sink=sink, options=["--allow", f"127.0.0.1:{receiver.port}"])
    until("all partitions are taken", lambda: sum(w.partitions for w in world.workers) == 6)
    world.begin()
    chance = random.Random(SEED)
    for number in range(6):
        time.sleep(chance.uniform(0.5, 2))
        worker = chance.choice(world.workers)
        if number % 2:
            worker.signal(signal.SIGSTOP)
            time.sleep(LEASE + chance.uniform(0.5, 1.5))
            worker.signal(signal.SIGCONT)
        else:
            world.workers.remove(worker)
            worker.kill()
            world.workers.append(world.worker())
    world.isOpen = False
    world.thread.join()
    until("every item has come", lambda: len(got) >= world.sent)
    time.sleep(2)
    again = sum(len(keys) - 1 for keys in got.values())
    other = sum(len(set(keys)) - 1 for keys in got.values())
    text = (f"posts, 3 kills and 3 stops past the lease: {world.sent} items, {world.sent - len(got)} lost, {again} again under the "
            f"same key, {other} under another")
    if len(got) != world.sent or other or any(None in keys for keys in got.values()):
        raise AssertionError(text)
    world.close()
    receiver.kill()
    return text


def schedule(number, isCluster=False, changesCount=False, isKeyed=False):
    """Returns a check that breaks things at random. Where the count changes, operators hold items for a while."""
    kind = ("three servers, " if isCluster else "") + ("counts, " if changesCount else "") + ("keyed, " if isKeyed else "")

    def check():
        chance = random.Random(SEED + number)
        world = World(4, 8, isCluster, delay=0.3 if changesCount else None, isKeyed=isKeyed)
        until("all partitions are taken", lambda: sum(w.partitions for w in world.workers) == 8)
        world.begin()
        faults, stopped = {}, {}
        end = time.monotonic() + 25
        while time.monotonic() < end:
            time.sleep(chance.uniform(0.2, 2))
            kinds = ["server", "cut", "cut", "all"] if isCluster else ["server", "all"]
            fault = chance.choice(["kill", "kill", "stop", "leave", "edit", "stop", *kinds, *(["count"] * 3 if changesCount else [])])
            faults[fault] = faults.get(fault, 0) + 1
            free = [w for w in world.workers if w not in stopped]
            if fault in ("kill", "leave", "stop") and len(free) > 1:
                worker = chance.choice(free)
                if fault == "stop":
                    # Past the lease, so that others have its partitions when it continues.
                    worker.signal(signal.SIGSTOP)
                    stopped[worker] = time.monotonic() + LEASE + chance.uniform(0.5, 3)
                else:
                    world.workers.remove(worker)
                    if fault == "kill":
                        worker.kill()
                    else:
                        worker.leave()
                    world.workers.append(world.worker())
            elif fault == "server" and isCluster:
                one = chance.choice(world.nats.servers)
                one.kill()
                time.sleep(chance.uniform(0, 4))
                one.start()
            elif fault == "cut":
                one = chance.randrange(3)
                world.nats.cut(one)
                # Some cuts are so long that clients and servers notice them.
                time.sleep(chance.choice([chance.uniform(1, 6), chance.uniform(1, 6), chance.uniform(12, 20)]))
                world.nats.heal(one)
            elif fault == "server":
                world.nats.kill()
                time.sleep(chance.uniform(0, 4))
                world.nats.start()
            elif fault == "all":
                world.restart(chance.uniform(0, 4), sparing=list(stopped))
            elif fault == "edit":
                world.edit(world.count, chance.randrange(100))
            elif fault == "count":
                world.edit(chance.choice([n for n in (1, 3, 8, 16) if n != world.count]))
            for worker, until_when in list(stopped.items()):
                if time.monotonic() > until_when:
                    worker.signal(signal.SIGCONT)
                    del stopped[worker]
        for worker in stopped:
            worker.signal(signal.SIGCONT)
        out = world.finish()
        lost, twice, disorder = world.verdict(out, checks_numbers=not changesCount)
        what = ", ".join(f"{count} {name}" for name, count in sorted(faults.items()))
        text = (f"{kind}schedule {SEED + number}: {world.sent} items, faults: {what}; {lost} lost, {twice} duplicated, {disorder} "
                f"out of order")
        if lost or twice or disorder:
            for worker in world.workers:
                print(worker.name, *worker.lines[-12:], sep="\n  ")
            for one in world.hub.json("GET", "/workers"):
                print(one["name"], *map(json.dumps, one["partitions"]), sep="\n  ")
            came = {value["item"]["id"] for _, value in out}
            stored = {json.loads(data)["id"]: sequence for sequence, (_, _, data) in enumerate(world.client.read("IN"), 1)}
            for identity in sorted(set(range(1, world.sent + 1)) - came)[:20]:
                print(f"  lost: item {identity}, message {stored.get(identity)}")
            raise AssertionError(text)
        world.close()
        return text
    check.__name__ = f"{kind}schedule {SEED + number}"
    return check


def versions_work_side_by_side():
    """Four workers are replaced by those of a later version, in random order, while workers of both versions are killed, leave, and come
    again: what the earlier version can't read is taken by the later one."""
    chance = random.Random(SEED)
    world = World(4, 8, isKeyed=True)
    until("all partitions are taken", lambda: sum(w.partitions for w in world.workers) == 8)
    world.begin()
    until("items come out", lambda: len(world.client.read("OUT")) > 100)
    later, faults = [], 0
    for number in range(4):
        # The first of the later version stays, so that what it has stored can be read.
        earlier = world.workers.pop(chance.randrange(len(world.workers)))
        earlier.kill() if number % 2 else earlier.leave()
        later.append(world.worker(LATER))
        for _ in range(3):
            time.sleep(chance.uniform(0.5, 2.5))
            victims = world.workers if chance.random() < 0.5 and world.workers else later[1:]
            if not victims:
                continue
            victim = chance.choice(victims)
            faults += 1
            victim.kill() if chance.random() < 0.5 else victim.leave()
            if victim in later:
                later.remove(victim)
                later.append(world.worker(LATER))
            else:
                world.workers.remove(victim)
                world.workers.append(world.worker())
        until("every partition runs", lambda: sum(
            part["state"] == "running" for one in world.hub.json("GET", "/workers") for part in one["partitions"]) == 8)
        more = len(world.client.read("OUT")) + 100
        until("items come out", lambda: len(world.client.read("OUT")) > more)
    refused = sum("reads up to 1" in line for worker in world.all for line in worker.lines)
    if not refused:
        raise AssertionError("no worker of the earlier version has met a state of the later one: the test has tested nothing")
    return world.conclude(f"4 workers are replaced by those of a later version, {faults} kills and leaves meanwhile, and {refused} states that the "
                          "earlier one has left to others")


def main():
    if LATER:
        return run_checks([versions_work_side_by_side])
    checks = [partitions_are_shared, a_worker_is_drained, edits_reach_all_workers, the_count_changes, groups_move_with_their_keys, commands_reach_workers, subscriptions_reach_workers, everything_is_restarted, posts_come_under_one_key]
    # The sample has one schedule, on one server.
    if SCHEDULES == 0:
        checks.append(schedule(0))
    for number in range(SCHEDULES):
        checks += [schedule(number), schedule(number, isCluster=True), schedule(number, number % 2 == 1, changesCount=True),
                   schedule(number, number % 2 == 0, changesCount=True, isKeyed=True)]
    checks = [check for check in checks if WANTED in check.__name__]
    status = run_checks(checks)
    for one in list(Worker.running) + list(Nats.running):
        one.kill()
    return status


sys.exit(main())
