import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// `archive check` and `archive unpack`. Rule: docs/support.md, "An archive".
@Suite struct ArchiveCommandsTests {
    private static let files = """
        archive.writestr('simplex_v1_files/photo.jpg', b'photo' * 1000)
        archive.writestr('simplex_v1_assets/wallpapers/night.png', b'night')
        """

    /// The answer of a check, and its exit code.
    private func check(_ run: ToolRun, code: Int32) throws -> JSONValue {
        let outcome = try run("archive", "check", "archive.zip", "--format", "json")
        #expect(outcome.code == code, "\(outcome.output) \(outcome.errors)")
        return try outcome.answer()
    }

    @Test("an archive of SimpleX Chat's store would be imported, and unpacked it is the same store")
    func whole() throws {
        let simplex = try SimplexFolder()
        let run = simplex.run
        try run.archive(of: "simplex_v1", Self.files)
        let before = try run.folder.fingerprint()
        let answer = try check(run, code: 0)
        #expect(answer["importable"] == true && answer["reason"] == .null)
        #expect(answer["chat"]?["state"] == "whole" && answer["agent"]?["kind"] == "simplex")
        #expect(answer["files"]?["count"] == 1 && answer["files"]?["bytes"] == 5_000 && answer["assets"]?["count"] == 1)
        let text = try run("archive", "check", "archive.zip")
        #expect(text.output.contains(#/An app would import this: +yes/#), "\(text.output)")
        #expect(try run.folder.fingerprint() == before)

        let unpacked = try run("archive", "unpack", "archive.zip", "--to", "my case", "--format", "json")
        #expect(unpacked.code == 0, "\(unpacked.errors)")
        #expect(try unpacked.answer()["next"] == "chatdb inspect -d 'my case'")
        for name in ["simplex_v1_chat.db", "simplex_v1_agent.db"] {
            let content = FileManager.default.contents(atPath: run.file("my case/\(name)"))
            #expect(content != nil && content == FileManager.default.contents(atPath: run.file(name)))
        }
        #expect(FileManager.default.contents(atPath: run.file("my case/simplex_v1_files/photo.jpg"))?.count == 5_000)
        let inspected = try run("inspect", "-d", "my case")
        #expect(inspected.code == 0 && inspected.output.contains("SimpleX Chat"), "\(inspected.errors)")
        let again = try run("archive", "unpack", "archive.zip", "--to", "my case")
        #expect(again.code == 73 && again.errors.contains("is not empty"), "\(again.errors)")
    }

    @Test("encrypted databases are called so, and the answer is unknown; one alone is never imported")
    func encrypted() throws {
        let simplex = try SimplexFolder()
        let noise = "import random; random.seed(1)\n"
        let write = { (name: String) in "archive.writestr('simplex_v1_\(name).db', random.randbytes(40960))\n" }
        try simplex.run.archive(of: "none", noise + write("chat") + write("agent"))
        let both = try check(simplex.run, code: 0)
        #expect(both["importable"] == .null && both["chat"]?["state"] == "encrypted")
        #expect(both["reason"]?.stringValue?.contains("encrypted") == true)
        let run = try simplex.run.shell("mkdir p; cp simplex_v1_agent.db p/x_agent.db; cp p/x_agent.db .")
        #expect(run.code == 0)
        try simplex.run.archive(of: "x", noise + write("chat"))
        let one = try check(simplex.run, code: 1)
        #expect(one["importable"] == false, "\(one)")
        #expect(one["reason"]?.stringValue?.contains("only the chat database is encrypted") == true)
    }

    @Test("what an app would not import has its reason, and the exit code is 1")
    func notImported() throws {
        let own = try DemoStore.make()
        try own.archive()
        #expect(try check(own, code: 1)["reason"]?.stringValue?.contains("not SimpleX Chat's") == true)

        func reason(_ change: String, _ more: String = "") throws -> String {
            let simplex = try SimplexFolder()
            #expect(try simplex.run.shell("set -e; \(change)").code == 0)
            try simplex.run.archive(of: "simplex_v1", more)
            return try check(simplex.run, code: 1)["reason"]?.stringValue ?? ""
        }
        #expect(try reason("rm simplex_v1_agent.db") == "the agent database is missing")
        #expect(
            try reason("mv simplex_v1_agent.db t; mv simplex_v1_chat.db simplex_v1_agent.db; mv t simplex_v1_chat.db")
                == "a database has the name of the other one")
        #expect(try reason("echo text > simplex_v1_chat.db") == "the chat database cannot be read")
        let damage = "dd if=/dev/zero of=simplex_v1_chat.db bs=4096 seek=20 count=10 conv=notrunc 2> /dev/null"
        #expect(try reason(damage) == "the chat database is damaged")
        #expect(try reason("truncate -s 40960 simplex_v1_chat.db") == "the chat database is damaged")
    }

    @Test("a damaged file is named; other things are left out and named")
    func others() throws {
        let simplex = try SimplexFolder()
        try simplex.run.archive(
            of: "simplex_v1",
            "archive.writestr('readme.txt', b'text')\n"
                + "archive.writestr('simplex_v1_files/a', b'photograph', zipfile.ZIP_STORED)")
        let changed = try simplex.run.shell("LC_ALL=C sed -i s/photograph/photogroph/ archive.zip")
        #expect(changed.code == 0)
        let answer = try check(simplex.run, code: 1)
        #expect(answer["damagedFiles"]?.texts == ["\"simplex_v1_files/a\""] && answer["reason"] == "a file is damaged")
        #expect(answer["others"]?["names"]?.texts == ["\"readme.txt\""])
        let text = try simplex.run("archive", "check", "archive.zip")
        #expect(text.output.contains("not part of a store: \"readme.txt\""))
        let unpacked = try simplex.run("archive", "unpack", "archive.zip", "--to", "new")
        #expect(unpacked.code == 66 && unpacked.errors.contains("another checksum"), "\(unpacked.errors)")
        #expect(!FileManager.default.fileExists(atPath: simplex.run.file("new")))
    }

    @Test("a hostile archive is refused by both commands, and no private copy is left", arguments: ["check", "unpack"])
    func hostile(_ command: String) throws {
        let demo = try DemoStore.make()
        try demo.archive(of: "x", "archive.writestr('simplex_v1_files/../../outside', b'x')")
        try FileManager.default.createDirectory(atPath: demo.file("tmp"), withIntermediateDirectories: false)
        let arguments = ["archive", command, "archive.zip"] + (command == "unpack" ? ["--to", "new"] : [])
        let outcome = try demo(arguments, environment: ["TMPDIR": demo.file("tmp")])
        #expect(outcome.code == 65 && outcome.errors.contains("has . or .. as a part"), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: demo.file("tmp")).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: demo.file("new")))
    }

    #if os(Linux)
        @Test(
            "a database of 100 MB, and one that becomes 150 MB, take less than 64 MiB of memory",
            arguments: ["random.randbytes(100_000_000)", "random.randbytes(1_500_000) + bytes(150_000_000)"])
        func memory(_ content: String) throws {
            let run = try ToolRun()
            try run.archive(
                of: "none",
                "import random\narchive.writestr('simplex_v1_chat.db', \(content))\n"
                    + "archive.writestr('simplex_v1_files/photo', random.randbytes(10_000_000))")
            for command in ["check archive.zip", "unpack archive.zip --to new"] {
                let measured = try run.shell(
                    """
                    python3 -c "
                    import resource, subprocess, sys
                    code = subprocess.run([sys.argv[1], 'archive', *sys.argv[2:]], stdout=subprocess.DEVNULL).returncode
                    print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                    " $CHATDB \(command)
                    """)
                let numbers = measured.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
                try #require(numbers.count == 2, "\(measured.output) \(measured.errors)")
                #expect(numbers[0] == (command.hasPrefix("check") ? 1 : 0) && numbers[1] < 64 << 10, "\(numbers)")
            }
        }
    #endif
}
