import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// `archive pack`, with Python's zipfile as the judge. Rule: docs/support.md, "Make an archive".
@Suite struct ArchivePackTests {
    /// SimpleX Chat's store, with files, pictures, a file of zeros, and a link that leads elsewhere.
    private func prepared() throws -> ToolRun {
        let run = try SimplexFolder().run
        let made = try run.shell(
            """
            set -e; mkdir -p simplex_v1_files simplex_v1_assets/wallpapers simplex_v1_files/empty
            head -c 50000 /dev/urandom > simplex_v1_files/photo.jpg; : > simplex_v1_files/nothing
            echo é > simplex_v1_files/über.txt; echo night > simplex_v1_assets/wallpapers/night.png
            truncate -s 5M simplex_v1_files/zeros; ln -s /etc/passwd simplex_v1_files/link
            """)
        #expect(made.code == 0, "\(made.errors)")
        return run
    }

    /// What Python finds in an archive: the names, after every content was compared with the file of that name.
    private func names(_ archive: String, in run: ToolRun) throws -> [String] {
        let judged = try run.shell(
            """
            python3 - <<'END'
            import zipfile
            with zipfile.ZipFile('\(archive)') as archive:
                assert archive.testzip() is None
                for entry in archive.infolist():
                    assert archive.read(entry) == open(entry.filename, 'rb').read(), entry.filename
                    assert entry.compress_type == zipfile.ZIP_DEFLATED or entry.filename.endswith('zeros')
                    assert entry.external_attr >> 16 == 0o100600 and entry.date_time[0] > 2000, entry
                    print(entry.filename)
            END
            """)
        #expect(judged.code == 0, "\(judged.errors)")
        return judged.output.split(separator: "\n").map(String.init)
    }

    @Test("both databases, the files and the pictures are in it under the app's names, and an app would import it")
    func packed() throws {
        let run = try prepared()
        let before = try run.folder.fingerprint()
        let outcome = try run(
            "archive", "pack", "-d", "simplex_v1", "--files", ".", "--output", "new.zip", "--format", "json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let answer = try outcome.answer()
        #expect(answer["importable"] == true && answer["chat"]?["encrypted"] == false)
        #expect(answer["files"]?["count"] == 4 && answer["assets"]?["count"] == 1)
        #expect(answer["leftOut"]?.texts == ["\"simplex_v1_files/link\""])
        let names = try names("new.zip", in: run)
        #expect(names.prefix(2) == ["simplex_v1_chat.db", "simplex_v1_agent.db"])
        #expect(
            Set(names.dropFirst(2)) == [
                "simplex_v1_files/photo.jpg", "simplex_v1_files/nothing", "simplex_v1_files/über.txt",
                "simplex_v1_files/zeros", "simplex_v1_assets/wallpapers/night.png",
            ])
        #expect(try run.folder.fingerprint().filter { $0.key != "new.zip" } == before)
        #expect(try run("archive", "check", "new.zip").code == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: run.file("new.zip"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try run("archive", "pack", "-d", "simplex_v1", "--output", "new.zip")
        #expect(again.code == 73 && again.errors.contains("already exists"))
    }

    @Test(
        "encrypted databases are packed as they are, and need the passphrase, because chatdb checks them",
        .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
    func encrypted() throws {
        let simplex = try SimplexFolder().run
        #expect(try simplex.shell("for n in chat agent; do cp simplex_v1_$n.db x_$n.db; done").code == 0)
        let store = try EncryptedStore(of: simplex)
        let packed = try store("archive", "pack", "--output", "new.zip", "--format", "json")
        #expect(packed.code == 0, "\(packed.errors)")
        #expect(try packed.answer()["agent"]?["encrypted"] == true)
        #expect(
            try store.run.shell("mkdir z; cp y_chat.db z/simplex_v1_chat.db; cp y_agent.db z/simplex_v1_agent.db").code
                == 0)
        let unpacked = try store.run.shell(
            "python3 -m zipfile -e new.zip u && cmp u/simplex_v1_chat.db y_chat.db && cmp u/simplex_v1_agent.db y_agent.db"
        )
        #expect(unpacked.code == 0, "\(unpacked.errors)")
        let without = try store.refusal("archive", "pack", "-d", "y", "--output", "other.zip")
        #expect(without.code == "encrypted" && without.exit == 64)
        #expect(FileState(at: store.run.file("other.zip")) == .missing)
    }

    @Test("a store of chatdb is refused, because the app could not start with it")
    func own() throws {
        let run = try DemoStore.make()
        let outcome = try run("archive", "pack", "--output", "new.zip", "--format", "json")
        #expect(try outcome.code == 1 && outcome.refusal()["code"] == "notSimplex")
        #expect(FileState(at: run.file("new.zip")) == .missing)
    }

    @Test(
        "what an app would not import, a store in use and an interrupted one leave no archive",
        arguments: [
            ("sqlite3 simplex_v1_agent.db 'DELETE FROM users'", "notImportable", 1),
            ("echo x > simplex_v1_chat.db-journal", "simplexJournal", 1),
            ("exec 3<> simplex_v1_agent.db", "inUse", 75), ("rm simplex_v1_agent.db", "incompleteStore", 66),
        ] as [(String, String, Int32)])
    func refused(_ prepare: String, _ code: String, _ exit: Int32) throws {
        let run = try SimplexFolder().run
        let outcome = try run.shell(
            """
            \(prepare)
            $CHATDB archive pack -d simplex_v1 --output new.zip --lock-timeout 0 --format json; exit $?
            """)
        #expect(outcome.code == exit && outcome.errors.contains("\"\(code)\""), "\(outcome.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: run.folder.path)
        #expect(!names.contains { $0.hasPrefix("new.zip") }, "\(names)")
    }
}
