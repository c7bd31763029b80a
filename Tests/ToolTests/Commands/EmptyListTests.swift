import Testing

@Suite("Empty lists")
struct EmptyListTests {
    @Test("An empty list names the command that fills it, with the given store and profile")
    func commands() throws {
        let store = try DemoStore.empty()
        func said(_ command: String..., user: [String] = []) throws -> String {
            try store(command + ["-d", store.store] + user).output
        }
        #expect(try said("user", "list").contains("chatdb user add NAME -d \(store.store) creates one"))
        #expect(try said("operator", "list").contains("--trust-operators -d \(store.store) imports some"))
        let none = store.file("no")
        let nowhere = try store(["find"], environment: ["HOME": none, "XDG_DATA_HOME": none, "CHATDB_STORE": none])
        #expect(nowhere.output == "no stores at the usual places; chatdb find --below FOLDER searches a folder\n")
        #expect(try store("user", "list").output == "no profiles; chatdb user add NAME creates one\n")
        try store.succeed("user", "add", "the one", "--no-preset")
        let user = ["-u", "the one"]
        let given = "-d \(store.store) -u 'the one'"
        #expect(try said("relay", "list", user: user).contains("chatdb relay add ADDRESS \(given) adds one"))
        #expect(try said("relay", "usage", user: user).contains("chatdb relay add ADDRESS \(given) adds one"))
        #expect(try said("server", "list", user: user).contains("chatdb server add ADDRESS \(given) adds one"))
        #expect(try said("group", "list", user: user).contains("chatdb group create NAME \(given) creates a channel"))
    }

    @Test("An empty list of groups says whose it is, and which other profiles have groups, without hidden ones")
    func otherProfiles() throws {
        let demo = try DemoStore.make()
        let work = try demo.succeed("group", "list", "-u", "work").output
        #expect(
            work == """
                no groups of work; chatdb group create NAME -u work creates a channel

                note: alice has 1 group: chatdb group list -u alice

                """)
        #expect(try !demo.succeed("group", "list", "-u", "alice").output.contains("note: alice"))
        #expect(try demo.succeed("group", "list", "-u", "work", "--format", "json").answer()["groups"] == [])
        try demo.sql("UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02', show_ntfs = 0 WHERE user_id = 1")
        #expect(try !demo.succeed("group", "list", "-u", "work").output.contains("alice"))
    }
}
