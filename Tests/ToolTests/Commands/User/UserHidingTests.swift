import Foundation
import Testing

/// Rule: docs/domain.md, "Profiles", Hidden.
@Suite("user hide, unhide and the password")
struct UserHidingTests {
    /// The demo with alice hidden with the password `secret`; work is active.
    private func hidden() throws -> ToolRun {
        let demo = try DemoStore.make()
        let run = try piped("secret\\n", to: "user hide alice", in: demo)
        #expect(run.code == 0 && run.output.hasPrefix("The profile alice is hidden."), "\(run)")
        return demo
    }

    /// A line of bash with the password on standard input.
    private func piped(_ password: String, to command: String, in folder: ToolRun) throws -> ToolRun.Outcome {
        try folder.shell("printf '\(password)' | \"$CHATDB\" \(command) --password-stdin")
    }

    @Test("Every command finds a hidden profile with its password, and with no other")
    func unlocks() throws {
        let demo = try hidden()
        for command in ["user show alice", "relay list -u alice", "group list --user alice", "preset export -u id:1"] {
            #expect(try piped("secret", to: command, in: demo).code == 0, "\(command)")
            for wrong in ["Secret", "", "secret\\n\\n"] {
                let run = try piped(wrong, to: "\(command) --format json", in: demo)
                #expect(run.code == 1 && run.output.isEmpty, "\(command)")
                #expect(try run.refusal()["code"] == "profileNotFound", "\(command)")
            }
        }
        #expect(try piped("secret\\r\\n", to: "user list", in: demo).output.contains("alice"))
        #expect(try piped("wrong", to: "user list", in: demo).output.contains("and 1 hidden profile"))
        let page = try piped("secret", to: "inspect --format json", in: demo)
        #expect(try page.output.contains("relay.example.org") && page.answer()["hiddenUsers"] == 0)
        let other = try piped("wrong", to: "inspect --format json", in: demo)
        #expect(try !other.output.contains("relay.example.org") && other.answer()["hiddenUsers"] == 1)
    }

    @Test("The name of a hidden profile is refused with the same words as that of a visible one")
    func takenName() throws {
        let demo = try hidden()
        for command in ["add", "rename work"] {
            let words = ["user"] + command.split(separator: " ").map(String.init)
            let run = try demo(words + ["alice", "--format", "json"])
            #expect(try run.refusal()["code"] == "duplicateProfileName", "\(command)")
            let message = try run.refusal()["message"]?.stringValue ?? ""
            #expect(message.contains("\"alice\": that name is taken in this store"), "\(message)")
            #expect(!message.contains("profile has"), "\(message)")
        }
        let visible = try demo("user", "add", "work")
        #expect(visible.errors.contains("\"work\": that name is taken in this store"), "\(visible)")
    }

    @Test("No command names, suggests or finds a hidden profile without --show-hidden or its password")
    func secret() throws {
        let demo = try hidden()
        for command in [
            ["list"], ["show", "alice"], ["show", "id:1"], ["activate", "alicf"], ["rename", "alice", "x"],
            ["rename", "id:1", "x"], ["hide", "alice", "--password-stdin"], ["delete", "alice", "--yes"],
            ["unhide", "alicf", "--password-stdin"],
        ] {
            let run = try demo(["user"] + command)
            #expect(run.code == (command == ["list"] ? 0 : 1), "\(command)")
            #expect(!run.output.contains("alice") && !run.errors.contains("\"alice\"?"), "\(command): \(run)")
        }
        // The message equals that about a profile that does not exist.
        func said(_ name: String) throws -> String {
            try piped("wrong", to: "user unhide \(name)", in: demo).errors.replacing(name, with: "NAME")
        }
        #expect(try said("alice") == said("erna"))
        #expect(try demo.sql("SELECT count(*) FROM users WHERE view_pwd_hash IS NOT NULL") == "1")
    }

    @Test("user unhide with the password makes the profile visible again")
    func unhide() throws {
        let demo = try hidden()
        let run = try piped("secret", to: "user unhide alice --format json", in: demo)
        #expect(try run.answer()["user"]?["hidden"] == false)
        #expect(try demo.succeed("user", "list").output.contains("alice"))
        let again = try piped("secret", to: "user unhide alice --format json", in: demo)
        #expect(try again.code == 1 && again.refusal()["code"] == "profileNotHidden")
    }

    @Test("A hidden profile is activated, renamed and deleted with its password, or with --show-hidden")
    func others() throws {
        let demo = try hidden()
        #expect(try piped("secret", to: "user rename alice alicia", in: demo).code == 0)
        #expect(try piped("secret", to: "user activate alicia", in: demo).code == 0)
        try demo.succeed("user", "activate", "work")
        #expect(try piped("secret", to: "user delete alicia --no-backup", in: demo).code == 64, "no terminal to ask on")
        #expect(try demo("user", "delete", "alicia", "--show-hidden", "--yes", "--no-backup").code == 0)
        #expect(try demo.sql("SELECT group_concat(local_display_name) FROM users") == "work")
    }

    @Test("The active profile and the last one cannot be hidden; the hint comes before the question for a password")
    func refused() throws {
        let demo = try DemoStore.make()
        let active = try demo("user", "hide", "work", "--format", "json")
        #expect(try active.code == 1 && active.refusal()["code"] == "activeProfileCannotBeHidden")
        #expect(try active.refusal()["hint"] == "chatdb user activate USER")
        try demo.succeed("user", "delete", "alice", "--yes", "--no-backup")
        let last = try demo("user", "hide", "work", "--format", "json")
        #expect(try last.code == 1 && last.refusal()["code"] == "lastProfileCannotBeHidden")
    }

    @Test("A command in a hint or note has --password-stdin, and works as written with the password")
    func hinted() throws {
        let demo = try hidden()
        let wrong = try piped("secret", to: "relay list -u nope -d x --format json", in: demo)
        #expect(try wrong.refusal()["hint"] == "chatdb user list -d x --password-stdin lists them")
        let failed = try piped("secret", to: "group show nope -u alice --format json", in: demo)
        #expect(try failed.refusal()["hint"] == "chatdb group list -u alice --password-stdin lists them")
        // `piped` adds the option that ends the command of the hint.
        #expect(try piped("secret", to: "group list -u alice", in: demo).code == 0)
        let noted = try piped("secret", to: "group list -u alice", in: demo).output
        #expect(noted.contains("chatdb group finish GROUP --link LINK -u alice --password-stdin"))
        // The password of `user hide` selects no profile, so the hint does not repeat the option.
        let hide = try piped("x", to: "user hide work --format json", in: demo)
        #expect(try hide.refusal()["hint"]?.stringValue?.contains("--password-stdin") == false)
    }

    @Test("user hide needs a password that is UTF-8 and not empty")
    func passwords() throws {
        let demo = try DemoStore.make()
        let none = try demo("user", "hide", "alice", "--format", "json")
        #expect(try none.code == 64 && none.refusal()["code"] == "passwordNeeded")
        for bytes in ["", "\\n", "\\377", String(repeating: "x", count: 5000)] {
            let run = try piped(bytes, to: "user hide alice --format json", in: demo)
            #expect(try run.code == 65 && run.refusal()["code"] == "invalidPassword", "\(bytes.prefix(5))")
        }
        #expect(try demo("user", "list", "--show-hidden", "--password-stdin").code == 64)
        #expect(try demo.sql("SELECT count(*) FROM users WHERE view_pwd_hash IS NOT NULL") == "0")
    }

    @Test("On a terminal user hide asks for the password twice, user unhide once")
    func typed() throws {
        let demo = try DemoStore.make()
        let hide = try TerminalRun(["user", "hide", "alice"], in: demo)
        _ = try hide.terminal.read(until: "Password for alice: ")
        hide.terminal.type("pass word\n")
        _ = try hide.terminal.read(until: "Again: ")
        hide.terminal.type("pass word\n")
        #expect(try hide.end().code == 0)
        #expect(try piped("pass word", to: "user show alice", in: demo).code == 0)
        let unhide = try TerminalRun(["user", "unhide", "alice"], in: demo)
        _ = try unhide.terminal.read(until: "Password: ")
        unhide.terminal.type("pass word\n")
        #expect(try unhide.end().code == 0)
    }

    @Test("Two different passwords hide nothing, and neither does Ctrl-C")
    func mistyped() throws {
        let demo = try DemoStore.make()
        let run = try TerminalRun(["user", "hide", "alice"], in: demo)
        _ = try run.terminal.read(until: "Password for alice: ")
        run.terminal.type("one\n")
        _ = try run.terminal.read(until: "Again: ")
        run.terminal.type("two\n")
        let end = try run.end()
        #expect(end.code == 1 && end.shown.contains("not the same") && end.answer.isEmpty, "\(end)")
        let stopped = try TerminalRun(["user", "hide", "alice"], in: demo)
        _ = try stopped.terminal.read(until: "Password for alice: ")
        stopped.interrupt()
        let stop = try stopped.end()
        #expect(stop.code == 130 && stop.shown.contains("Nothing was done."), "\(stop)")
        #expect(try demo.sql("SELECT count(*) FROM users WHERE view_pwd_hash IS NOT NULL") == "0")
    }
}
