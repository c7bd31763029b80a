import ChatDBKit
import Foundation
import Testing

@Suite("An answer that chatdb cannot write")
struct AnswerLostTests {
    @Test("After a change the error says, to people and to scripts, that the change was made, and it was made once")
    func changed() throws {
        let demo = try DemoStore.make()
        let run = try demo.shell("\"$CHATDB\" group create full --relay mine -u alice > /dev/full")
        #expect(run.code == 74)
        #expect(run.errors.contains("The change was made; only the report could not be written."))
        #expect(try demo.sql("SELECT count(*) FROM groups WHERE local_display_name = 'full'") == "1")
        let json = try demo.shell("\"$CHATDB\" user delete work --yes --no-backup --format json > /dev/full")
        #expect(json.code == 74)
        #expect(try json.refusal()["code"] == "outputFailed")
        #expect(try json.refusal()["details"]?["done"] == true)
        #expect(try demo.sql("SELECT count(*) FROM users") == "1")
    }

    @Test("The error has the copy that the change left, and the command that undoes it, which only the answer had")
    func kept() throws {
        for (command, key) in [
            ("user delete work --yes", "kept"), ("relay delete mine -u alice --yes", "before"),
            ("check --fix --yes", "kept"),
        ] {
            for format in ["table", "json"] {
                let demo = try DemoStore.make()
                try demo.sql("UPDATE groups SET conn_link_started_connection = 1")
                let run = try demo.shell("\"$CHATDB\" \(command) --format \(format) > /dev/full")
                #expect(run.code == 74, "\(command)")
                let undo = key == "kept" ? "chatdb restore " : "chatdb preset import "
                #expect(run.errors.contains(undo), "\(run.errors)")
                if format == "json" {
                    // A note may come before it.
                    let error = try JSONValue(parsing: run.errors.split(separator: "\n").last.map(String.init) ?? "")
                    let command = error["error"]?["details"]?[key]?["command"]?.stringValue
                    #expect(command?.hasPrefix(undo) == true)
                }
            }
        }
    }

    @Test("Backup and restore report lost output: repeating them would back up or restore a second time")
    func copied() throws {
        let demo = try DemoStore.make()
        let made = try demo.shell("\"$CHATDB\" backup > /dev/full")
        #expect(made.code == 74 && made.errors.contains("The change was made"))
        let backups = try FileManager.default.contentsOfDirectory(atPath: demo.file("x.backups"))
        #expect(backups.count == 1)
        try demo.succeed("user", "add", "later")
        let restored = try demo.shell("\"$CHATDB\" restore x.backups/\(backups[0]) --yes > /dev/full")
        #expect(restored.code == 74 && restored.errors.contains("The change was made"))
        #expect(try demo.sql("SELECT count(*) FROM users") == "2")
    }

    @Test("A migration run reports lost output too; a run with nothing to do and a command that reads do not")
    func migrated() throws {
        let folder = try ToolRun()
        let made = try folder.shell("\"$CHATDB\" migrate run > /dev/full")
        #expect(made.code == 74 && made.errors.contains("The change was made"))
        #expect(try folder("migrate", "status", "--exit-code").code == 0)
        for command in ["migrate run", "user list"] {
            let run = try folder.shell("\"$CHATDB\" \(command) > /dev/full")
            #expect(run.code == 74 && !run.errors.contains("was done"), "\(command)")
        }
    }
}
