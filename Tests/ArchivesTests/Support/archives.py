"""Writes archives for the tests into a folder: good ones with Python's zipfile and with zip, hostile ones by hand.

    archives.py FOLDER

The contents of the good ones lie beside them in the folder `contents`.
"""
import io
import os
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib

CHAT, AGENT = "simplex_v1_chat.db", "simplex_v1_agent.db"


def noise(count, seed):
    """Bytes that deflate to about half, always the same."""
    out, state = bytearray(), seed
    while len(out) < count:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        out += struct.pack("<Q", state >> 16)
    return bytes(out[:count])


CONTENTS = {
    CHAT: noise(300_000, 1) + bytes(300_000),
    AGENT: noise(150_001, 2),
    "simplex_v1_files/photo_1.jpg": noise(70_000, 3),
    "simplex_v1_files/Grüße 📷.txt": "Grüße\n".encode() * 1000,
    "simplex_v1_files/empty": b"",
    "simplex_v1_files/below/two/deep.bin": noise(10, 4),
    "simplex_v1_assets/wallpapers/night.png": noise(20_000, 5),
}


class Entry:
    """An entry of an archive made by hand. What is not given is as it should be."""

    def __init__(self, name, content=b"content", deflated=False, **lies):
        self.name = name if isinstance(name, bytes) else name.encode()
        self.data = content
        if deflated:
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            self.data = packer.compress(content) + packer.flush()
        self.fields = {
            "method": 8 if deflated else 0, "flags": 0, "crc": zlib.crc32(content), "packed": len(self.data),
            "size": len(content), "mode": 0o100644, "disk": 0, "extra": b"", "local_extra": b"", "behind": b"",
            "local_name": self.name, "offset": None, "local_method": None, "local_crc": None, "local_packed": None,
            "local_size": None, "local_flags": None,
        }
        assert set(lies) <= set(self.fields), lies
        self.fields.update(lies)

    def __getattr__(self, name):
        return self.fields[name]

    def local(self, name):
        lie = self.fields["local_" + name]
        return self.fields[name] if lie is None else lie


def made(*entries, prefix=b"", comment=b"", count=None, disks=(0, 0), here=None, behind_list=b"", end=True, **lies):
    out, places = bytearray(prefix), []
    for e in entries:
        places.append(len(out) - len(prefix) if e.offset is None else e.offset)
        out += struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, e.local("flags"), e.local("method"), 0, 33, e.local("crc"),
                           e.local("packed"), e.local("size"), len(e.local_name), len(e.local_extra))
        out += e.local_name + e.local_extra + e.data + e.behind
    start = len(out)
    for e, place in zip(entries, places):
        out += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 3 << 8 | 20, 20, e.flags, e.method, 0, 33, e.crc, e.packed,
                           e.size, len(e.name), len(e.extra), 0, e.disk, 0, e.mode << 16, place)
        out += e.name + e.extra
    size = len(out) - start
    out += behind_list
    if end:
        count = len(entries) if count is None else count
        out += struct.pack("<IHHHHIIH", 0x06054B50, *disks, count if here is None else here, count,
                           lies.get("list_size", size), lies.get("list", start - len(prefix)), len(comment)) + comment
    return bytes(out)


def pair(*more, **options):
    return made(Entry(CHAT, b"chat"), Entry(AGENT, b"agent"), *more, **options)


def bomb(size):
    return Entry(CHAT, bytes(size), deflated=True)


def large(*numbers):
    """The extra field of ZIP64."""
    return struct.pack("<HH", 1, 8 * len(numbers)) + b"".join(struct.pack("<Q", n) for n in numbers)


def nested():
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(50_000_000))
    return inner.getvalue()


def overlapping():
    """Two entries that share one content."""
    return made(Entry(CHAT, noise(1000, 6)), Entry(AGENT, noise(1000, 6), offset=0))


def cut_database():
    return made(Entry(CHAT, noise(5000, 7), deflated=True, packed=2000, local_packed=2000), Entry(AGENT, b"agent"))


def half_database():
    """A deflated content cut in its middle, with sizes that fit the rest."""
    whole = Entry(CHAT, noise(5000, 7) + bytes(90_000), deflated=True)
    whole.data = whole.data[:2500]
    whole.fields["packed"] = 2500
    return made(whole, Entry(AGENT, b"agent"))


def lying(**lies):
    return made(Entry(CHAT, noise(3000, 8) + bytes(3000), deflated=True, **lies), Entry(AGENT, b"agent"))


HOSTILE = {
    "parent": lambda: pair(Entry("simplex_v1_files/../../outside", b"x")),
    "parent-alone": lambda: pair(Entry("..", b"x")),
    "dot": lambda: pair(Entry("simplex_v1_files/./x", b"x")),
    "absolute": lambda: pair(Entry("/tmp/outside", b"x")),
    "backslash": lambda: pair(Entry("simplex_v1_files\\..\\outside", b"x")),
    "drive": lambda: pair(Entry("C:outside", b"x")),
    "nul": lambda: pair(Entry(b"simplex_v1_files/x\0.jpg", b"x")),
    "control": lambda: pair(Entry(b"simplex_v1_files/\x1b]0;x\x07", b"x")),
    "empty-part": lambda: pair(Entry("simplex_v1_files//x", b"x")),
    "empty-name": lambda: pair(Entry("", b"x")),
    "long-name": lambda: pair(Entry("simplex_v1_files/" + "x/" * 600, b"")),
    "long-part": lambda: pair(Entry("simplex_v1_files/" + "x" * 256, b"x")),
    "deep": lambda: pair(Entry("simplex_v1_files/" + "x/" * 16 + "x", b"x")),
    "not-utf8": lambda: pair(Entry(b"simplex_v1_files/\xff\xfe", b"x")),
    "link": lambda: pair(Entry("simplex_v1_files/link", b"/etc", mode=0o120777)),
    "link-database": lambda: made(Entry(CHAT, b"/etc/passwd", mode=0o120777), Entry(AGENT, b"agent")),
    "device": lambda: pair(Entry("simplex_v1_files/null", b"", mode=0o020666)),
    "duplicate": lambda: pair(Entry(CHAT, b"other chat")),
    "duplicate-file": lambda: pair(Entry("simplex_v1_files/a", b"1"), Entry("simplex_v1_files/a", b"2")),
    "overlap": overlapping,
    "overlap-part": lambda: made(Entry(CHAT, noise(1000, 6), packed=1200, size=1200), Entry(AGENT, noise(900, 9))),
    "overlap-list": lambda: made(Entry(AGENT, b"agent"), Entry(CHAT, b"chat", packed=60, size=60)),
    "overlap-extra": lambda: made(
        Entry(CHAT, b"chat", local_extra=struct.pack("<HH", 9, 6) + bytes(6), packed=12, size=12, local_packed=12,
              local_size=12), Entry(AGENT, b"agent")),
    "bomb": lambda: made(bomb(200_000_000), Entry(AGENT, b"agent")),
    "bomb-silent": lambda: made(
        Entry(CHAT, bytes(200_000_000), deflated=True, size=90_000_000, local_size=90_000_000), Entry(AGENT, b"agent")),
    "bomb-nested": lambda: pair(Entry("simplex_v1_files/bomb.zip", nested()), Entry("bomb.zip", nested())),
    "size-less": lambda: lying(size=5000, local_size=5000),
    "size-more": lambda: lying(size=7000, local_size=7000),
    "crc": lambda: lying(crc=1),
    "local-crc": lambda: lying(local_crc=1),
    "local-size": lambda: lying(local_size=5000),
    "local-packed": lambda: lying(local_packed=10),
    "local-method": lambda: lying(local_method=0),
    "local-flags": lambda: lying(local_flags=1),
    "local-name": lambda: made(Entry(CHAT, b"chat", local_name=AGENT.encode()), Entry(AGENT, b"agent")),
    "stored-sizes": lambda: made(Entry(CHAT, b"chat", size=5), Entry(AGENT, b"agent")),
    "offset-wrong": lambda: made(Entry(CHAT, b"chat", offset=1, behind=bytes(9)), Entry(AGENT, b"agent")),
    "offset-far": lambda: pair(Entry("simplex_v1_files/x", b"x", offset=2**31)),
    "offset-list": lambda: pair(behind_list=b"", list=2**32 - 2),
    "list-size": lambda: pair(list_size=2**32 - 2),
    "count-more": lambda: pair(count=3),
    "count-less": lambda: pair(count=1),
    "count-many": lambda: pair(count=65_535, behind_list=b"xx"),
    "large-size": lambda: made(
        Entry(CHAT, b"chat", size=2**32 - 1, packed=2**32 - 1, extra=large(2**62, 2**62)), Entry(AGENT, b"agent")),
    "large-place": lambda: made(
        Entry(CHAT, b"chat", offset=2**32 - 1, extra=large(2**63 + 5)), Entry(AGENT, b"agent")),
    "large-cut": lambda: made(
        Entry(CHAT, b"chat", size=2**32 - 1, packed=2**32 - 1, extra=struct.pack("<HHI", 1, 4, 4)),
        Entry(AGENT, b"agent")),
    "encrypted": lambda: made(Entry(CHAT, b"chat", flags=1), Entry(AGENT, b"agent")),
    "aes": lambda: made(
        Entry(CHAT, b"chat", flags=1, method=99, extra=struct.pack("<HHH2sBH", 0x9901, 7, 2, b"AE", 3, 8)),
        Entry(AGENT, b"agent")),
    "strong": lambda: made(Entry(CHAT, b"chat", flags=1 | 64), Entry(AGENT, b"agent")),
    "method-64": lambda: made(Entry(CHAT, b"chat", method=9), Entry(AGENT, b"agent")),
    "method-unknown": lambda: made(Entry(CHAT, b"chat", method=77), Entry(AGENT, b"agent")),
    "split": lambda: pair(disks=(1, 1)),
    "split-entry": lambda: made(Entry(CHAT, b"chat", disk=2), Entry(AGENT, b"agent")),
    "split-here": lambda: pair(here=1),
    "two-ends": lambda: pair(comment=struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0, 0, 0, 0, 0)),
    "garbage-in-list": lambda: pair(behind_list=b"garbage behind the list"),
    "folder-content": lambda: pair(Entry("simplex_v1_files/", b"content")),
    "cut-inflated": cut_database,
    "cut-middle": half_database,
    "deflate-garbage": lambda: made(
        Entry(CHAT, noise(500, 9), method=8, size=900, local_size=900), Entry(AGENT, b"agent")),
    "descriptor-wrong": lambda: made(
        Entry(CHAT, b"chat", flags=8, behind=struct.pack("<IIII", 0x08074B50, 1, 4, 4)), Entry(AGENT, b"agent")),
    "no-databases": lambda: made(Entry("readme.txt", b"text"), Entry("folder/" + CHAT, b"chat")),
    "journal": lambda: pair(Entry(CHAT + "-journal", b"pages")),
    "log": lambda: pair(Entry(AGENT + "-wal", b"pages")),
    "empty": lambda: made(),
    "no-archive": lambda: b"nothing of the kind" * 100,
    "no-bytes": lambda: b"",
    "signature-alone": lambda: b"PK\x03\x04",
}


def write(path, archive):
    with open(path, "wb") as file:
        file.write(archive)


def good(folder):
    """Archives of the same contents, written in every way that is read."""
    contents = os.path.join(folder, "contents")
    for name, content in CONTENTS.items():
        path = os.path.join(contents, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, content)
    os.makedirs(os.path.join(folder, "good"))
    where = lambda name: os.path.join(folder, "good", name + ".zip")

    def with_python(name, method, folders=False, comment=b"", **options):
        with zipfile.ZipFile(where(name), "w", method, **options) as archive:
            archive.comment = comment
            if folders:
                archive.mkdir("simplex_v1_files")
                archive.mkdir("simplex_v1_assets")
            for entry, content in CONTENTS.items():
                archive.writestr(entry, content)

    with_python("deflated", zipfile.ZIP_DEFLATED)
    with_python("stored", zipfile.ZIP_STORED)
    with_python("comment", zipfile.ZIP_DEFLATED, folders=True, comment=b"PK\x05\x06 is no end" * 3000)
    with zipfile.ZipFile(where("zip64"), "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in CONTENTS.items():
            with archive.open(entry, "w", force_zip64=True) as out:
                out.write(content)

    class Pipe(io.RawIOBase):
        """A file that cannot seek: zipfile then writes data descriptors."""
        def __init__(self):
            self.bytes = bytearray()
        def writable(self):
            return True
        def write(self, data):
            self.bytes += bytes(data)
            return len(data)

    for name, zip64 in (("descriptors", False), ("descriptors-zip64", True)):
        pipe = Pipe()
        with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry, content in CONTENTS.items():
                with archive.open(entry, "w", force_zip64=zip64) as out:
                    out.write(content)
        write(where(name), bytes(pipe.bytes))
    with open(where("deflated"), "rb") as file:
        deflated = file.read()
    write(where("prefix"), b"#!/bin/sh\nexit\n" * 50 + deflated)
    # The end of ZIP64, by hand: zipfile writes it only where it is needed.
    end = deflated.rindex(b"PK\x05\x06")
    _, _, _, here, count, size, place, _ = struct.unpack("<IHHHHIIH", deflated[end:])
    write(where("zip64-end"), deflated[:end]
          + struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, here, count, size, place)
          + struct.pack("<IIQI", 0x07064B50, 0, end, 1)
          + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, 2**32 - 1, 2**32 - 1, 0))
    if shutil.which("zip"):
        run = lambda *words, **options: subprocess.run(["zip", "-q", *words], cwd=contents, check=True, **options)
        run("-r", where("zip-deflated"), ".")
        run("-r", "-0", where("zip-stored"), ".")
        run("-r", "-fz", where("zip-zip64"), ".")
        # To a pipe, zip writes descriptors. (With -fz it writes an archive that no program can read.)
        with open(where("zip-pipe"), "wb") as out:
            pipe = subprocess.Popen(["zip", "-q", "-fz-", "-r", "-", "."], cwd=contents, stdout=subprocess.PIPE)
            shutil.copyfileobj(pipe.stdout, out)
            assert pipe.wait() == 0


def small(folder):
    """Archives of few bytes, of which the tests change some."""
    os.makedirs(os.path.join(folder, "small"))
    contents = {CHAT: noise(300, 1) + bytes(300), AGENT: noise(200, 2), "simplex_v1_files/photo.jpg": noise(100, 3)}
    for name, method, zip64 in (
        ("deflated", zipfile.ZIP_DEFLATED, False), ("stored", zipfile.ZIP_STORED, False),
        ("zip64", zipfile.ZIP_DEFLATED, True),
    ):
        with zipfile.ZipFile(os.path.join(folder, "small", name + ".zip"), "w", method) as archive:
            for entry, content in contents.items():
                with archive.open(entry, "w", force_zip64=zip64) as out:
                    out.write(content)
    for name, content in contents.items():
        path = os.path.join(folder, "small-contents", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, content)


def cut(folder):
    with open(os.path.join(folder, "good", "deflated.zip"), "rb") as file:
        whole = file.read()
    os.makedirs(os.path.join(folder, "cut"))
    for name, archive in {
        "end": whole[:-1], "list": whole[:-300], "middle": whole[:200_000], "start": whole[:10],
        "beginning": whole[5000:], "inside": whole[:100_000] + whole[104_096:],
    }.items():
        write(os.path.join(folder, "cut", name + ".zip"), archive)


def main():
    folder = sys.argv[1]
    good(folder)
    small(folder)
    cut(folder)
    os.makedirs(os.path.join(folder, "hostile"))
    for name, make in HOSTILE.items():
        write(os.path.join(folder, "hostile", name + ".zip"), make())


main()
