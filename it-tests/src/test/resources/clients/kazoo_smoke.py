"""What a Python program does with kazoo, against the servers named on the command line."""

import sys
import threading

from kazoo.client import KazooClient
from kazoo.exceptions import BadVersionError, NodeExistsError, NoNodeError


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def caught_up(client):
    """A read may be of what its server had a moment ago; behind a sync it has all that was acknowledged before."""
    client.sync("/")
    return client


def main(servers):
    first, second = (KazooClient(hosts=server, timeout=10) for server in servers[:2])
    first.start(timeout=30)
    second.start(timeout=30)

    first.create("/kazoo/node", b"one", makepath=True)
    expect(caught_up(second).get("/kazoo/node")[0] == b"one", "the other client reads it")
    try:
        second.create("/kazoo/node", b"again")
        raise AssertionError("created twice")
    except NodeExistsError:
        pass

    seen = threading.Event()
    second.get("/kazoo/node", watch=lambda event: seen.set())
    stat = first.set("/kazoo/node", b"two")
    expect(seen.wait(30), "the watch fires")
    expect(second.get("/kazoo/node")[0] == b"two", "the new value")
    try:
        second.set("/kazoo/node", b"three", version=stat.version + 1)
        raise AssertionError("a wrong version was accepted")
    except BadVersionError:
        pass

    transaction = first.transaction()
    transaction.create("/kazoo/a", b"")
    transaction.create("/kazoo/b", b"")
    expect(transaction.commit() == ["/kazoo/a", "/kazoo/b"], "the transaction")
    expect(sorted(caught_up(second).get_children("/kazoo")) == ["a", "b", "node"], "its children")

    counts = []

    def count(client):
        counter = client.Counter("/kazoo/counter")
        lock = client.Lock("/kazoo/lock", "me")
        for _ in range(10):
            with lock:
                counter += 1
        counts.append(True)

    threads = [threading.Thread(target=count, args=(client,)) for client in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    expect(len(counts) == 2, "both have counted")
    expect(caught_up(first).Counter("/kazoo/counter").value == 20, "twenty increments")

    first.create("/kazoo/ephemeral", b"", ephemeral=True)
    gone = threading.Event()
    expect(caught_up(second).exists("/kazoo/ephemeral", watch=lambda event: gone.set()), "it is there")
    first.stop()
    expect(gone.wait(30), "it goes with its session")
    expect(second.exists("/kazoo/ephemeral") is None, "it is gone")
    second.delete("/kazoo", recursive=True)
    try:
        second.get("/kazoo")
        raise AssertionError("deleted and still there")
    except NoNodeError:
        pass
    second.stop()
    print("kazoo is content")


main(sys.argv[1:])
