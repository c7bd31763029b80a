import ChatDBEngine
package import ChatDBSchema

/// Indexes and triggers that another program has dropped. The caller that opened the store found these out.
extension StoreCheck {
    /// The last of all checks: rows that other repairs remove may violate a unique index.
    static let ofLostSchema: [StoreCheck] = DatabaseName.allCases.flatMap {
        [missing(in: $0), lost(in: $0), duplicates(in: $0)]
    }

    package static func schemaMissing(_ database: DatabaseName) -> String { "\(database)SchemaMissing" }
    package static func schemaLost(_ database: DatabaseName) -> String { "\(database)SchemaLost" }
    package static func duplicateRow(_ database: DatabaseName) -> String { "\(database)DuplicateRow" }

    private static func missing(in database: DatabaseName) -> StoreCheck {
        given(
            schemaMissing(database), .error, "tables and columns that the \(database) database lacks", [database])
    }

    private static func lost(in database: DatabaseName) -> StoreCheck {
        given(
            schemaLost(database), .error, "indexes and triggers that the \(database) database has lost", [database],
            repair: Repair(act: "creates them again") { try $0.makeLost(of: database) })
    }

    private static func duplicates(in database: DatabaseName) -> StoreCheck {
        given(
            duplicateRow(database), .error,
            "rows of the \(database) database that violate a unique index it has lost", [database])
    }
}

extension RepairContext {
    /// Creates what the database has lost, and returns how many. An object that existing rows violate is skipped and
    /// reported again.
    fileprivate func makeLost(of database: DatabaseName) throws -> Int {
        var made: [SchemaPart] = []
        let transaction = transaction(database)
        for part in lost[database] ?? [] {
            do throws(StoreError) {
                try transaction.attempt { () throws(StoreError) in
                    _ = try transaction.run(.unchecked(sql: part.sql))
                }
                made.append(part)
            } catch {
                guard [.uniqueViolation, .constraintViolation, .sql].contains(error.kind) else { throw error }
            }
        }
        // Rows written while the triggers were missing are not in the search index.
        if database == .chat, made.contains(where: \.isTrigger) { _ = try StoreCheck.remakeSearchIndex(self) }
        return made.count
    }
}
