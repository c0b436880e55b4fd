"""Network namespaces with an address each, which can be cut off from the machine and from each other."""
import atexit
import os
import subprocess
import sys

LISTEN = "import socket; one = socket.create_server(('', 9)); one.settimeout(5); print(1, flush=True); one.accept()"
CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], 9), 3)"


class Network:
    """A bridge, and a namespace behind it for each server."""
    made = 0

    def __init__(self, count):
        """Makes the namespaces. It needs the rights of root, and the kernel's network namespaces.

        Raises OSError, or subprocess.CalledProcessError, where they can't be made.
        """
        Network.made += 1
        self.name = f"sl{os.getpid() % 100000}{chr(96 + Network.made % 26)}"
        # Of the addresses for tests of networks (RFC 2544), by the process and the number of the network.
        net = f"198.{18 + os.getpid() // 250 % 2}.{(os.getpid() + Network.made * 7) % 250}"
        self.hosts = [f"{net}.{number + 1}" for number in range(count)]
        self.spaces = [f"{self.name}{number}" for number in range(count)]
        atexit.register(self.remove)
        try:
            self.ip("link", "add", self.name, "type", "bridge")
            self.ip("addr", "add", f"{net}.254/24", "dev", self.name)
            self.ip("link", "set", self.name, "up")
            for host, space in zip(self.hosts, self.spaces):
                self.ip("netns", "add", space)
                self.ip("link", "add", space, "type", "veth", "peer", "name", "eth0", "netns", space)
                self.ip("link", "set", space, "master", self.name, "up")
                self.ip("-n", space, "addr", "add", f"{host}/24", "dev", "eth0")
                self.ip("-n", space, "link", "set", "eth0", "up")
                self.ip("-n", space, "link", "set", "lo", "up")
            if count > 1:
                self.check()
        except Exception:
            self.remove()
            raise

    def ip(self, *words):
        subprocess.run(["ip", *words], check=True, capture_output=True)

    def check(self):
        """Checks that the first two reach each other: a machine may filter what goes over bridges."""
        listener = subprocess.Popen([*self.command(0), sys.executable, "-c", LISTEN], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            listener.stdout.readline()
            subprocess.run([*self.command(1), sys.executable, "-c", CONNECT, self.hosts[0]], check=True, capture_output=True)
        finally:
            listener.kill()
            listener.wait()

    def command(self, number):
        """Returns the beginning of the command that runs a program in a namespace."""
        return ["ip", "netns", "exec", self.spaces[number]]

    def cut(self, number):
        """Cuts a namespace off: what is sent to it, and from it, is lost."""
        self.ip("link", "set", self.spaces[number], "down")

    def heal(self, number):
        self.ip("link", "set", self.spaces[number], "up")

    def remove(self):
        for space in self.spaces:
            subprocess.run(["ip", "netns", "del", space], capture_output=True)
            subprocess.run(["ip", "link", "del", space], capture_output=True)
        subprocess.run(["ip", "link", "del", self.name], capture_output=True)
        self.spaces = []
