"""A server that speaks only the beginning of PostgreSQL's protocol: postgres_fake.py FOLDER VERSION

FOLDER is the one in which it listens. VERSION is the version that it tells each client before it ends the connection;
`silent` answers nothing. Prints `ready`, and ends when standard input ends.
"""
import socket
import struct
import sys
import threading

FOLDER, VERSION = sys.argv[1:]
PATH = FOLDER + "/.s.PGSQL.5432"


def message(kind, body):
    return kind + struct.pack(">I", len(body) + 4) + body


def read(client):
    """The first four bytes of the next message without a kind."""
    size = struct.unpack(">I", client.recv(4, socket.MSG_WAITALL))[0]
    return client.recv(size - 4, socket.MSG_WAITALL)[:4]


def serve(client):
    # Requests for encryption are refused; version 3.0 of the protocol is what the client begins with.
    while read(client) != struct.pack(">I", 3 << 16):
        client.sendall(b"N")
    answer = message(b"R", struct.pack(">I", 0))
    for name, value in [("server_version", VERSION), ("server_encoding", "UTF8"), ("client_encoding", "UTF8")]:
        answer += message(b"S", name.encode() + b"\0" + value.encode() + b"\0")
    client.sendall(answer + message(b"K", struct.pack(">II", 1, 2)) + message(b"Z", b"I"))
    while client.recv(4096):
        pass
    client.close()


def main():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(PATH)
    listener.listen(16)

    def accept():
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(client,), daemon=True).start()

    # The system accepts connections for a program that does not look.
    if VERSION != "silent":
        threading.Thread(target=accept, daemon=True).start()
    print("ready", flush=True)
    sys.stdin.read()


main()
