import ChatDBKit
import Foundation
import TestKit
import Testing

/// Archives made to do harm, and those of several programs, given to the tool. Rule: docs/support.md, "An archive".
@Suite("archives of others", .timeLimit(.minutes(60))) struct HostileArchivesTests {
    private static let driver = """
        import json, os, subprocess, sys, time
        tool, folder = sys.argv[1:]
        os.mkdir("tmp")
        for file in sorted(os.listdir(folder)):
            path = os.path.join(folder, file)
            for words in ["archive", "check", path], ["archive", "unpack", path, "--to", "new"], ["inspect", "-d", path]:
                begin = time.monotonic()
                with open("errors", "wb") as errors:
                    child = subprocess.Popen(
                        [tool, *words, "--format", "json"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                        stderr=errors, env={**os.environ, "TMPDIR": os.path.abspath("tmp")})
                _, status, usage = os.wait4(child.pid, 0)
                left = os.listdir("tmp") + [name for name in ["new"] if os.path.exists(name)]
                print(json.dumps({
                    "name": file[:-4], "command": words[1] if words[0] == "archive" else words[0],
                    "code": os.waitstatus_to_exitcode(status), "seconds": int(time.monotonic() - begin),
                    "kilobytes": usage.ru_maxrss, "left": left, "errors": open("errors").read()}), flush=True)
                subprocess.run(["rm", "-rf", "new"])
        """

    @Test("each trick is refused with its reason, by each command, in seconds and 64 MiB, and nothing is left")
    func refused() throws {
        let run = try ToolRun()
        try Data(Self.driver.utf8).write(to: URL(fileURLWithPath: run.file("driver.py")))
        let done = try run.shell(
            "python3 '\(HostileArchives.script)' $PWD/archives && python3 driver.py $CHATDB $PWD/archives/hostile")
        #expect(done.code == 0, "\(done.errors)")
        var tried: Set<String> = []
        for line in done.output.split(separator: "\n") {
            let result = try JSONValue(parsing: String(line))
            let name = try #require(result["name"]?.stringValue)
            let (command, code) = (result["command"]?.stringValue ?? "", result["code"]?.integerValue ?? -1)
            #if os(Linux)
                #expect((result["kilobytes"]?.integerValue ?? .max) < 64 << 10, "\(name) \(command): \(line)")
            #endif
            #expect((result["seconds"]?.integerValue ?? .max) < 10, "\(name) \(command): \(line)")
            guard let expected = HostileArchives.refused[name] else {
                #expect(name == "bomb-nested" && code != -1, "\(line)")
                continue
            }
            tried.insert(name)
            #expect(result["left"] == [], "\(name) \(command): \(line)")
            // Damage of one entry is an answer of the check.
            if command == "check", code == 1 { continue }
            let error = try JSONValue(parsing: result["errors"]?.stringValue ?? "")["error"]
            #expect(code == 65 || code == 66, "\(name) \(command): \(line)")
            #expect(error?["code"]?.stringValue == expected.code, "\(name) \(command): \(line)")
            #expect(error?["message"]?.stringValue?.contains(expected.text) == true, "\(name) \(command): \(line)")
        }
        #expect(tried == Set(HostileArchives.refused.keys))
    }

    @Test(
        "archives of zip and of Python are stores: deflated, stored, ZIP64, written to a pipe",
        .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
    func programs() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let made = try store.run.shell(
            """
            set -e
            mkdir made app
            cp y_chat.db app/simplex_v1_chat.db; cp y_agent.db app/simplex_v1_agent.db
            mkdir app/simplex_v1_files; echo photo > app/simplex_v1_files/photo.jpg
            cd app
            if command -v zip > /dev/null; then
                zip -qr ../made/deflated.zip . && zip -qr -0 ../made/stored.zip . && zip -qr -fz ../made/zip64.zip .
                zip -qr -fz- - . | cat > ../made/pipe.zip
            fi
            python3 - <<'END'
            import os, sys, zipfile
            names = ['simplex_v1_chat.db', 'simplex_v1_agent.db', 'simplex_v1_files/photo.jpg']
            def write(out, method, zip64):
                with zipfile.ZipFile(out, 'w', method) as archive:
                    for name in names:
                        with archive.open(name, 'w', force_zip64=zip64) as entry: entry.write(open(name, 'rb').read())
            for name, method in ('deflated', zipfile.ZIP_DEFLATED), ('stored', zipfile.ZIP_STORED):
                for zip64 in False, True:
                    write('../made/python-%s-%s.zip' % (name, zip64), method, zip64)
            end, start = os.pipe()
            if os.fork() == 0:
                os.close(end)
                with os.fdopen(start, 'wb') as out: write(out, zipfile.ZIP_DEFLATED, False)
                os._exit(0)
            os.close(start)
            with open('../made/python-pipe.zip', 'wb') as out: out.write(os.fdopen(end, 'rb').read())
            END
            """)
        try #require(made.code == 0, "\(made.errors)")
        let plain = try store.run("group", "relays", "news", "-u", "alice").output
        let names = try FileManager.default.contentsOfDirectory(atPath: store.run.file("made"))
        #expect(names.count >= 5)
        for name in names {
            let read = try store("group", "relays", "news", "-u", "alice", store: "made/\(name)")
            #expect(read.code == 0 && read.output == plain, "\(name): \(read.errors)")
            let unpacked = try store.run("archive", "unpack", "made/\(name)", "--to", "new")
            #expect(unpacked.code == 0, "\(name): \(unpacked.errors)")
            for database in ["chat", "agent"] {
                let content = FileManager.default.contents(atPath: store.run.file("new/simplex_v1_\(database).db"))
                #expect(content == FileManager.default.contents(atPath: store.run.file("y_\(database).db")), "\(name)")
            }
            try FileManager.default.removeItem(atPath: store.run.file("new"))
        }
    }
}
