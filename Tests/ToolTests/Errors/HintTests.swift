import Testing

@testable import ChatDBTool

@Suite("Commands in hints") struct HintTests {
    private let given = GivenOptions(store: "my s", user: "alice", migrationsDir: "m")

    private static let hints: [(Hint, String, plain: String)] = [
        // A command gets only the options that it takes, quoted where a shell needs it, before the sentence continues.
        (.command(.migrateUp), "chatdb migrate up -d 'my s' --migrations-dir m", plain: "chatdb migrate up"),
        (
            "\(.groupStart, "id:2") records that joining has started",
            "chatdb group start id:2 -d 'my s' -u alice records that joining has started",
            plain: "chatdb group start id:2 records that joining has started"
        ),
        (.command(.userList), "chatdb user list -d 'my s'", plain: "chatdb user list"),
        (
            "use a newer chatdb, or: \(.migrateRun, "--confirm", "yes-up-down")",
            "use a newer chatdb, or: chatdb migrate run --confirm yes-up-down -d 'my s' --migrations-dir m",
            plain: "use a newer chatdb, or: chatdb migrate run --confirm yes-up-down"
        ),
        (
            "\(.relayList), or \(.relayAdd, "ADDRESS") restores it",
            "chatdb relay list -d 'my s' -u alice, or chatdb relay add ADDRESS -d 'my s' -u alice restores it",
            plain: "chatdb relay list, or chatdb relay add ADDRESS restores it"
        ),
        (
            "\(.restore, "/a b/c") completes it",
            "chatdb restore '/a b/c' -d 'my s' --migrations-dir m completes it",
            plain: "chatdb restore '/a b/c' completes it"
        ),
        (
            "\(HintedCommand.adopting) adopts it",
            "chatdb migrate baseline --to NAME -d 'my s' --migrations-dir m adopts it",
            plain: "chatdb migrate baseline --to NAME --migrations-dir DIR adopts it"
        ),
        (
            .command(.migrateBaseline, "--help"), "chatdb migrate baseline --help",
            plain: "chatdb migrate baseline --help"
        ),
        // Options that the command names already, plain text, and commands that work on no store.
        (
            .command(.groupList, "-d", "other", "-u", "bob"), "chatdb group list -d other -u bob",
            plain: "chatdb group list -d other -u bob"
        ),
        // The profile of the command line is not one of another store.
        (
            .command(.presetExport, "-d", "other", "-o", "FILE"), "chatdb preset export -d other -o FILE",
            plain: "chatdb preset export -d other -o FILE"
        ),
        ("chatdb reads it", "chatdb reads it", plain: "chatdb reads it"),
        ("try again", "try again", plain: "try again"),
        (
            .command(.presetValidate, "FILE"), "chatdb preset validate FILE",
            plain: "chatdb preset validate FILE"
        ),
        (
            "see chatdb group list --help", "see chatdb group list --help",
            plain: "see chatdb group list --help"
        ),
    ]

    @Test("A command in a hint repeats the store, the profile and the migrations of the command line", arguments: hints)
    func added(_ hint: (Hint, expected: String, plain: String)) {
        #expect(given.text(hint.0) == hint.expected)
        #expect(hint.0.text() == hint.plain)
    }

    @Test("A folder that a path of dots names is repeated as an absolute path, so that no full stop changes it")
    func dots() {
        let hint: Hint = "run \(.check)."
        let text = hint.text(GivenOptions(store: "."))
        #expect(text.hasPrefix("run chatdb check -d /") && !text.hasSuffix(".."), "\(text)")
        #expect(text == "run " + GivenOptions(store: "a/..").text(.command(.check)) + ".", "\(text)")
        #expect(GivenOptions(store: "./a").text(.command(.check)) == "chatdb check -d ./a")
    }

    @Test("A command on a store repeats the option that gave the passphrase; a descriptor of the process is none")
    func passphrases() {
        let file = GivenOptions(arguments: ["-d", "y", "--passphrase-file=my pass", "inspect"])
        #expect(file.text(.command(.groupList)) == "chatdb group list -d y --passphrase-file 'my pass'")
        #expect(file.text(.command(.groupList, "--passphrase-stdin")) == "chatdb group list --passphrase-stdin -d y")
        #expect(file.text(.command(.presetList)) == "chatdb preset list")
        #expect(file.text(.command(.migrateRun)) == "chatdb migrate run -d y --passphrase-file 'my pass'")
        let new = "chatdb migrate run -d new --encrypt --passphrase-file 'my pass'"
        #expect(file.text(.command(.migrateRun, "-d", "new")) == new)
        let descriptor = GivenOptions(arguments: ["--passphrase-file", "/dev/fd/63"])
        #expect(descriptor.text(.command(.migrateRun, "-d", "new")) == "chatdb migrate run -d new --encrypt")
        let piped = GivenOptions(arguments: ["inspect", "--passphrase-stdin"])
        #expect(piped.text(.command(.check)) == "chatdb check --passphrase-stdin")
        #expect(GivenOptions(arguments: ["--passphrase-file", "/dev/fd/63"]).text(.command(.check)) == "chatdb check")
    }

    @Test("A command that migrates repeats what the command line accepts; other commands do not take it")
    func accepted() {
        let run = ["migrate", "run", "-d", "y", "--accept-edited", "--allow-out-of-order", "a merge", "--encrypt"]
        let given = GivenOptions(arguments: run)
        let options = "--accept-edited --allow-out-of-order 'a merge' --encrypt"
        #expect(given.text(.command(.migratePlan)) == "chatdb migrate plan -d y \(options)")
        #expect(given.text(.command(.migrateRun, "--yes")) == "chatdb migrate run --yes -d y \(options)")
        #expect(
            given.text(.command(.migrateUp, "--allow-out-of-order", "REASON"))
                == "chatdb migrate up --allow-out-of-order REASON -d y --accept-edited --encrypt")
        #expect(given.text(.command(.migrateDown)) == "chatdb migrate down -d y --accept-edited")
        #expect(given.text(.command(.check)) == "chatdb check -d y")
        let encrypted = GivenOptions(arguments: ["migrate", "run", "--encrypt", "--passphrase-file", "p"])
        #expect(
            encrypted.text(.command(.migrateRun, "-d", "new"))
                == "chatdb migrate run -d new --passphrase-file p --encrypt")
    }

    @Test("A command repeats --only if it takes the option, and does not need both databases")
    func onlyOne() {
        let given = GivenOptions(arguments: ["migrate", "run", "-d", "y", "--migrations-dir", "m", "--only", "chat"])
        #expect(given == GivenOptions(store: "y", migrationsDir: "m", only: .chat))
        #expect(GivenOptions(arguments: ["query", "--only=agent"]) == GivenOptions(only: .agent))
        #expect(given.text(.command(.migratePlan)) == "chatdb migrate plan -d y --migrations-dir m --only chat")
        #expect(given.text(.command(.schemaDiff)) == "chatdb schema diff -d y --migrations-dir m --only chat")
        #expect(
            given.text(.command(.migrateNew, "WORDS", "--only", "agent"))
                == "chatdb migrate new WORDS --only agent --migrations-dir m")
        #expect(given.text(.command(.check)) == "chatdb check -d y --migrations-dir m")
        #expect(given.text(.command(.migrateRun, "-d", "new")) == "chatdb migrate run -d new --migrations-dir m")
        let both = HintedCommand(.migrateRun).ofBoth
        #expect(both.with(arguments: ["--yes"]).text(given) == "chatdb migrate run --yes -d y --migrations-dir m")
        #expect(given.text(.command(.salvage, "--output", "NEW")) == "chatdb salvage --output NEW -d y")
        let pair = GivenOptions(files: ["chat=a", "agent=b"], migrationsDir: "m", only: .chat)
        #expect(
            pair.text(.command(.migrateBaseline, "--to", "x"))
                == "chatdb migrate baseline --to x --database 'chat=a' --database 'agent=b' --migrations-dir m")
    }

    @Test("A dump of a store does not repeat the folder of migrations")
    func dumped() {
        let given = GivenOptions(arguments: ["check", "-d", "y", "--migrations-dir", "m"])
        #expect(given.text(.command(.schemaDump)) == "chatdb schema dump -d y")
        #expect(
            GivenOptions(arguments: ["check", "--migrations-dir", "m"]).text(.command(.schemaDump))
                == "chatdb schema dump -d STORE")
        #expect(GivenOptions.none.text(.command(.schemaDump)) == "chatdb schema dump")
    }

    @Test("A command that changes the passphrase repeats the options of the new one; other commands do not take them")
    func newPassphrases() {
        let change = ["passphrase", "change", "-d", "y", "--passphrase-file", "a", "--other-passphrase-file=b"]
        let given = GivenOptions(arguments: change + ["--new-passphrase-file", "c"])
        #expect(
            given.text(.command(.passphraseChange))
                == "chatdb passphrase change -d y --passphrase-file a --other-passphrase-file b "
                + "--new-passphrase-file c")
        #expect(
            given.text(.command(.passphraseSet))
                == "chatdb passphrase set -d y --passphrase-file a --new-passphrase-file c")
        let two: Hint = .command(.passphraseChange, "--other-passphrase-file", "FILE")
        let start = "chatdb passphrase change --other-passphrase-file FILE"
        let repeated = start + " -d y --passphrase-file a --new-passphrase-file c"
        #expect(given.text(two) == repeated)
        let check = GivenOptions(arguments: ["check", "-d", "y", "--passphrase-file", "a"])
        let completed = start + " --new-passphrase-file NEW -d y --passphrase-file a"
        #expect(check.text(two) == completed)
        let set: Hint = .command(.passphraseSet, "--new-passphrase-file", "FILE")
        #expect(check.text(set) == "chatdb passphrase set --new-passphrase-file FILE -d y")
        #expect(given.text(.command(.passphraseRemove)) == "chatdb passphrase remove -d y --passphrase-file a")
        let piped = GivenOptions(arguments: ["passphrase", "set", "--new-passphrase-stdin"])
        #expect(piped.text(.command(.passphraseSet)) == "chatdb passphrase set --new-passphrase-stdin")
        let second = GivenOptions(arguments: ["archive", "check", "--against", "z", "--other-passphrase-file", "b"])
        #expect(second.text(.command(.archiveCheck)) == "chatdb archive check", "it needs the second store")
    }

    @Test("The options are read from any command line; the last of each counts")
    func arguments() {
        #expect(
            GivenOptions(arguments: ["group", "list", "-d", "a", "--store=b", "-u", "x", "--show-hidden"])
                == GivenOptions(store: "b", user: "x", showsHidden: true))
        #expect(GivenOptions(arguments: ["migrate", "verify", "--data", "s"]) == GivenOptions(store: "s"))
        #expect(GivenOptions(arguments: ["query", "--", "-d", "x"]) == .none)
        #expect(GivenOptions(arguments: ["-d"]) == .none)
        #expect(
            GivenOptions(arguments: ["relay", "list", "-u", "x", "--password-stdin"])
                == GivenOptions(user: "x", takesPassword: true))
        for verb in ["hide", "unhide"] {
            let arguments = ["user", verb, "x", "--password-stdin", "-d", "s"]
            #expect(GivenOptions(arguments: arguments) == GivenOptions(store: "s"), "it selects no profile")
        }
    }

    @Test("A command takes the options that its help lists")
    func taken() throws {
        for name in CommandName.allCases {
            let help = CommandTree.help(of: try #require(CommandTree.command(name.words), "\(name)"))
            // The password of these two selects no profile, so no hint repeats their option.
            let setsPassword = name == .userHide || name == .userUnhide
            for option in GivenOptions.Name.allCases where !(setsPassword && option == .passwordStdin) {
                let spelling = option.spellings.last ?? ""
                let isListed = help.contains(try Regex("(^|[ ,\\[])\(spelling)($|[^-\\w])").anchorsMatchLineEndings())
                #expect(name.takes.contains(option) == isListed, "\(name) \(option)")
            }
        }
    }

    @Test("A command with other arguments keeps its use of the passphrase")
    func otherArguments() {
        let command = HintedCommand(.restore, ["FOLDER"], passphrase: .omitted)
        #expect(command.with(arguments: ["b"]) == HintedCommand(.restore, ["b"], passphrase: .omitted))
    }

    @Test("Every command has a name for hints, with all its words")
    func words() {
        #expect(CommandName.allCases.map(\.words).sorted(by: <) == CommandTree.leaves.map(\.words).sorted(by: <))
    }
}

private func < (left: [String], right: [String]) -> Bool { left.lexicographicallyPrecedes(right) }
