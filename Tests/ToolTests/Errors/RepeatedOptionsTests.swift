import Testing

@testable import ChatDBTool

@Suite("Commands in hints") struct RepeatedOptionsTests {
    private let given = RepeatedOptions(store: "my s", user: "alice", migrationsDir: "m")

    private static let hints = [
        // Only what a command takes, quoted where a shell needs it, before the sentence goes on.
        ("chatdb migrate up", "chatdb migrate up -d 'my s' --migrations-dir m"),
        ("chatdb group start id:2 starts joining", "chatdb group start id:2 -d 'my s' -u alice starts joining"),
        ("chatdb user list", "chatdb user list -d 'my s'"),
        (
            "use a newer chatdb, or: chatdb migrate run --confirm yes-up-down",
            "use a newer chatdb, or: chatdb migrate run --confirm yes-up-down -d 'my s' --migrations-dir m"
        ),
        (
            "chatdb relay list, or chatdb relay add ADDRESS brings it back",
            "chatdb relay list -d 'my s' -u alice, or chatdb relay add ADDRESS -d 'my s' -u alice brings it back"
        ),
        ("chatdb restore '/a b/c' completes it", "chatdb restore '/a b/c' -d 'my s' --migrations-dir m completes it"),
        // What is said already, what is no command, and what works on no store.
        ("chatdb group list -d other -u bob", "chatdb group list -d other -u bob"),
        ("chatdb reads it", "chatdb reads it"), ("try again", "try again"),
        ("chatdb preset validate FILE", "chatdb preset validate FILE"),
        ("see chatdb group list --help", "see chatdb group list --help"),
    ]

    @Test("A command names the store, the profile and the migrations that were named", arguments: hints)
    func added(_ hint: String, _ expected: String) {
        #expect(given.added(to: hint) == expected)
        #expect(RepeatedOptions.none.added(to: hint) == hint)
    }

    @Test("What was named is read from any command line, the last of each")
    func arguments() {
        #expect(
            RepeatedOptions(arguments: ["group", "list", "-d", "a", "--store=b", "-u", "x", "--show-hidden"])
                == RepeatedOptions(store: "b", user: "x", showsHidden: true))
        #expect(RepeatedOptions(arguments: ["migrate", "verify", "--data", "s"]) == RepeatedOptions(store: "s"))
        #expect(RepeatedOptions(arguments: ["query", "--", "-d", "x"]) == .none)
        #expect(RepeatedOptions(arguments: ["-d"]) == .none)
        #expect(RepeatedOptions(arguments: ["-u", "x", "--password-stdin"]) == RepeatedOptions(user: "x"), "a pipe")
    }
}
