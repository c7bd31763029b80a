import Foundation
import Testing

@testable import ChatDBTool

/// Errors about unknown words and options on the command line.
@Suite struct MistypedCommandTests {
    private static let presetUndo =
        "chatdb preset import FILE --mode restore -d s restores the configuration from the file that chatdb wrote "
        + "before a change; see chatdb preset --help"

    @Test(
        "the error about an unknown command names the words before it, ignores later options, and suggests a command",
        arguments: [
            (
                "relay lst -d s", "\"chatdb relay\" has no command \"lst\"",
                "did you mean \"list\"? see chatdb relay --help"
            ),
            (
                "relay lst --help", "\"chatdb relay\" has no command \"lst\"",
                "did you mean \"list\"? see chatdb relay --help"
            ),
            ("bogus --format json", "\"chatdb\" has no command \"bogus\"", "see chatdb --help"),
            (
                "lst", "\"chatdb\" has no command \"lst\"",
                "did you mean \"user list\", \"operator list\", \"server list\" or 6 others? see chatdb --help"
            ),
            (
                "set-link x", "\"chatdb\" has no command \"set-link\"",
                "did you mean \"group set-link\"? see chatdb --help"
            ),
            (
                "relay rename a b", "\"chatdb relay\" has no command \"rename\"",
                "did you mean \"edit\"? see chatdb relay --help"
            ),
            (
                "group relay list", "\"chatdb group relay\" has no command \"list\"",
                "chatdb group relays CHANNEL -d s lists the relays of a channel; see chatdb group relay --help"
            ),
            ("backup remove", "\"chatdb backup\" has no command \"remove\"", "see chatdb backup --help"),
            ("bundle show", "\"chatdb bundle\" has no command \"show\"", "see chatdb bundle --help"),
            (
                "bundle make -d s", "\"chatdb bundle\" has no command \"make\"",
                "did you mean \"write\"? see chatdb bundle --help"
            ),
            (
                "bundle compare a b", "\"chatdb bundle\" has no command \"compare\"",
                "did you mean \"diff\"? see chatdb bundle --help"
            ),
            ("hepl", "\"chatdb\" has no command \"hepl\"", "did you mean \"help\"? see chatdb --help"),
            ("help nosuch", "\"chatdb\" has no command \"nosuch\"", "see chatdb --help"),
            (
                "relay del mine", "\"chatdb relay\" has no command \"del\"",
                "did you mean \"delete\"? see chatdb relay --help"
            ),
            (
                "backup restore -d s", "\"chatdb backup\" has no command \"restore\"",
                "chatdb restore FOLDER -d s restores a backup; see chatdb backup --help"
            ),
            (
                "backup restor", "\"chatdb backup\" has no command \"restor\"",
                "chatdb restore FOLDER -d s restores a backup; see chatdb backup --help"
            ),
            (
                "backup undo", "\"chatdb backup\" has no command \"undo\"",
                "chatdb restore FOLDER -d s restores a backup; see chatdb backup --help"
            ),
            (
                "backup --keep-backups 3 restore -d s", "\"chatdb backup\" has no command \"restore\"",
                "chatdb restore FOLDER -d s restores a backup; see chatdb backup --help"
            ),
            (
                "backup --keep-backups 3 list", "the command \"list\" stands behind options of another one",
                "begin with chatdb backup list; see chatdb backup list --help"
            ),
            ("help preset undo", "\"chatdb preset\" has no command \"undo\"", presetUndo),
            ("preset restore x", "\"chatdb preset\" has no command \"restore\"", presetUndo),
            ("help relay list x", "\"chatdb relay list\" has no command \"x\"", "see chatdb relay list --help"),
        ])
    func reported(_ line: String, _ message: String, _ hint: String) throws {
        let report = try #require(MistypedCommand(in: line.split(separator: " ").map(String.init))).report
        #expect(report.code == "usage" && report.exit == .usage)
        #expect(report.message == message)
        #expect(report.hint.map(GivenOptions(store: "s").text) == hint)
    }

    @Test(
        "known commands, arguments and options go to the parser",
        arguments: [
            "", "user", "help", "help help", "help relay list", "relay show lst", "--version", "-d relay lst",
            "bundle shop", "backup news", "backup compare", "backup ./restore", "backup restored", "backup store",
            "bundle restore", "backup --keep-backups 3", "backup --keep-backups 3 copies", "backup --help",
            "backup make --keep-backups 3 restore", "help backup", "help backup make",
        ])
    func understood(_ line: String) {
        #expect(MistypedCommand(in: line.split(separator: " ").map(String.init)) == nil)
    }

    @Test("an unknown command is a usage error in text and in JSON; a noun alone still prints its help")
    func processes() throws {
        let chatdb = try ToolRun()
        let lst = try chatdb("relay", "lst", "-d", "s")
        #expect(lst.code == 64 && lst.output.isEmpty)
        #expect(lst.errors.hasPrefix("error: \"chatdb relay\" has no command \"lst\"\nhint: did you mean \"list\"?"))
        let bogus = try chatdb("bogus", "--format", "json")
        #expect(try bogus.code == 64 && bogus.refusal()["message"] == "\"chatdb\" has no command \"bogus\"")
        let help = try chatdb("help", "preset", "undo")
        #expect(help.code == 64 && help.output.isEmpty)
        let user = try chatdb("user")
        #expect(user.code == 0 && user.errors.isEmpty && user.output.contains("chatdb user list"))
    }

    @Test("backup restore makes no backup, unless there is a folder with this name")
    func backupRestore() throws {
        let demo = try DemoStore.make()
        let refused = try demo("backup", "restore")
        #expect(refused.code == 64 && refused.output.isEmpty)
        #expect(refused.errors.contains("hint: chatdb restore FOLDER restores a backup; see"), "\(refused.errors)")
        let folder = demo.file("restore")
        let store = demo.store
        for line in [
            "backup -d \(store) restore", "-d \(store) backup restore", "backup --store=\(store) restore b",
            "backup --keep-backups 3 restore", "backup -d \(store) --keep-backups 3 restore", "backup -q undo",
        ] {
            let run = try demo(line.split(separator: " ").map(String.init))
            #expect(run.code == 64 && run.errors.contains("hint: chatdb restore FOLDER "), "\(line): \(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try demo.succeed("backup", "restore")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }

    @Test(
        "an unknown option is reported before what the word after it leads to",
        arguments: [
            ("preset diff --with-user b --bogus x", "unknown option '--bogus'", "see chatdb preset diff --help"),
            (
                "preset diff --with-user b --lenint x", "unknown option '--lenint'",
                "did you mean \"--lenient\"? see chatdb preset diff --help"
            ),
            (
                "query x --migrations-dir m", "unknown option '--migrations-dir'",
                "leave it out: the command needs no migrations; see chatdb query --help"
            ),
            (
                "backup list --migrations-dir=m", "unknown option '--migrations-dir'",
                "leave it out: the command needs no migrations; see chatdb backup list --help"
            ),
            (
                "relay list --migrations-dir m", "unknown option '--migrations-dir'", "see chatdb relay list --help"
            ),
            (
                "preset export --to x.json", "unknown option '--to'",
                "did you mean \"--output\"? see chatdb preset export --help"
            ),
            (
                "copy --output x", "unknown option '--output'", "did you mean \"--to\"? see chatdb copy --help"
            ),
            (
                "preset diff --with-user b -u a --format json x",
                "a file and --with-user or --with-store cannot be used together", "see chatdb preset diff --help"
            ),
            (
                "preset diff --with-user b x -- --bogus",
                "a file and --with-user or --with-store cannot be used together", "see chatdb preset diff --help"
            ),
        ])
    func unknownFirst(_ line: String, _ message: String, _ hint: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let error = try #require(throws: (any Error).self) { try Chatdb.parseAsRoot(words) }
        let report = UsageError.report(for: error, of: words)
        #expect(report.message == message)
        #expect(report.hint?.text() == hint)
    }

    @Test(
        "the error about an unknown option suggests another only if it is similar",
        arguments: [
            ("--nope", "unknown option '--nope'", "see chatdb relay list --help"),
            ("--usr", "unknown option '--usr'", "did you mean \"--user\"? see chatdb relay list --help"),
            ("--fromat=json", "unknown option '--fromat'", "did you mean \"--format\"? see chatdb relay list --help"),
            (
                "--a'. Did you mean 'b'?", "unknown option '--a'. Did you mean 'b'?'",
                "see chatdb relay list --help"
            ),
        ])
    func options(_ option: String, _ message: String, _ hint: String) throws {
        let error = try #require(throws: (any Error).self) { try Chatdb.parseAsRoot(["relay", "list", option]) }
        let report = UsageError.report(for: error)
        #expect(report.message == message)
        #expect(report.hint?.text() == hint)
    }
}
