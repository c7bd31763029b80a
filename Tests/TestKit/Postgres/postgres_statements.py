"""A proxy before a PostgreSQL server that counts statements and kills at one of them: postgres_statements.py SERVER FOLDER

SERVER is the folder with the server's socket, FOLDER the one in which the proxy listens. A statement is a message of a
client with a query, the execution of a prepared one, a part of the rows of a COPY, or their end; a row that the server
sends in a COPY counts too. Each line of standard input is a command, which one line answers:

    kill WHAT NUMBER   counts from 0 again, and kills at the statement with this number, which nobody gets:
                       `connection` closes it to both sides, `server` ends the server's process of the connection, and
                       `client` the process that sent the statement. A number that is never reached kills nothing.
    state              the number of statements since, and the name of the one at which something was killed, or `none`

Prints `ready`, and ends when standard input ends.
"""
import os
import signal
import socket
import struct
import sys
import threading

SERVER, FOLDER = sys.argv[1:]
NAME = "/.s.PGSQL.5432"
STATEMENTS = {b"Q": "query", b"E": "execution", b"d": "rows", b"c": "end of rows"}
lock = threading.Lock()
what, at, count, killed = "connection", -1, 0, None


def close(*sockets):
    for one in sockets:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Connection:
    def __init__(self, client):
        self.client = client
        self.server = socket.socket(socket.AF_UNIX)
        self.server.connect(SERVER + NAME)
        self.backend = None
        self.received = b""
        self.answering = threading.Thread(target=self.answers, daemon=True)
        self.answering.start()
        threading.Thread(target=self.requests, daemon=True).start()

    def answers(self):
        data = b""
        try:
            while part := self.server.recv(65536):
                data += part
                while len(data) >= 5 and len(data) > struct.unpack("!I", data[1:5])[0]:
                    end = 1 + struct.unpack("!I", data[1:5])[0]
                    message, data = data[:end], data[end:]
                    if message[:1] == b"K":
                        self.backend = struct.unpack("!I", message[5:9])[0]
                    if message[:1] == b"d" and self.kills("row of the server", message):
                        return
                    self.client.sendall(message)
        except OSError:
            pass
        close(self.client, self.server)

    def read(self, size):
        while len(self.received) < size:
            part = self.client.recv(max(65536, size - len(self.received)))
            if not part:
                raise OSError("the client ended the connection")
            self.received += part
        taken, self.received = self.received[:size], self.received[size:]
        return taken

    def requests(self):
        try:
            # The first message has no kind.
            head = self.read(4)
            self.server.sendall(head + self.read(struct.unpack("!I", head)[0] - 4))
            while True:
                head = self.read(5)
                message = head + self.read(struct.unpack("!I", head[1:])[0] - 4)
                if head[:1] in STATEMENTS and self.kills(STATEMENTS[head[:1]], message):
                    return
                self.server.sendall(message)
        except OSError:
            close(self.client, self.server)

    def kills(self, name, message):
        """Counts a statement. Returns whether the connection has ended at it."""
        global count, killed
        with lock:
            number, count = count, count + 1
            if number != at:
                return False
            killed = name
            if name == "query":
                killed += ": " + message[5:-1].decode(errors="replace").replace("\n", " ")[:80]
            how = what
        if how == "server":
            os.kill(self.backend, signal.SIGTERM)
            # The client gets the last words of the server's process.
            if threading.current_thread() is self.answering:
                return False
            self.answering.join()
        elif how == "client":
            size = struct.calcsize("3i")
            process = struct.unpack("3i", self.client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))[0]
            os.kill(process, signal.SIGKILL)
        close(self.client, self.server)
        return True


def main():
    global what, at, count, killed
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(FOLDER + NAME)
    listener.listen(16)

    def accept():
        while True:
            Connection(listener.accept()[0])

    threading.Thread(target=accept, daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        words = line.split()
        with lock:
            if words[0] == "kill":
                what, at, count, killed = words[1], int(words[2]), 0, None
                answer = "armed"
            else:
                answer = f"{count} {killed or 'none'}"
        print(answer, flush=True)


main()
