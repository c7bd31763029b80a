package import ChatDBKit

/// How `check` finds databases whose lists of migrations have lost rows.
extension CheckedStore.Known {
    /// Adds a database.
    ///
    /// - Parameters:
    ///   - last: the last migration of the list. It is nil for an empty list.
    ///   - gaps: the number of lost migrations before the last one.
    ///   - version: the version that the schema has.
    package mutating func addLost(
        _ database: DatabaseName, _ last: String?, gaps: Int = 0, fitting version: String
    ) {
        lostMigrations.insert(database)
        let lacking = gaps == 0 ? "" : "lacks \(gaps) \(gaps == 1 ? "migration" : "migrations") before its last one, "
        let list = lacking + (last.map { "ends with \($0)" } ?? "is empty")
        found[StoreCheck.lostMigrations, default: []].append(
            "\(database): the list \(list), and the schema is that of \(version)")
    }

    /// Adds a database with an empty list, and with tables that no version of the migrations has.
    package mutating func addUnlisted(_ database: DatabaseName, _ context: StoreContext) {
        lostMigrations.insert(database)
        otherTables.insert(database)
        found[StoreCheck.lostMigrations, default: []].append(
            "\(database): the list is empty, and the tables are not those of \(context.owner)")
    }

    /// The databases of SimpleX Chat that have its tables, and a list without the names by which chatdb knows them.
    package mutating func lostLedgers(_ status: StoreStatus, _ store: Store) throws {
        for database in DatabaseName.allCases {
            guard let part = status.readable[database], part.kind == .unknown, part.database == nil,
                let structure = try? store.connection(database).structure(),
                let day = try SimpleXSchemas.known.get().newest(within: structure, in: database)
            else { continue }
            addLost(database, part.applied.last?.name, fitting: "SimpleX Chat of \(day)")
        }
    }
}

extension FoundDatabase {
    /// How to have the list again of a database whose list is empty, and whose tables are not those of the migrations.
    package func unlistedNote(hasFolder: Bool, isOnServer: Bool) -> String {
        let folder = hasFolder ? "another folder" : "a folder"
        let advice = "if the migrations of the \(name) database are in \(folder), name it with --migrations-dir"
        return isOnServer ? advice : "\(advice); chatdb migrate baseline then writes the list again"
    }

    /// The version of SimpleX Chat that the schema of a database fits better than the version of its list, which then
    /// has lost rows: the schema has at most half as many differences from it. It is nil if no later version fits
    /// better.
    package func lostSimplexVersion(
        as database: DatabaseName, _ drift: SimpleXDrift, in connection: any StorageConnection
    ) throws(StoreError) -> (name: String, drift: SimpleXDrift)? {
        guard drift.count > 0, let version = simplexVersion, !version.later.isEmpty else { return nil }
        var best: (name: String, drift: SimpleXDrift)?
        for name in version.later {
            guard let other = try simplexDrift(as: database, version: name, in: connection) else { continue }
            if other.count <= best?.drift.count ?? drift.count / 2 { best = (name, other) }
        }
        return best
    }
}

extension StructureDifference {
    /// Whether it is a missing table or column, so that its data is missing too.
    var tookRows: Bool { kind == .missing && (object == .table || object == .column) }
}

extension CheckedStore {
    /// Whether another program made the tables. Their names and columns may be those of chatdb's tables.
    static func isOfOtherProgram(_ status: StoreStatus, _ known: Known, _ context: StoreContext) -> Bool {
        if status.readable.values.contains(where: \.isOfOtherMigrations) { return true }
        return status.kind == .unknown && context.location.hasNamedFiles && known.lostMigrations.isEmpty
    }
}
