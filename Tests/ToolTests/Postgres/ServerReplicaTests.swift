import ChatDBKit
import Foundation
import TestKit
import Testing

extension ToolRun {
    /// Runs `chatdb` on a store on a server.
    @discardableResult
    func on(_ store: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        try self(
            arguments,
            environment: ["CHATDB_STORE": store, "XDG_DATA_HOME": file("data")].merging(environment) { $1 })
    }

    /// The same where it must succeed.
    @discardableResult
    func succeed(on store: String, _ arguments: String...) throws -> Outcome {
        let outcome = try on(store, arguments)
        guard outcome.code == 0 else {
            throw Failure(description: "\(arguments): \(outcome.code)\n\(outcome.output)\(outcome.errors)")
        }
        return outcome
    }
}

/// The commands on a streaming replica, on which nothing can be written. Rule: docs/postgresql.md, "Backups".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct ServerReplicaTests {
    private let chatdb: ToolRun
    private let primary: OwnServer
    private let replica: OwnServer

    /// A replica of a server with a store that has one profile and one channel.
    init() throws {
        chatdb = try ToolRun()
        primary = try OwnServer()
        try primary.psql("CREATE DATABASE chats")
        let store = primary.uri(database: "chats") + "&store=main"
        try chatdb.succeed(on: store, "migrate", "run")
        try chatdb.succeed(on: store, "user", "add", "alice", "--seed", "1")
        try chatdb.succeed(on: store, "group", "create", "news", "--relay", "smp5.simplex.im", "--user", "alice")
        replica = try OwnServer(following: primary)
    }

    private var store: String { replica.uri(database: "chats") + "&store=main" }

    @Test("what reads prints on a replica what it prints on its server")
    func reading() throws {
        let commands = [
            ["user", "list"], ["group", "list", "--user", "alice"], ["group", "show", "news", "--user", "alice"],
            ["relay", "list", "--user", "alice"], ["server", "list", "--user", "alice"], ["operator", "list"],
            ["contact", "list", "--user", "alice"], ["preset", "export", "--user", "alice"], ["migrate", "status"],
            ["migrate", "plan"], ["search", "news", "--user", "alice"], ["check"],
        ]
        let original = primary.uri(database: "chats") + "&store=main"
        for command in commands {
            let (one, other) = (try chatdb.on(store, command), try chatdb.on(original, command))
            #expect(one.code == 0, "\(command): \(one.errors)")
            #expect(one.output == other.output, "\(command)")
        }
        #expect(try chatdb.succeed(on: store, "inspect").output.contains("news"))
        #expect(try chatdb.succeed(on: store, "migrate", "run").output.contains("Nothing to do"))
    }

    @Test("what writes ends with an error of its own, and changes nothing")
    func writing() throws {
        let commands = [
            ["user", "add", "bob"], ["user", "delete", "alice", "--yes", "--no-backup"],
            ["group", "create", "more", "--relay", "smp5.simplex.im", "--user", "alice"],
            ["relay", "disable", "smp5", "--user", "alice"],
        ]
        for command in commands {
            let outcome = try chatdb.on(store, command)
            #expect(outcome.code == 74, "\(command): \(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("the server is a replica"), "\(command): \(outcome.errors)")
            #expect(
                outcome.errors.contains("hint: name the server that the replica follows"),
                "\(command): \(outcome.errors)")
        }
        let created = try chatdb.on(replica.uri(database: "chats") + "&store=other", ["migrate", "run"])
        #expect(created.code == 74, "\(created.errors)")
        #expect(created.errors.contains("the server is a replica"), "\(created.errors)")
        #expect(try primary.psql("SELECT count(*) FROM main_chat.users", database: "chats") == "1")
    }

    @Test("a replica has what its server has committed, and can be written when it takes its place")
    func promoted() throws {
        let original = primary.uri(database: "chats") + "&store=main"
        try chatdb.succeed(on: original, "user", "add", "work", "--seed", "2")
        while try replica.psql("SELECT count(*) FROM main_chat.users", database: "chats") != "2" {}
        #expect(try chatdb.succeed(on: store, "user", "list").output.contains("work"))
        try primary.stop(.fast)
        #expect(try chatdb.on(original, ["user", "list"]).code == 69)
        #expect(try replica.psql("SELECT pg_promote()") == "t")
        try chatdb.succeed(on: store, "user", "add", "later", "--seed", "3")
        // No finding is an error.
        try chatdb.succeed(on: store, "check")
    }
}
