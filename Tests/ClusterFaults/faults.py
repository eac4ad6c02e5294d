"""The faults of a cluster. After each, nothing acknowledged is lost or there twice, every outcome was reported
truthfully, both watchers have shown each edit once, the table shows the list, and the three nodes have the same.

    faults.py NODE CUSTOMERS FOLDER [--times N] [FAULT…]
"""
import os
import random
import subprocess
import sys
import time

from cluster import NODES, Cluster, wait_until
from crowd import Crowd


def killed_leader(cluster, crowd):
    killed(cluster, crowd, cluster.leader())


def killed_follower(cluster, crowd):
    killed(cluster, crowd, cluster.follower())


def killed_all(cluster, crowd):
    cluster.kill(*NODES)
    cluster.release(*NODES)


def killed(cluster, crowd, node):
    cluster.kill(node)
    crowd.wait_for(6)
    cluster.release(node)


def stopped_leader(cluster, crowd):
    leader = cluster.leader()
    cluster.stop(leader)
    crowd.wait_for(6)
    cluster.release(leader)


def rolling_restart(cluster, crowd):
    for node in NODES:
        cluster.stop(node)
        cluster.release(node)
        cluster.wait_until_whole()
        crowd.wait_for(6)


def stopped_all(cluster, crowd):
    cluster.stop(*NODES)
    cluster.release(*NODES)


def suspended_leader(cluster, crowd):
    suspended(cluster, 8, cluster.leader())


def suspended_all(cluster, crowd):
    suspended(cluster, 7, *NODES)


def suspended(cluster, seconds, *nodes):
    cluster.suspend(*nodes)
    time.sleep(seconds)
    cluster.resume(*nodes)


def slowed_leader(cluster, crowd):
    leader, end = cluster.leader(), time.monotonic() + 10
    while time.monotonic() < end:
        suspended(cluster, 0.4, leader)
        time.sleep(0.05)


def leaders_cable(cluster, crowd):
    unplugged(cluster, f"n{cluster.leader()}", 8)


def followers_cable(cluster, crowd):
    unplugged(cluster, f"n{cluster.follower()}", 8)


def clients_cable(cluster, crowd):
    unplugged(cluster, "clients", 7)


def unplugged(cluster, port, seconds):
    cluster.plug(port, "down")
    time.sleep(seconds)
    cluster.plug(port, "up")


def cut_leader(cluster, crowd):
    """The leader is cut from the nodes, but not from the clients."""
    dropping(cluster, cluster.leader(), [f"{way} {addresses(node)}" for node in NODES for way, addresses in BOTH_WAYS], 8)


def one_way(cluster, crowd):
    """What the leader sends to the other nodes is lost; what they send arrives."""
    dropping(cluster, cluster.leader(), [f"output {sent_to(node)}" for node in NODES], 8)


def one_link(cluster, crowd):
    """The leader and one follower don't reach each other."""
    other = cluster.follower()
    dropping(cluster, (other - 1) % 3, [f"{way} {addresses(other)}" for way, addresses in BOTH_WAYS], 8)


def six_cuts(cluster, crowd):
    for _ in range(6):
        unplugged(cluster, f"n{cluster.leader()}", 4)
        time.sleep(1)


def sent_to(node):
    return f"ip daddr 10.77.0.{node + 1}"


def sent_by(node):
    return f"ip saddr 10.77.0.{node + 1}"


BOTH_WAYS = [("input", sent_by), ("output", sent_to)]


def dropping(cluster, node, rules, seconds):
    # A node reaches itself.
    own = f"10.77.0.{node + 1}"
    cluster.rules(node, *[rule for rule in rules if not rule.endswith(own)])
    time.sleep(seconds)
    cluster.rules(node)


def lost_leader(cluster, crowd):
    lost(cluster, crowd, cluster.leader())


def lost_follower(cluster, crowd):
    lost(cluster, crowd, cluster.follower())


def lost(cluster, crowd, node):
    cluster.kill(node)
    cluster.empty(node)
    cluster.release(node)


def removed_leader(cluster, crowd):
    leader = cluster.leader()
    cluster.remove(leader)
    wait_until("the removed node has stopped", lambda: cluster.processes[leader].poll() == 3)
    crowd.wait_for(6)
    lost(cluster, crowd, leader)


def full_disk(cluster, crowd):
    leader = cluster.leader()
    path, starts = cluster.folder(leader) + "/filler", cluster.starts
    with open(path, "wb", buffering=0) as file:
        end = time.monotonic() + 30
        # Files that the node no longer needs make room again.
        while time.monotonic() < end and cluster.starts == starts:
            try:
                file.write(bytes(4096))
            except OSError:
                time.sleep(0.01)
    os.remove(path)


def disk_full_at_once(cluster, crowd):
    leader = cluster.leader()
    path, starts = cluster.folder(leader) + "/filler", cluster.starts
    with open(path, "wb", buffering=0) as file:
        end, size = time.monotonic() + 30, 0
        while time.monotonic() < end and cluster.starts == starts:
            disk = os.statvfs(cluster.folder(leader))
            free = disk.f_bavail * disk.f_frsize
            try:
                if free:
                    os.posix_fallocate(file.fileno(), size, free)
                    size += free
            except OSError:
                pass
            time.sleep(0.001)
    os.remove(path)


def failing_disk(cluster, crowd):
    """Each write of the leader that extends a file fails, although there is space, as if the disk were broken."""
    leader, starts = cluster.leader(), cluster.starts
    subprocess.run(["prlimit", "--pid", str(cluster.processes[leader].pid), "--fsize=4096"], check=True)
    wait_until("the node has ended", lambda: cluster.starts != starts, 30)


def wrong_clock(cluster, crowd):
    for offset in [3600, -3600, 86400, -86400]:
        cluster.set_clock(random.choice(NODES), offset)
        crowd.wait_for(6)
    for node in NODES:
        cluster.set_clock(node, 0)


FAULTS = [
    killed_leader, killed_follower, killed_all, stopped_leader, rolling_restart, stopped_all, suspended_leader,
    suspended_all, slowed_leader, leaders_cable, followers_cable, clients_cable, cut_leader, one_way, one_link, six_cuts,
    lost_leader, lost_follower, removed_leader, full_disk, disk_full_at_once, failing_disk,
    wrong_clock,
]


def main(node, customers, work, *rest):
    times = 1
    if rest[:1] == ("--times",):
        times, rest = int(rest[1]), rest[2:]
    faults = [fault for fault in FAULTS if not rest or fault.__name__ in rest]
    cluster = Cluster(node, work)
    crowd = Crowd(customers, cluster, work)
    crowd.wait_for(6)
    failures = 0
    for fault in faults * times:
        start, before = time.monotonic(), len(crowd.made)
        fault(cluster, crowd)
        cluster.wait_until_whole()
        crowd.wait_for(6)
        pause, seconds = crowd.longest_pause(start), time.monotonic() - start
        problems = crowd.check()
        failures += len(problems)
        print(f"{fault.__name__}: {len(crowd.made) - before} edits in {seconds:.0f} s, longest pause {pause:.1f} s"
              + "".join(f"\n  {problem}" for problem in problems), flush=True)
    crowd.end()
    print(f"{len(faults) * times} faults, {crowd.edits} edits: {len(crowd.made)} acknowledged, {len(crowd.not_made)} not made, "
          f"{len(crowd.unknown)} unknown; {failures} problems")
    for text in sorted(set(crowd.not_made.values())):
        print(f"  not made: {text}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
