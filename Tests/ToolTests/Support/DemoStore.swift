import Foundation

/// The store of the demo: two profiles, a relay of alice's own, and a channel of hers that uses it.
enum DemoStore {
    static let relay = "https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    /// The same relay as ``relay``, in the other scheme.
    static let sameRelay = "simplex:/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw?h=RELAY.example.org"
    static let otherRelay = "https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"
    static let third = "https://third.example.com/r#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"

    /// An empty store of this build.
    static func empty() throws -> ToolRun { try ToolRun(emptyFiles.get()) }

    static func make() throws -> ToolRun { try ToolRun(demoFiles.get()) }

    /// The same store with the channel finished and its relays active, so that `check` finds nothing.
    static func finished() throws -> ToolRun {
        let store = try make()
        try store.sql(
            """
            UPDATE groups SET creating_in_progress = 0;
            UPDATE group_profiles SET group_link = 'https://simplex.chat/c#x';
            UPDATE group_relays SET relay_status = 'active', relay_link = '\(otherRelay)';
            UPDATE group_members SET member_status = 'connected', relay_link = '\(otherRelay)' WHERE member_role = 'relay';
            """)
        return store
    }

    // Created once and copied: every test has its own.

    private static let emptyFiles = Result { () throws -> [String: Data] in
        let folder = try ToolRun()
        try folder.succeed("migrate", "run", "-q")
        return try folder.databases()
    }

    private static let demoFiles = Result { () throws -> [String: Data] in
        let folder = try empty()
        try folder.succeed("user", "add", "alice", "--seed", "1")
        try folder.succeed("user", "add", "work", "--seed", "2")
        try folder.succeed("relay", "add", relay, "--name", "mine", "--user", "alice")
        try folder.succeed("group", "create", "news", "--relay", "mine", "--relay", "smp5.simplex.im", "-u", "alice")
        return try folder.databases()
    }
}

extension ToolRun {
    /// A new folder with these files.
    init(_ files: [String: Data]) throws {
        try self.init()
        for (name, bytes) in files { try bytes.write(to: URL(fileURLWithPath: file(name))) }
    }

    /// The files of the store, which no process has open, so its log is empty; and others.
    func databases(and others: String...) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in ["x_chat.db", "x_agent.db"] + others {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: file(name)))
        }
        return files
    }
}
