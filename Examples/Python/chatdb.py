"""Two ways to a store of chatdb: the C library in this process, or the socket of `chatdb serve`.

Both have `call(method, **parameters)`, which returns the result or raises ChatdbError, and `events(seconds)`, which
returns the events that came within that time.
"""

import ctypes
import itertools
import json
import select
import socket
import time


class ChatdbError(Exception):
    """An error that chatdb answered. `code` is one of docs/errors.md, or the number of JSON-RPC."""

    def __init__(self, error):
        data = error.get("data", {})
        super().__init__(error["message"])
        self.code = data.get("code", error["code"])
        self.data = data


class Library:
    """A store that this process opens itself, through libchatdb."""

    def __init__(self, library, path, **options):
        self._c = ctypes.CDLL(library)
        # The texts are pointers and not c_char_p: Python would copy those, and the original could not be released.
        for name in ("open", "request", "query", "receive"):
            getattr(self._c, f"chatdb_{name}").restype = ctypes.c_void_p
        store = ctypes.c_int64()
        answer = self._text(
            self._c.chatdb_open(path.encode(), json.dumps(options).encode(), ctypes.byref(store)))
        self._store = store
        self.opened = _result(json.loads(answer))
        self._ids = itertools.count(1)

    def call(self, method, **parameters):
        request = _request(next(self._ids), method, parameters)
        answer = self._text(self._c.chatdb_request(self._store, request.encode()))
        return _result(json.loads(answer))

    def events(self, seconds):
        """The events that come until none came for so many seconds."""
        events = []
        while (text := self._text(self._c.chatdb_receive(self._store, ctypes.c_int64(int(seconds * 1000))))):
            events.append(json.loads(text))
        return events

    def close(self):
        self._c.chatdb_close(self._store)

    def _text(self, pointer):
        """A text of the library, which is released after it was copied."""
        if not pointer:
            return None
        try:
            return ctypes.string_at(pointer).decode()
        finally:
            self._c.chatdb_free(ctypes.c_void_p(pointer))


class Socket:
    """A store that `chatdb serve --socket PATH` has open."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self._buffer = b""
        self._events = []
        self._ids = itertools.count(1)

    def call(self, method, **parameters):
        number = next(self._ids)
        try:
            self._socket.sendall((_request(number, method, parameters) + "\n").encode())
        except BrokenPipeError:
            pass  # chatdb has disconnected this client. If it said why, that is still to be read.
        while True:
            line = self._line(None)
            if line.get("id") == number:
                return _result(line)
            # Events arrive between a request and its answer, too.
            self._keep(line)

    def events(self, seconds):
        """The events that come until none came for so many seconds."""
        while (line := self._line(seconds)) is not None:
            self._keep(line)
        events, self._events = self._events, []
        return events

    def close(self):
        self._socket.close()

    def _keep(self, line):
        """Keeps an event. What is none is an error without the id of a request, such as tooManyClients."""
        if "method" not in line:
            raise ChatdbError(line["error"])
        self._events.append(line)

    def _line(self, seconds):
        """The next line; None if there is none in time."""
        end = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = None if end is None else max(0, end - time.monotonic())
            if not select.select([self._socket], [], [], left)[0]:
                return None
            part = self._socket.recv(65536)
            if not part:
                raise ConnectionError("chatdb serve has ended")
            self._buffer += part
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)


def _request(number, method, parameters):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})


def _result(answer):
    if "error" in answer:
        raise ChatdbError(answer["error"])
    return answer["result"]
