import ChatDBKit
import Foundation
import TestKit
import Testing

/// Changed copies of archives of SimpleX Chat. Rule: docs/simplex.md, "From one phone to another".
@Suite("changed copies of archives of SimpleX Chat")
struct SimplexArchiveTests {
    /// A store as `archive.zip` in its folder, with a file and a picture; the store itself is away.
    private static func archived(_ phone: SimplexPhone, _ more: String = "") throws -> String {
        try phone.run.archive(
            of: "simplex_v1",
            """
            archive.writestr('simplex_v1_files/photo.jpg', os.urandom(70000))
            archive.writestr('simplex_v1_assets/wallpapers/a.png', b'png' * 900)
            \(more)
            """)
        try FileManager.default.createDirectory(atPath: phone.run.file("away"), withIntermediateDirectories: false)
        for database in DatabaseName.allCases {
            let name = "simplex_v1_\(database.rawValue).db"
            try FileManager.default.moveItem(atPath: phone.run.file(name), toPath: phone.run.file("away/" + name))
        }
        return phone.run.file("archive.zip")
    }

    /// Compares two archives with Python: the names, in their order; the bytes of all entries but the chat database;
    /// and unpacks the databases of the second into `new`.
    private func compare(_ first: String, _ second: String, in run: ToolRun) throws {
        let compared = try run.shell(
            """
            mkdir -p new && python3 - '\(first)' '\(second)' <<'END'
            import sys, zipfile
            a, b = (zipfile.ZipFile(name) for name in sys.argv[1:3])
            assert b.testzip() is None
            assert a.namelist() == b.namelist(), b.namelist()
            for one, other in zip(a.infolist(), b.infolist()):
                if one.filename != 'simplex_v1_chat.db':
                    assert a.read(one) == b.read(other), one.filename
                    assert one.compress_type == other.compress_type and one.date_time == other.date_time
                    assert one.external_attr == other.external_attr and one.CRC == other.CRC
            for name in 'chat', 'agent':
                open('new/simplex_v1_' + name + '.db', 'wb').write(b.read('simplex_v1_' + name + '.db'))
            END
            """)
        #expect(compared.code == 0, "\(compared.errors)")
    }

    @Test(
        "the walk: what one phone has comes into a new archive of another, which differs only in the rows of the plan")
    func walk() throws {
        let (mine, other) = (try SimplexPhone(), try SimplexPhone())
        try mine.answer("server", "add", SimplexPhone.server)
        try mine.answer("relay", "add", SimplexPhone.relay, "--name", "ours")
        try mine.answer("server", "enable", "smp11.simplex.im")
        let (before, launches) = (try other.lines().joined(separator: "\n"), try other.launches())
        let (first, second) = (try Self.archived(mine), try Self.archived(other))
        let old = try Data(contentsOf: URL(fileURLWithPath: second))
        let (file, new) = (mine.run.file("mine.json"), other.run.file("new.zip"))
        #expect(try mine.run("preset", "export", "-d", first, "-o", file).code == 0)

        let command = ["preset", "import", file, "-d", second, "--output", new]
        let plan = try other.run(command + ["--dry-run"])
        #expect(plan.code == 0, "\(plan.errors)")
        #expect(plan.output.contains("new.example.org") && plan.output.contains("ours"), "\(plan.output)")
        #expect(plan.output.contains("At its next start, SimpleX Chat ("), "\(plan.output)")
        #expect(plan.output.contains("it discards what it has received since"), "\(plan.output)")
        #expect(plan.output.contains("The changed archive would be \(new)."), "\(plan.output)")
        #expect(!FileManager.default.fileExists(atPath: new))

        let made = try other.run(command + ["--yes"])
        #expect(made.code == 0, "\(made.errors)")
        #expect(made.output.contains("it discards what it has received since"))
        #expect(made.output.contains("The changed archive is \(new)") && !made.output.contains("backup"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: second)) == old)
        try compare(second, new, in: other.run)
        let (old1, new1) = (
            SimplexPhone.tables(of: before),
            SimplexPhone.tables(of: try other.run.sql(".dump", in: "new/simplex_v1_chat.db"))
        )
        // A server and a relay are new; the presets keep what the other user chose.
        let added = ["protocol_servers": ["'new.example.org'", "'5224'"], "chat_relays": ["'ours'"]]
        for table in Set(old1.keys).union(new1.keys) {
            let difference = (new1[table] ?? []).difference(from: old1[table] ?? [])
            #expect(difference.removals.isEmpty, "\(table): \(difference)")
            let rows = difference.insertions.map { if case .insert(_, let row, _) = $0 { row } else { "" } }
            #expect(rows.count == (added[table] == nil ? 0 : 1), "\(table): \(rows)")
            for text in added[table] ?? [] { #expect(rows.first?.contains(text) == true, "\(table): \(rows)") }
        }
        let check = try other.run("archive", "check", new, "--against", second, "--format", "json")
        let checked = try check.answer()
        #expect(check.code == 0 && checked["importable"] == true, "\(check.output)\(check.errors)")
        #expect(checked["against"]?["relation"] == "same" && checked["oneStore"] == true, "\(check.output)")

        // The app starts with it.
        for database in DatabaseName.allCases {
            let name = "simplex_v1_\(database.rawValue).db"
            try FileManager.default.moveItem(atPath: other.run.file("new/" + name), toPath: other.run.file(name))
        }
        #expect(try other.harm(since: launches).isEmpty)

        let again = try other.run(
            "preset", "import", file, "-d", new, "--output", other.run.file("more.zip"), "--yes")
        #expect(again.code == 0 && !FileManager.default.fileExists(atPath: other.run.file("more.zip")))
        #expect(again.output.contains("was not written: the archive has all of it already"), "\(again.output)")
    }

    @Test(
        "the archives of both phones may be encrypted, and so may a store",
        .enabled(if: EncryptedStore.python != nil, "needs Python with SQLCipher"))
    func encrypted() throws {
        let (mine, other) = (try SimplexPhone(), try SimplexPhone())
        try mine.answer("server", "add", SimplexPhone.server)
        try Data("\(EncryptedStore.key)\n".utf8).write(to: URL(fileURLWithPath: mine.run.file("pass")))
        for name in ["chat", "agent"] {
            try EncryptedStore.encrypt(
                "simplex_v1_\(name).db", to: "e_\(name).db", with: EncryptedStore.key, in: mine.run)
        }
        try mine.run.archive(of: "e")
        let (first, pass, file) = (mine.run.file("archive.zip"), mine.run.file("pass"), mine.run.file("mine.json"))
        let exported = try mine.run("preset", "export", "-d", first, "--passphrase-file", pass, "-o", file)
        #expect(exported.code == 0, "\(exported.errors)")
        let (second, new) = (try Self.archived(other), other.run.file("new.zip"))
        let made = try other.run("preset", "import", file, "-d", second, "--output", new, "--yes")
        #expect(made.code == 0, "\(made.errors)")
        #expect(try other.run("server", "list", "-d", new).output.contains("new.example.org"))

        let changed = mine.run.file("n.zip")
        for words in [["-d", first, "--output", changed], ["-d", mine.run.file("e")]] {
            let added = try mine.run(["server", "add", SimplexPhone.files, "--passphrase-file", pass] + words)
            #expect(added.code == 0, "\(words): \(added.errors)")
        }
        for store in [changed, mine.run.file("e")] {
            let listed = try mine.run("server", "list", "-d", store, "--passphrase-file", pass)
            #expect(listed.output.contains("files.example.org"), "\(listed.errors)")
        }
        let check = try mine.run("archive", "check", changed, "--passphrase-file", pass)
        #expect(check.code == 0, "\(check.output)\(check.errors)")
        // With its passphrase, the program of the archive is known.
        let refused = try mine.run(
            "relay", "edit", "mine", "--name", "x", "-d", changed, "--passphrase-file", pass, "--format", "json")
        #expect(refused.code == 1 && refused.errors.contains(#""readOnlyStore""#), "\(refused.errors)")
        let encrypted = EncryptedStore(in: mine.run)
        #expect(try encrypted.problems("e_chat.db") == "")
        let backups = try FileManager.default.contentsOfDirectory(atPath: mine.run.file("e.backups"))
        #expect(try backups.count == 1 && encrypted.problems("e.backups/\(backups[0])/e_chat.db") == "")
        // What a deletion keeps is the backup, too.
        let deleted = try mine.run(
            "server", "delete", "files.example.org", "-d", mine.run.file("e"), "--passphrase-file", pass, "--yes",
            "--format", "json")
        #expect(try deleted.code == 0 && deleted.answer()["kept"]?["kind"] == "backup", "\(deleted.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: mine.run.folder.path)
        #expect(!names.contains { $0.contains("-deleted-") })
    }

    @Test("each command writes a changed copy, and a deletion says that the archive stays")
    func commands() throws {
        let phone = try SimplexPhone()
        try phone.store.execute(
            """
            INSERT INTO operator_usage_conditions (server_operator_id, server_operator_tag, conditions_commit, accepted_at)
            VALUES (2, 'flux', 'abc', '2026-07-20 09:05:00.123456')
            """, "UPDATE protocol_servers SET enabled = 0 WHERE host LIKE 'smp11.simplex.im%'")
        let archive = try Self.archived(phone)
        let old = try Data(contentsOf: URL(fileURLWithPath: archive))
        for (number, change) in SimplexWritingTests.changes.enumerated() {
            let new = phone.run.file("new-\(number).zip")
            let run = try phone.run(change.command + ["-d", archive, "--output", new, "--format", "json"])
            #expect(run.code == 0, "\(change.command): \(run.errors)")
            if change.command[1] == "delete" { #expect(try run.answer()["kept"]?["kind"] == "archive") }
            try compare(archive, new, in: phone.run)
            #expect(try phone.run.sql(change.sql, in: "new/simplex_v1_chat.db") == change.after, "\(change.command)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: archive)) == old)
        let left = try FileManager.default.contentsOfDirectory(atPath: phone.run.folder.path)
        #expect(left.allSatisfy { $0 == "away" || $0 == "new" || $0.hasSuffix(".zip") }, "\(left)")
    }

    @Test(
        "archives of other programs are copied too: stored, with numbers behind the contents, and with ZIP64 fields",
        arguments: ["stored", "streamed", "large"])
    func forms(_ form: String) throws {
        let phone = try SimplexPhone()
        let made = try phone.run.shell(
            """
            python3 - <<'END'
            import io, zipfile
            class Stream(io.RawIOBase):
                def __init__(self): self.file = open('archive.zip', 'wb')
                def writable(self): return True
                def write(self, data): return self.file.write(data)
            form = '\(form)'
            target = Stream() if form == 'streamed' else 'archive.zip'
            method = zipfile.ZIP_STORED if form == 'stored' else zipfile.ZIP_DEFLATED
            with zipfile.ZipFile(target, 'w', method) as archive:
                for name in 'agent', 'chat':
                    with archive.open('simplex_v1_' + name + '.db', 'w', force_zip64=form == 'large') as entry:
                        entry.write(open('simplex_v1_' + name + '.db', 'rb').read())
                archive.writestr('simplex_v1_files/a', b'a' * 1000)
            if form == 'streamed': target.file.close()
            END
            rm simplex_v1_*.db
            """)
        #expect(made.code == 0, "\(made.errors)")
        let (archive, new) = (phone.run.file("archive.zip"), phone.run.file("new.zip"))
        let run = try phone.run("server", "add", SimplexPhone.server, "-d", archive, "--output", new)
        #expect(run.code == 0, "\(run.errors)")
        try compare(archive, new, in: phone.run)
        #expect(try phone.run("archive", "check", new).code == 0)
        let servers = try phone.run("server", "list", "-d", new)
        #expect(servers.output.contains("new.example.org"), "\(servers.errors)")
    }

    @Test("the new archive may have a name of one character, without a folder", arguments: ["n", "./n"])
    func shortName(_ name: String) throws {
        let phone = try SimplexPhone()
        let archive = try Self.archived(phone)
        let run = try phone.run("server", "add", SimplexPhone.server, "-d", archive, "--output=\(name)")
        #expect(run.code == 0, "\(run.errors)")
        try compare(archive, phone.run.file(name), in: phone.run)
    }

    @Test(
        "an archive without --output, an existing file, a store that is no archive, and archives of others are refused")
    func refusals() throws {
        let phone = try SimplexPhone()
        func code(_ words: String...) throws -> String? {
            try phone.run(["server", "add", SimplexPhone.server] + words + ["--format", "json"]).refusal()["code"]?
                .stringValue
        }
        #expect(try code("-d", phone.store.location.prefix, "--output", phone.run.file("new.zip")) == "usage")
        let (missing, text) = (phone.run.file("missing.zip"), phone.run.file("text.zip"))
        #expect(try code("-d", missing, "--output", phone.run.file("new.zip")) == "archiveNotFound")
        try Data("no archive".utf8).write(to: URL(fileURLWithPath: text))
        #expect(try code("-d", text, "--output", phone.run.file("new.zip")) == "notAnArchive")
        let archive = try Self.archived(phone)
        #expect(try code("-d", archive) == "archiveReadOnly")
        #expect(try code("-d", archive, "--output=-") == "usage")
        #expect(try code("-d", archive, "--output", archive) == "fileExists")
        let taken = try phone.run("server", "add", SimplexPhone.server, "-d", archive, "--output", archive)
        #expect(taken.errors.contains("hint: name another file\n"))
        // Unpacked, the store would be refused too.
        for command in [
            ["relay", "edit", "mine", "--name", "x"], ["group", "start", "coming"], ["check", "--fix", "--yes"],
            ["group", "relay", "add", "news", "mine"], ["migrate", "up", "--yes"],
        ] {
            let refusal = try phone.run(command + ["-d", archive, "--format", "json"]).refusal()
            #expect(refusal["code"] == "readOnlyStore", "\(command): \(refusal)")
        }
        let demo = try DemoStore.make()
        try demo.archive()
        let own = try demo(
            "relay", "disable", "mine", "-d", demo.file("archive.zip"), "--output", demo.file("n.zip"),
            "--format", "json")
        #expect(try own.refusal()["code"] == "archiveReadOnly")
        #expect(!FileManager.default.fileExists(atPath: demo.file("n.zip")))
        // A rule that refuses the change leaves no file.
        let refused = try phone.run(
            "server", "add", "smp://\(SimplexPhone.key)=@smp77.simplex.im", "-d", archive, "--output",
            phone.run.file("new.zip"), "--format", "json")
        #expect(try refused.refusal()["code"] == "simplexOperatorDomain")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: phone.run.folder.path).sorted()
                == ["archive.zip", "away", "text.zip"])
    }
}
