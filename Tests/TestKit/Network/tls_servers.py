"""Servers on loopback for the tests of servers: tls_servers.py FOLDER

Makes certificates with openssl in FOLDER, starts one server for each case on a port of its own, prints their ports and
key hashes as a line of JSON, and ends when standard input ends.
"""
import base64
import hashlib
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading

FOLDER = sys.argv[1]


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], cwd=FOLDER, check=True, capture_output=True)


def key(name, kind):
    options = ["-algorithm", kind]
    if kind == "EC":
        options += ["-pkeyopt", "ec_paramgen_curve:P-256"]
    openssl("genpkey", *options, "-out", name + ".key")


def authority(name, kind, signer=None):
    """A CA certificate, self-signed or signed by another one."""
    key(name, kind)
    extensions = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=keyCertSign"]
    options = ["-CA", signer + ".pem", "-CAkey", signer + ".key"] if signer else []
    openssl("req", "-x509", "-key", name + ".key", "-subj", "/CN=" + name, "-days", "3650", *extensions, *options,
            "-out", name + ".pem")


def leaf(name, kind, signer, expired=False):
    """A certificate of a server. It has no host name, like those of SimpleX servers."""
    key(name, kind)
    openssl("req", "-new", "-key", name + ".key", "-subj", "/CN=" + name, "-out", name + ".csr")
    if not expired:
        openssl("x509", "-req", "-in", name + ".csr", "-CA", signer + ".pem", "-CAkey", signer + ".key", "-days", "3650",
                "-out", name + ".pem")
        return
    # Only `openssl ca` takes dates of its own.
    with open(FOLDER + "/ca.conf", "w") as conf:
        conf.write("[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nnew_certs_dir=.\nserial=serial\npolicy=p\n"
                   "default_md=default\nrand_serial=yes\n[p]\ncommonName=supplied\n")
    open(FOLDER + "/index.txt", "w").close()
    openssl("ca", "-batch", "-config", "ca.conf", "-in", name + ".csr", "-cert", signer + ".pem", "-keyfile",
            signer + ".key", "-startdate", "20200101000000Z", "-enddate", "20210101000000Z", "-notext", "-out",
            name + ".pem")


def text(name):
    with open(FOLDER + "/" + name + ".pem") as file:
        return file.read()


def key_hash(name):
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(text(name))).digest()
    return base64.urlsafe_b64encode(digest).decode()


def chain(leaf_name, *others):
    path = FOLDER + "/" + "-".join((leaf_name, *others)) + ".chain"
    with open(path, "w") as file:
        file.write("".join(text(name) for name in (leaf_name, *others)))
    return path


def context(chain_path, key_name, alpn):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(chain_path, FOLDER + "/" + key_name + ".key")
    if alpn:
        made.set_alpn_protocols([alpn])
    return made


def hello(lowest=6, highest=18, length=None, session=b"s" * 32):
    content = struct.pack(">HH", lowest, highest) + bytes([len(session)]) + session + b"a later part"
    block = struct.pack(">H", len(content) if length is None else length) + content
    return block + b"#" * (16384 - len(block))


PORTS = {}
FOREVER = threading.Event()


def serve(name, handle, host="127.0.0.1"):
    listener = socket.create_server((host, 0))
    PORTS[name] = listener.getsockname()[1]

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    def answer(connection):
        try:
            handle(connection)
        except (OSError, ValueError):
            pass
        finally:
            connection.close()

    threading.Thread(target=accept, daemon=True).start()


def tls(name, made, send):
    """A TLS server: send(connection) after the handshake."""
    def handle(connection):
        with made.wrap_socket(connection, server_side=True) as wrapped:
            send(wrapped)
            wrapped.recv(1)
    serve(name, handle)


def in_pieces(block):
    def send(connection):
        for start in range(0, len(block), 512):
            connection.sendall(block[start:start + 512])
            FOREVER.wait(0.01)
    return send


def trickle(connection):
    while True:
        connection.sendall(b"\0")
        FOREVER.wait(0.05)


def closed_after(size):
    def send(connection):
        connection.sendall(hello()[:size])
        raise OSError
    return send


def read_and_close(connection):
    connection.recv(100)


def start_openssl(name, alpn):
    process = subprocess.Popen(
        ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "leaf448.pem", "-key", "leaf448.key", "-cert_chain",
         "ca448.pem", "-alpn", alpn, "-naccept", "100"],
        cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in process.stdout:
        if line.startswith("ACCEPT"):
            PORTS[name] = int(line.rsplit(":", 1)[1])
            break
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return process


authority("ca448", "ED448")
leaf("leaf448", "ED448", "ca448")
authority("ca25519", "ED25519")
authority("operator", "ED25519", signer="ca25519")
leaf("leaf25519", "ED25519", "operator")
authority("caEC", "EC")
leaf("leafEC", "EC", "caEC")
leaf("expired", "ED448", "ca448", expired=True)
authority("other", "ED448")

good = context(chain("leaf448", "ca448"), "leaf448", "smp/1")
tls("ed448", good, lambda connection: connection.sendall(hello()))
# The identity is the second certificate of the chain; the last one signs it.
tls("ed25519", context(chain("leaf25519", "operator", "ca25519"), "leaf25519", "smp/1"),
    lambda connection: connection.sendall(hello(8, 8)))
tls("ec", context(chain("leafEC", "caEC"), "leafEC", "smp/1"), lambda connection: connection.sendall(hello()))
tls("expired", context(chain("expired", "ca448"), "expired", "smp/1"), lambda connection: connection.sendall(hello()))
tls("foreign", context(chain("leaf448", "other"), "leaf448", "smp/1"), lambda connection: connection.sendall(hello()))
tls("single", context(chain("ca448"), "ca448", "smp/1"), lambda connection: connection.sendall(hello()))
tls("noALPN", context(chain("leaf448", "ca448"), "leaf448", None), lambda connection: connection.sendall(hello()))
tls("xftp", context(chain("leaf448", "ca448"), "leaf448", "xftp/1"), lambda connection: None)
tls("silentAfterTLS", good, lambda connection: None)
tls("slow", good, in_pieces(hello()))
tls("trickle", good, trickle)
tls("closedInBlock", good, closed_after(10_000))
tls("garbage", good, lambda connection: connection.sendall(b"\xff" * 16384))
tls("upsideDown", good, lambda connection: connection.sendall(hello(18, 6)))
serve("silent", lambda connection: FOREVER.wait())
# At every address of the loopback network.
serve("silentEverywhere", lambda connection: FOREVER.wait(), host="0.0.0.0")
serve("closedInTLS", read_and_close)
serve("plain", lambda connection: (connection.recv(10), connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")))

# Bound and not listening, so that no other program gets the port.
refusing = socket.socket()
refusing.bind(("127.0.0.1", 0))
PORTS["refused"] = refusing.getsockname()[1]

# Its queue is full: the system does not answer.
full = socket.socket()
full.bind(("127.0.0.1", 0))
full.listen(0)
PORTS["full"] = full.getsockname()[1]
waiting = []
for _ in range(8):
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(full.getsockname())
    waiting.append(client)

children = [start_openssl("opensslXFTP", "xftp/1"), start_openssl("opensslOther", "h2")]
names = {"leaf448": "ca448", "ed25519": "operator", "ec": "caEC", "other": "other"}
print(json.dumps({"ports": PORTS, "hashes": {name: key_hash(ca) for name, ca in names.items()}}), flush=True)
sys.stdin.read()
for child in children:
    child.kill()
os._exit(0)
