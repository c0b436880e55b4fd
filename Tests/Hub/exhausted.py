"""A hub without file descriptors, and one whose threads have stopped.

Usage: exhausted.py SLUICE

Ends with `N passed, N failed`.
"""
import ctypes
import os
import resource
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path

from hub import PATIENCE, Hub, run_checks, until

SLUICE = sys.argv[1]
folder = Path(tempfile.mkdtemp())
# From sys/ptrace.h.
PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207
# From sys/wait.h.
WALL = 0x40000000


def processor_time(hub):
    """Returns the processor time of a hub, in seconds."""
    fields = Path(f"/proc/{hub.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors():
    """A hub that has no file descriptor for a connection rests, and accepts again when there is one."""
    hub = Hub(SLUICE, str(folder / "descriptors.sqlite"))
    host, port = hub.base.removeprefix("http://").split(":")
    hub.json("GET", "/health")
    used = len(os.listdir(f"/proc/{hub.process.pid}/fd"))
    most = resource.prlimit(hub.process.pid, resource.RLIMIT_NOFILE)[1]
    resource.prlimit(hub.process.pid, resource.RLIMIT_NOFILE, (used + 8, most))
    idle = [socket.create_connection((host, int(port))) for _ in range(64)]
    until("the descriptors are used up", lambda: len(os.listdir(f"/proc/{hub.process.pid}/fd")) >= used + 6)
    before, begin = processor_time(hub), time.monotonic()
    time.sleep(4)
    share = (processor_time(hub) - before) / (time.monotonic() - begin)
    for each in idle:
        each.close()
    hub.json("GET", "/health")
    if share > 0.05:
        raise AssertionError(f"a hub without file descriptors uses {share:.0%} of a processor")
    return f"without file descriptors the hub uses {share:.0%} of a processor, and goes on when it has some"


def shutdown():
    """A hub that can't end in order ends at its limit."""
    hub = Hub(SLUICE, str(folder / "shutdown.sqlite"))
    hub.json("GET", "/health")
    trace = ctypes.CDLL(None, use_errno=True).ptrace
    trace.argtypes = [ctypes.c_long] * 4
    threads = [int(each) for each in os.listdir(f"/proc/{hub.process.pid}/task")]
    stopped = [each for each in threads if "NIO" in Path(f"/proc/{hub.process.pid}/task/{each}/comm").read_text()]
    for thread in stopped:
        if trace(PTRACE_SEIZE, thread, 0, 0) or trace(PTRACE_INTERRUPT, thread, 0, 0):
            raise AssertionError(f"a thread can't be stopped: {os.strerror(ctypes.get_errno())}")
    begin = time.monotonic()
    hub.process.send_signal(signal.SIGTERM)
    # A process has ended when its threads have, and this process has to ask for the end of one that it has stopped.
    for thread in stopped:
        while os.WIFSTOPPED(os.waitpid(thread, WALL)[1]):
            pass
    status = hub.process.wait(PATIENCE)
    seconds = time.monotonic() - begin
    if status != 130:
        raise AssertionError(f"the hub ends with {status} after {seconds:.1f} s")
    return f"a hub whose threads have stopped ends {seconds:.1f} s after SIGTERM"


sys.exit(run_checks([descriptors, shutdown]))
