import ChatDBEngine
import GRDB

/// Finds the triggers and views that need a table or column that does not exist.
///
/// SQLite reads every trigger and view when a table is renamed, and refuses the change with the name of the first one
/// that is broken. So a table is made and renamed. The one that SQLite names is dropped, until SQLite names no more. The
/// caller undoes all of this.
struct DefinitionProbe {
    let database: Database

    /// Those found, in the order of the schema.
    func broken() throws -> [BrokenDefinition] {
        let table = "chatdb_probe_\(UInt64.random(in: .min ... .max))"
        try database.execute(sql: "CREATE TABLE \(table) (id)")
        var definitions = try Row.fetchAll(
            database, sql: "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')"
        ).map { (type: $0[0] as String, name: $0[1] as String, sql: $0[2] as String) }
        // The message of SQLite may have the names that the definitions have.
        let texts = definitions.map(\.sql).joined(separator: "\n")
        var found: [BrokenDefinition] = []
        var dropped: Set<String> = []
        while let message = try refusal(ofRenaming: table) {
            let index = definitions.firstIndex { message.hasPrefix(Self.beginning($0.type, $0.name)) }
            guard let index else { throw StoreError(.sql, EngineMessage.shown(message, sql: texts)) }
            let (type, name, _) = definitions.remove(at: index)
            let reason = String(message.dropFirst(Self.beginning(type, name).count))
            // A view that reads a dropped one has what it needs as soon as that one has.
            let isConsequence = dropped.contains { reason == "no such table: main.\($0)" }
            if !isConsequence, !Self.ofProgram.contains(where: reason.hasPrefix) {
                found.append(
                    BrokenDefinition(
                        type == "view" ? .view : .trigger, name, reason: EngineMessage.shown(reason, sql: texts)))
            }
            // The triggers of a view are dropped with it, and SQLite does not name them again.
            try database.execute(sql: "DROP \(type) \(SQLName.quoted(name))")
            dropped.insert(name)
        }
        return found
    }

    /// The message with which SQLite refuses to rename the table; nil if SQLite renames it.
    private func refusal(ofRenaming table: String) throws -> String? {
        do {
            try database.execute(sql: "ALTER TABLE \(table) RENAME TO \(table)_renamed")
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return error.message ?? ""
        }
    }

    private static func beginning(_ type: String, _ name: String) -> String { "error in \(type) \(name): " }

    /// The errors about what a program has added to its SQLite.
    private static let ofProgram = ["no such function", "no such collation", "no such module"]
}
