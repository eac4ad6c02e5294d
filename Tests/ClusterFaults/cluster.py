"""Three nodes, each with an address, a cable, a disk and a clock of its own; runs in namespaces, see `run`."""
import json
import os
import shutil
import signal
import subprocess
import threading
import time

NODES = range(3)


def run(*words, check=True):
    return subprocess.run(words, check=check, capture_output=True, text=True)


def wait_until(what, is_true, seconds=300):
    end = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.1)


class Cluster:
    """The clients are in the namespace of this process; a switch connects them with the nodes."""

    def __init__(self, program, work):
        self.program, self.work = program, work
        self.addresses = [f"10.77.0.{node + 1}:9001" for node in NODES]
        self.url = f"dqlite://{','.join(self.addresses)}/customers"
        self.processes = [None] * 3
        # Nodes that are to be down: a service manager would start all others again.
        self.held = set(NODES)
        self.starts = 0
        self.lock = threading.Lock()
        self.make_network()
        for node in NODES:
            os.mkdir(self.folder(node))
            run("mount", "-t", "tmpfs", "-o", "size=192m", "disk", self.folder(node))
            self.set_clock(node, 0)
        self.start(0, [])
        wait_until("there is a leader", lambda: self.leaders() == [0])
        threading.Thread(target=self.supervise, daemon=True).start()
        for node in NODES:
            self.release(node)
            wait_until("the node votes", lambda: self.members() == node + 1)

    def folder(self, node):
        return f"{self.work}/disk{node}"

    def make_network(self):
        run("mount", "-t", "tmpfs", "names", "/run")
        run("ip", "link", "set", "lo", "up")
        for name in ["switch", "n0", "n1", "n2"]:
            run("ip", "netns", "add", name)
            run("ip", "-n", name, "link", "set", "lo", "up")
        run("ip", "-n", "switch", "link", "add", "bridge", "type", "bridge")
        run("ip", "-n", "switch", "link", "set", "bridge", "up")
        run("ip", "link", "add", "wire", "type", "veth", "peer", "name", "clients", "netns", "switch")
        run("ip", "address", "add", "10.77.0.100/24", "dev", "wire")
        run("ip", "link", "set", "wire", "up")
        for node in NODES:
            run("ip", "-n", f"n{node}", "link", "add", "wire", "type", "veth", "peer", "name", f"n{node}", "netns", "switch")
            run("ip", "-n", f"n{node}", "address", "add", f"10.77.0.{node + 1}/24", "dev", "wire")
            run("ip", "-n", f"n{node}", "link", "set", "wire", "up")
        for port in ["clients", "n0", "n1", "n2"]:
            run("ip", "-n", "switch", "link", "set", port, "master", "bridge", "up")

    def plug(self, port, state):
        """Puts the cable of `clients` or a node into the switch, or pulls it out: `up` or `down`."""
        run("ip", "-n", "switch", "link", "set", port, state)

    def rules(self, node, *rules):
        """Replaces the rules of a node's machine, such as `input ip saddr 10.77.0.2`, whose packets are dropped."""
        text = "table inet faults\ndelete table inet faults\ntable inet faults {\n"
        for hook in ["input", "output"]:
            lines = [rule.removeprefix(hook) + " drop" for rule in rules if rule.startswith(hook)]
            text += f"chain {hook} {{ type filter hook {hook} priority 0;\n" + "\n".join(lines) + "\n}\n"
        subprocess.run(["nsenter", f"--net=/run/netns/n{node}", "nft", "-f", "-"], input=text + "}\n", text=True, check=True)

    def set_clock(self, node, offset):
        with open(f"{self.work}/clock{node}", "w") as file:
            file.write(str(offset))

    # Processes

    def start(self, node, others):
        log = open(f"{self.work}/node{node}.log", "a")
        words = [self.program, "--data", self.folder(node) + "/data", "--address", self.addresses[node]]
        for other in others:
            words += ["--join", self.addresses[other]]
        environment = {"PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no",
                       "LD_PRELOAD": self.work + "/clock.so", "CLOCK_OFFSET": f"{self.work}/clock{node}"}
        self.processes[node] = subprocess.Popen(
            ["nsenter", f"--net=/run/netns/n{node}", *words], env=environment, stderr=log, stdout=log)
        self.starts += 1

    def supervise(self):
        """Starts nodes that have ended, as `Restart=always` and `RestartPreventExitStatus=2 3` do."""
        while True:
            time.sleep(1)
            with self.lock:
                for node in set(NODES) - self.held:
                    if self.processes[node].poll() not in [None, 2, 3]:
                        self.start(node, set(NODES) - {node})

    def end(self, nodes, how):
        with self.lock:
            self.held |= set(nodes)
        for node in nodes:
            self.processes[node].send_signal(how)
            if how == signal.SIGKILL:
                self.processes[node].send_signal(signal.SIGCONT)
        for node in nodes:
            self.processes[node].wait()

    def kill(self, *nodes):
        self.end(nodes, signal.SIGKILL)

    def stop(self, *nodes):
        self.end(nodes, signal.SIGTERM)

    def release(self, *nodes):
        """Lets the service manager start nodes that were ended."""
        with self.lock:
            for node in nodes:
                if self.processes[node] is None or self.processes[node].poll() is not None:
                    self.start(node, set(NODES) - {node})
            self.held -= set(nodes)

    def suspend(self, *nodes):
        for node in nodes:
            self.processes[node].send_signal(signal.SIGSTOP)

    def resume(self, *nodes):
        for node in nodes:
            self.processes[node].send_signal(signal.SIGCONT)

    def remove(self, node):
        self.ask("--remove", self.addresses[node], "--yes")

    def empty(self, node):
        shutil.rmtree(self.folder(node) + "/data")

    # What the nodes report

    def ask(self, *words, check=True):
        joins = [word for address in self.addresses for word in ["--join", address]]
        return run(self.program, *words, *joins, check=check).stdout

    def status(self):
        return json.loads(self.ask("--status", "--json", check=False))

    def leaders(self):
        nodes = self.status()["nodes"]
        return [self.addresses.index(node["address"]) for node in nodes if node["leader"]]

    def members(self):
        return sum(node["voter"] and node["answers"] for node in self.status()["nodes"])

    def leader(self):
        found = []

        def is_known():
            found[:] = self.leaders()
            return len(found) == 1

        wait_until("there is one leader", is_known)
        return found[0]

    def follower(self):
        return (self.leader() + 1) % 3

    def wait_until_whole(self):
        wait_until("all nodes vote", lambda: self.status()["health"] == "good")
