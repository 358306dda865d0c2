"""Signs an executor off before its pod ends.

Flame goes on to place work on nodes whose executor is gone, and nobody ever does that
work. A node without capacity gets none. So this stops the daemon, which would announce
its capacity again, tells the session manager that the node offers nothing, and kills the
daemon: then Flame sees the connection end, and 30 s later runs the node's tasks elsewhere.

Arguments: the name of the daemon's executable, the session manager's endpoint and, with
TLS, the file with the CA of its certificate. Always ends with 0 within DEADLINE: a pod
that ends must not wait for a session manager that may have ended too.
"""
import os
import signal
import socket
import ssl
import sys
import threading
import time
from urllib.parse import urlsplit

# Seconds; together well below the pod's terminationGracePeriodSeconds.
DEADLINE = 4.0
KILL_DELAY = 0.2

# Frames and flags of HTTP/2 (RFC 9113, section 6).
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY = 0, 1, 3, 4, 6, 7
ACK = END_STREAM = 1
END_HEADERS = 4
STREAM = 1


def processes(executable):
    """The daemon's processes in this container, not those of other containers or pods."""
    here = os.readlink("/proc/self/ns/mnt")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            path = os.readlink(f"/proc/{pid}/exe")
            if os.path.basename(path) == executable and os.readlink(f"/proc/{pid}/ns/mnt") == here:
                yield int(pid)
        except OSError:
            continue


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def kill_afterwards(pids):
    """Kill the processes once this one has ended, in whatever way.

    The container ends with its daemon, and what still runs in it then counts as failed.
    """
    reader, writer = os.pipe()
    if os.fork():
        os.close(reader)
        return
    os.setsid()
    os.close(writer)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    os.read(reader, 1)
    time.sleep(KILL_DELAY)
    send(pids, signal.SIGKILL)
    os._exit(0)


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    """A length-delimited field of a protobuf message."""
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def registration(node):
    """A RegisterNodeRequest (Flame, rpc/protos/backend.proto) without capacity or executors."""
    system = os.uname()
    ready, nothing = b"\x08\x01", b""
    info = field(1, system.machine) + field(2, system.sysname.lower())
    status = ready + field(2, nothing) + field(3, nothing) + field(4, info)
    return field(1, field(1, field(1, node) + field(2, node)) + field(2, field(1, node)) + field(3, status))


def hpack_string(text):
    raw = text.encode()
    length = bytes([len(raw)]) if len(raw) < 127 else b"\x7f" + varint(len(raw) - 127)
    return length + raw


def frame(kind, flags, stream, payload):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def connect(endpoint, ca):
    # The backend is always at the frontend's port + 1.
    connection = socket.create_connection((endpoint.hostname, endpoint.port + 1), timeout=DEADLINE)
    if endpoint.scheme == "https":
        context = ssl.create_default_context(cafile=ca)
        # No stricter than the daemon itself, which takes CAs without key usage.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        context.set_alpn_protocols(["h2"])
        connection = context.wrap_socket(connection, server_hostname=endpoint.hostname)
    return connection


def request(endpoint, message):
    headers = {
        ":method": "POST",
        ":scheme": endpoint.scheme,
        ":path": "/flame.v1.Backend/RegisterNode",
        ":authority": f"{endpoint.hostname}:{endpoint.port + 1}",
        "te": "trailers",
        "content-type": "application/grpc",
    }
    block = b"".join(b"\0" + hpack_string(name) + hpack_string(value) for name, value in headers.items())
    return (
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        + frame(SETTINGS, 0, 0, b"")
        + frame(HEADERS, END_HEADERS, STREAM, block)
        + frame(DATA, END_STREAM, STREAM, b"\0" + len(message).to_bytes(4, "big") + message)
    )


def answer(connection):
    """The body of the answer, which is empty for an error."""
    received, body = connection.makefile("rb"), b""
    while True:
        head = received.read(9)
        if len(head) < 9:
            raise ConnectionError("the connection was closed")
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
        payload = received.read(int.from_bytes(head[:3], "big"))
        if kind in (SETTINGS, PING) and not flags & ACK:
            connection.sendall(frame(kind, ACK, 0, payload if kind == PING else b""))
        elif kind == GOAWAY or kind == RST_STREAM and stream == STREAM:
            raise ConnectionError("the connection was refused")
        elif kind == DATA and stream == STREAM:
            body += payload
        if kind in (DATA, HEADERS) and stream == STREAM and flags & END_STREAM:
            return body


def sign_off(node, endpoint, ca):
    with connect(endpoint, ca) as connection:
        connection.sendall(request(endpoint, registration(node)))
        result = answer(connection)
    # A Result without a return_code: zeros are left out.
    if len(result) < 5 or result[5:6] == b"\x08":
        raise ConnectionError("the session manager refused")


def main(executable, url, ca=None):
    node, outcome = os.uname().nodename, ["no answer in time"]

    def attempt():
        try:
            sign_off(node, urlsplit(url), ca)
            outcome[0] = ""
        except Exception as problem:
            outcome[0] = str(problem) or type(problem).__name__

    daemons = list(processes(executable))
    send(daemons, signal.SIGSTOP)
    kill_afterwards(daemons)
    # Looking up a name can't be interrupted, so it is left behind.
    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(DEADLINE)
    if outcome[0]:
        print(f"{node} ends without being signed off at {url}: {outcome[0]}", flush=True)
    else:
        print(f"{node} is signed off at {url}", flush=True)
    os._exit(0)


main(*sys.argv[1:])
