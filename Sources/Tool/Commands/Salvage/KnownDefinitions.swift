import ChatDBKit
import ChatDBSimplexFiles
import Foundation

/// The definitions that replace those that a damaged database has lost: those of the program that made the database.
struct KnownDefinitions {
    /// The program that made the database: chatdb or SimpleX Chat.
    let program: FoundDatabase.Kind
    /// The migration whose definitions they are; nil for those of SimpleX Chat.
    let version: String?
    let objects: [SchemaObject]

    /// - Parameters:
    ///   - remains: what is left of the schema of the database.
    ///   - other: what is left of the schema of the other database of the store; nil if that is unknown.
    init(
        of database: DatabaseName, _ remains: SchemaRemains, other: @autoclosure () -> SchemaRemains?,
        in location: StoreLocation
    ) throws {
        let (last, own) = try Self.own(of: database, upTo: remains.migrations)
        let app = try SimplexDefinitions(of: database, upTo: remains.migrations)
        let second = database == .chat ? DatabaseName.agent : .chat
        var program = Self.program(of: remains, database, own.map(\.name), app.tables.map(\.name))
        if program == nil, let other = other() {
            program = Self.program(
                of: other, second, try Self.own(of: second, upTo: []).objects.map(\.name),
                try SimplexDefinitions(of: second, upTo: []).tables.map(\.name))
        }
        self.program = program ?? (location.hasAppName ? .simplex : .chatdb)
        (version, objects) = self.program == .simplex ? (nil, app.tables) : (last, own)
    }

    /// The program whose tables the database has. It is nil if the tables and the application id do not show it.
    private static func program(
        of remains: SchemaRemains, _ database: DatabaseName, _ own: [String], _ app: [String]
    ) -> FoundDatabase.Kind? {
        if remains.applicationID.map(Int64.init) == StoreMark.of(database) { return .chatdb }
        let (own, app) = (Set(own), Set(app))
        let ofOwn = remains.tables.intersection(own.subtracting(app)).count
        let ofApp = remains.tables.intersection(app.subtracting(own)).count
        return ofOwn == ofApp ? nil : ofOwn > ofApp ? .chatdb : .simplex
    }

    /// The definitions of this build's schema after the last of these migrations; after all migrations if it knows none
    /// of them. And the name of that migration.
    private static func own(
        of database: DatabaseName, upTo applied: Set<String>
    ) throws -> (version: String?, objects: [SchemaObject]) {
        var migrations = try MigrationSource.build.load()[database] ?? []
        if let last = migrations.lastIndex(where: { applied.contains($0.name) }) {
            migrations = Array(migrations[...last])
        }
        let engine = SQLiteEngine()
        let structures = [
            try SchemaText.structure(of: migrations, engine: engine), try SchemaText.ledger(engine: engine),
        ]
        return (migrations.last?.name, structures.flatMap(objects))
    }

    /// The mark of chatdb's own databases, which have the tables of the ledger.
    static func mark(of database: DatabaseName) throws -> SalvageRequest.Mark? {
        let ledger = try SchemaText.ledger(engine: SQLiteEngine())
        return Int32(exactly: StoreMark.of(database)).map {
            SalvageRequest.Mark(applicationID: $0, tables: Set(ledger.tables.keys))
        }
    }

    private static func objects(_ structure: DatabaseStructure) -> [SchemaObject] {
        func sql(_ one: DatabaseStructure) -> String {
            let text = SchemaText.sql(of: one)
            return String(text.reversed().drop { $0 == "\n" || $0 == ";" }.reversed())
        }
        func object(_ kind: SchemaObject.Kind, _ name: String, _ table: String, _ one: DatabaseStructure)
            -> SchemaObject
        {
            SchemaObject(kind: kind, name: name, table: table, root: 0, sql: sql(one))
        }
        return structure.tables.sorted { $0.key < $1.key }.map { name, table in
            object(.table, name, name, DatabaseStructure(tables: [name: table]))
        }
            + structure.indexes.sorted { $0.key < $1.key }.map { name, index in
                object(.index, name, index.table, DatabaseStructure(indexes: [name: index]))
            }
            + structure.triggers.sorted { $0.key < $1.key }.map { name, trigger in
                object(.trigger, name, trigger.table, DatabaseStructure(triggers: [name: trigger]))
            }
    }
}

/// The tables of SimpleX Chat that chatdb describes, as far as it knows them: columns, keys and references. The app's
/// indexes and triggers are not part of the description.
struct SimplexDefinitions {
    /// The tables by name. The ledger is there twice, with row IDs and without: the description does not say which.
    let tables: [SchemaObject]

    private struct File: Decodable {
        struct Version: Decodable {
            let date: String
            /// The tables that differ from the date before; null for a table that was dropped.
            let tables: [String: String?]
        }

        let definitions: [String: [Version]]
    }

    private static let file = Result { () throws -> File in
        let text = EmbeddedFiles.all.first { $0.path == "schema.json" }?.content ?? ""
        return try JSONDecoder().decode(File.self, from: Data(text.utf8))
    }

    /// The tables of the first described version that is not older than all of these migrations; of the newest version
    /// if there are none.
    init(of database: DatabaseName, upTo migrations: Set<String>) throws {
        let dates = migrations.map { String(($0.hasPrefix("m") ? $0.dropFirst() : $0[...]).prefix(8)) }
        let newest = dates.filter { $0.count == 8 && $0.allSatisfy(\.isNumber) }.max() ?? "99999999"
        var found: [String: String] = [:]
        var date = ""
        for version in try Self.file.get().definitions[database.rawValue] ?? [] where date < newest {
            date = version.date
            for (name, columns) in version.tables { found[name] = columns }
        }
        let isStrict = date >= Self.firstStrict
        tables = found.sorted { $0.key < $1.key }.flatMap { name, columns in
            // The tables of the agent with another key than a number have no row IDs.
            let isWithoutRowID = columns.contains(", PRIMARY KEY (")
            return (name == "migrations" ? [false, true] : [isWithoutRowID]).map { isWithoutRowID in
                let options = (isStrict ? ["STRICT"] : []) + (isWithoutRowID ? ["WITHOUT ROWID"] : [])
                let sql = "CREATE TABLE \(name) (\(columns)) \(options.joined(separator: ", "))"
                return SchemaObject(kind: .table, name: name, table: name, root: 0, sql: sql)
            }
        }
    }

    /// The date from which on the app's tables are STRICT.
    private static let firstStrict = "20251230"
}
