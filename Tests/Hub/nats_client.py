"""A client of a NATS server, and workers of a cluster."""
import asyncio
import re
import subprocess
import threading
import time

import nats


class Client:
    """A client that calls the server from any thread, and repeats what has had no answer."""

    def __init__(self, address, **options):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        async def ignore(error):        # a server that is killed is part of the test
            pass
        self.connection = self.call(nats.connect(address.split(","), max_reconnect_attempts=-1, reconnect_time_wait=0.2, error_cb=ignore,
                                                  **options))
        self.stream = self.connection.jetstream(timeout=2)

    def call(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def create(self, name, subject, replicas=1):
        """Creates a stream, as soon as the servers have found each other."""
        async def work():
            while True:
                try:
                    return await self.stream.add_stream(name=name, subjects=[subject], num_replicas=replicas)
                except Exception:
                    await asyncio.sleep(0.2)
        self.call(asyncio.wait_for(work(), 60))

    def publish(self, subject, messages):
        """Publishes messages in order, each stored before the next one: (id, bytes)."""
        async def work():
            for name, data in messages:
                while True:
                    try:
                        await self.stream.publish(subject, data, headers={"Nats-Msg-Id": name})
                        break
                    except Exception:      # without an answer; the id keeps it from being stored twice
                        await asyncio.sleep(0.1)
        self.call(work())

    def arrivals(self, subject):
        """Returns a list to which each message of a subject is added from now on: (subject, bytes, time of arrival)."""
        arrivals = []
        async def note(message):
            arrivals.append((message.subject, message.data, time.monotonic()))
        self.call(self.connection.subscribe(subject, cb=note))
        return arrivals

    def count(self, name):
        """Returns the number of messages of a stream."""
        return self.call(self.stream.stream_info(name)).state.messages

    def read(self, name, after=0):
        """Returns the messages of a stream after a sequence, in order: (subject, sequence, bytes)."""
        async def work():
            found, last = [], (await self.stream.stream_info(name)).state.last_seq
            if last <= after:
                return found
            config = nats.js.api.ConsumerConfig(deliver_policy="by_start_sequence", opt_start_seq=after + 1,
                                                ack_policy="none", inactive_threshold=30)
            puller = await self.stream.pull_subscribe("", stream=name, config=config)
            while not found or found[-1][1] < last:
                for message in await puller.fetch(500, timeout=5):
                    found.append((message.subject, message.metadata.sequence.stream, message.data))
            await puller.unsubscribe()
            return found
        while True:
            try:
                return self.call(work())
            except Exception:
                pass


class Worker:
    """A worker in a process of its own."""
    running = []

    def __init__(self, sluice, address, name, group, lease, *options):
        self.name = name
        self.process = subprocess.Popen(
            [sluice, "work", "--nats", address, "--group", group, "--name", name, "--lease", str(lease), *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        Worker.running.append(self)
        self.lines = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip())

    @property
    def partitions(self):
        """The number of partitions that it says it has."""
        for line in reversed(self.lines):
            found = re.search(r"note: (\d+) of \d+ partitions", line)
            if found:
                return int(found.group(1))
        return 0

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        Worker.running.remove(self)
        self.process.kill()
        self.process.wait()

    def leave(self):
        """Ends the worker in order."""
        Worker.running.remove(self)
        self.process.terminate()
        return self.process.wait(60)
