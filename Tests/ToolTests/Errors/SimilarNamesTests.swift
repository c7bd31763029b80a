import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Errors about mistyped names of stores, backups and files, and what they suggest.
@Suite struct SimilarNamesTests {
    @Test("the error for a store that does not exist suggests a store of a similar name, and one in a similar folder")
    func stores() throws {
        let chatdb = try ToolRun()
        for folder in ["support", "j2"] {
            try FileManager.default.createDirectory(atPath: chatdb.file(folder), withIntermediateDirectories: true)
        }
        for store in ["support/chatdb", "j2/friend"] {
            #expect(try chatdb("migrate", "run", "-d", chatdb.file(store)).code == 0)
        }
        for command in [["bundle", "out.json"], ["inspect"], ["user", "list"], ["relay", "list"]] {
            let folder = try chatdb(command + ["-d", chatdb.file("suport/chatdb")])
            #expect(folder.code == 66, "\(folder.errors)")
            #expect(folder.errors.contains("did you mean \"\(chatdb.file("support"))/chatdb\"?"), "\(folder.errors)")
            let name = try chatdb(command + ["-d", chatdb.file("j2/frend")])
            let meant = "did you mean \"\(chatdb.file("j2"))/friend\"?"
            #expect(name.code == 66 && name.errors.contains(meant), "\(name.errors)")
            #expect(!name.errors.contains("creates a new store"), "\(name.errors)")
        }
        let other = try chatdb("inspect", "-d", chatdb.file("nowhere/at/all"))
        #expect(other.errors.contains("for a new store: mkdir -p"), "\(other.errors)")
    }

    @Test("the suggestion has the folder as it was typed, or as the environment has it, so that it can be typed again")
    func typedFolder() throws {
        let chatdb = try ToolRun()
        #expect(try chatdb.shell("mkdir orig && $CHATDB migrate run -d orig/chatdb").code == 0)
        for (command, meant) in [
            ("$CHATDB check -d orig/chat", "orig/chatdb"), ("$CHATDB backup list --store=orig/chat", "orig/chatdb"),
            ("CHATDB_STORE=orig/chat $CHATDB user list", "orig/chatdb"),
            ("cd orig && $CHATDB check -d chat", "chatdb"),
            ("cd orig && $CHATDB check -d ../orig/chat", "../orig/chatdb"),
        ] {
            let errors = try chatdb.shell(command).errors
            #expect(errors.contains("did you mean \"\(meant)\"?"), "\(command): \(errors)")
        }
    }

    @Test("without a named store and without the default store, the hint names the store in the present folder")
    func presentFolder() throws {
        let chatdb = try ToolRun()
        #expect(try chatdb.shell("$CHATDB migrate run -d notes && mkdir empty").code == 0)
        let unnamed = "unset CHATDB_STORE; export XDG_DATA_HOME=$PWD/data"
        for command in ["inspect", "user list", "check"] {
            let errors = try chatdb.shell("\(unnamed); $CHATDB \(command)").errors
            #expect(errors.contains("hint: this folder has a store: -d notes"), "\(command): \(errors)")
            let empty = try chatdb.shell("\(unnamed); cd empty; $CHATDB \(command)").errors
            #expect(empty.contains("For a new store in the default place: "), "\(command): \(empty)")
        }
        let plan = try chatdb.shell("\(unnamed); $CHATDB migrate plan")
        #expect(plan.code == 66 && plan.errors.contains("hint: this folder has a store: -d notes"), "\(plan.errors)")
        let empty = try chatdb.shell("\(unnamed); cd empty; $CHATDB migrate plan").errors
        #expect(empty.contains("hint: neither -d nor CHATDB_STORE names a store"), "\(empty)")
    }

    @Test("the hint says that the default place is meant if no store is named, but not if one of that path is")
    func defaultPlace() throws {
        let chatdb = try ToolRun()
        let place = chatdb.file("data/chatdb/chatdb")
        let data = ["XDG_DATA_HOME": chatdb.file("data")]
        let meaning = "so this is the default place; chatdb find --below FOLDER searches a folder for stores, and -d"
        let unnamed = try chatdb(["relay", "list"], environment: data.merging(["CHATDB_STORE": ""]) { $1 })
        #expect(unnamed.code == 66 && unnamed.errors.contains(meaning), "\(unnamed)")
        #expect(unnamed.errors.hasSuffix("For a new store in the default place: chatdb migrate run\n"), "\(unnamed)")
        let option = try chatdb(["relay", "list", "-d", place], environment: data)
        let variable = try chatdb(["relay", "list"], environment: data.merging(["CHATDB_STORE": place]) { $1 })
        for named in [option, variable] {
            #expect(named.code == 66 && named.errors.contains("hint: check the path; for a new store: "), "\(named)")
        }
    }

    @Test("the error for a preset file that does not exist suggests a file of a similar name")
    func files() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", "my.json")
        let missing = try demo("preset", "import", "my.jsn", "-u", "alice")
        #expect(missing.code == 66 && missing.errors.contains("did you mean \"my.json\"?"), "\(missing.errors)")
        let other = try demo("preset", "import", "another-file", "-u", "alice")
        #expect(other.code == 66 && !other.errors.contains("did you mean"), "\(other.errors)")
    }

    @Test("the error for an archive that does not exist suggests one of a similar name, in the folder as it was typed")
    func archives() throws {
        let chatdb = try ToolRun()
        #expect(try chatdb.shell("mkdir old && touch old/simplex-chat.zip old/simplexchats.txt").code == 0)
        for command in [
            "inspect -d old/simplexchat.zip", "check --store=old/simplex-cht.zip",
            "archive check old/simplexchat.zip", "relay enable mine -d old/smplex-chat.zip --output new.zip",
        ] {
            let outcome = try chatdb.shell("$CHATDB \(command)")
            let hint = #"hint: did you mean "old/simplex-chat.zip"?"#
            #expect(outcome.code == 66 && outcome.errors.contains(hint), "\(command): \(outcome.errors)")
        }
        let other = try chatdb.shell("$CHATDB inspect -d old/holiday.zip").errors
        #expect(other.contains("hint: check the path; chatdb find lists"), "\(other)")
    }

    @Test("restore without a folder, or with one that does not exist, names the command that lists the backups")
    func backups() throws {
        let demo = try DemoStore.make()
        #expect(try demo("restore", "nowhere").errors.contains("name a folder that chatdb backup make"))
        try demo.succeed("backup", "make")
        let missing = try demo("restore", "nowhere", "-d", demo.store)
        #expect(missing.code == 66, "\(missing.errors)")
        #expect(missing.errors.contains("hint: chatdb backup list -d \(demo.store) lists"), "\(missing.errors)")
        let none = try demo("restore", "-d", demo.store)
        #expect(none.code == 64, "\(none.errors)")
        #expect(none.errors.contains("hint: chatdb backup list -d \(demo.store) lists"), "\(none.errors)")
    }

    @Test("preset import says that a file is the answer of a list, and names the command that writes a preset")
    func lists() throws {
        let demo = try DemoStore.make()
        for noun in ["relay", "server"] {
            for format in ["csv", "json"] {
                let list = try demo.succeed(noun, "list", "-u", "alice", "--format", format).output
                let file = demo.file("\(noun).\(format)")
                try Data(list.utf8).write(to: URL(fileURLWithPath: file))
                let refused = try demo("preset", "import", file, "-u", "alice")
                #expect(refused.code == 65, "\(refused.errors)")
                #expect(
                    refused.errors.contains("has the answer of chatdb \(noun) list, which is no preset"),
                    "\(refused.errors)")
                #expect(refused.errors.contains("ask for a preset in its place; chatdb preset export -o FILE.json"))
            }
        }
    }
}
