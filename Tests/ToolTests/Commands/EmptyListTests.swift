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
}
