import ChatDBKit
import Foundation
import TestKit

@testable import ChatDBEnginePostgres

/// A database of its own on the tests' server, in which tests make schemas.
struct SchemasOnServer {
    private let server: PostgresServer
    private let database: String

    init() throws {
        server = try PostgresServer.started()
        database = try server.makeDatabase()
    }

    /// Makes a schema, and runs statements in it as a migration would.
    func make(_ schema: String, _ statements: [String]) throws {
        try run("CREATE SCHEMA \(SQLName.quoted(schema));\n" + statements.joined(separator: ";\n"), in: schema)
    }

    /// Runs statements as a superuser, who may write past references.
    func run(_ sql: String, in schema: String = "public") throws {
        try server.psql("SET search_path = \(SQLName.quoted(schema)), pg_temp;\n\(sql)", database: database)
    }

    /// Reads a schema in one transaction, as a superuser or in another role.
    func read<T>(_ schema: String, as role: String = "postgres", _ body: (any ReadTransaction) throws -> T) throws -> T
    {
        try pair(schema, role).read { chat, _ in try body(chat) }
    }

    /// Writes into a schema in one transaction.
    func write(_ schema: String, _ body: (any WriteTransaction) throws -> Void) throws {
        try pair(schema).write { chat, _ in try body(chat) }
    }

    private func pair(_ schema: String, _ role: String = "postgres") throws -> PostgresPair {
        let parameters = server.parameters(database: database).merging(["user": role]) { $1 }
        return try PostgresPair(parameters, schemas: [.chat: schema, .agent: schema])
    }

    /// The structure of a schema.
    func structure(_ schema: String) throws -> DatabaseStructure {
        try read(schema) { try PostgresStructure.read(in: $0) }
    }

    /// The structure of a new schema with these objects.
    func structure(of statements: [String]) throws -> DatabaseStructure {
        let schema = "made_" + UUID().uuidString.lowercased().prefix(8)
        try make(schema, statements)
        return try structure(schema)
    }
}
