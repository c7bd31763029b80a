"""A proxy before a PostgreSQL server that cuts one connection at the COMMIT of a transaction that writes: postgres_proxy.py SERVER FOLDER WHEN

SERVER is the folder with the server's socket, FOLDER the one in which the proxy listens. WHEN is `before`, so that the
server never sees the COMMIT, or `after`, so that the client never sees the answer. Later connections pass. Prints
`ready`, and ends when standard input ends.
"""
import os
import socket
import sys
import threading

SERVER, FOLDER, WHEN = sys.argv[1:]
NAME = "/.s.PGSQL.5432"
cut = threading.Event()


def serve(client):
    server = socket.socket(socket.AF_UNIX)
    server.connect(SERVER + NAME)

    def answers():
        try:
            while part := server.recv(65536):
                client.sendall(part)
            client.close()
        except OSError:
            pass

    threading.Thread(target=answers, daemon=True).start()
    writes = False
    try:
        while message := client.recv(65536):
            # A transaction that writes asks for its number first.
            writes = writes or b"pg_current_xact_id" in message
            if writes and b"COMMIT\x00" in message and not cut.is_set():
                cut.set()
                # The server answers nothing to the client from now on.
                client.shutdown(socket.SHUT_RDWR)
                if WHEN == "after":
                    server.sendall(message)
                    # Waits for the end of the connection, before which the server commits.
                    server.shutdown(socket.SHUT_WR)
                else:
                    server.shutdown(socket.SHUT_RDWR)
                return
            server.sendall(message)
        server.close()
    except OSError:
        server.close()


def main():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(FOLDER + NAME)
    listener.listen(16)

    def accept():
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print("ready", flush=True)
    sys.stdin.read()
    os.unlink(FOLDER + NAME)


main()
