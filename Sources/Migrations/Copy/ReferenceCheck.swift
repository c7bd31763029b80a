import ChatDBEngine
import ChatDBSchema

/// Finds references to missing rows in a database that is copied.
///
/// A database of files is read beside the check of its values, through a connection of its own: with 5 million messages
/// each of both takes about 10 seconds. Another program may have written the store in between. The target looks at all
/// references again when they are made.
struct ReferenceCheck {
    private let database: DatabaseName
    private let structure: DatabaseStructure
    private let context: StoreContext
    /// The connection of a server, which checks its own references. Nil for files.
    private let server: (any TableSource)?
    private let work: BesideWork<[CopyProblem]>?

    /// Begins to read the references of files.
    init(
        of database: DatabaseName, _ structure: DatabaseStructure, _ context: StoreContext, _ rows: any TableSource
    ) {
        (self.database, self.structure, self.context) = (database, structure, context)
        guard context.location.server == nil else {
            (server, work) = (rows, nil)
            return
        }
        server = nil
        work = BesideWork {
            let connection = try context.engine.openSnapshot(context.location.path(of: database))
            defer { connection.close() }
            guard let rows = connection as? any TableSource else {
                throw StoreError(.other, "the references of the \(database) database cannot be read")
            }
            _ = try connection.renew()
            return try context.cancellation.whileRegistered(connection.interrupt) {
                try Self.problems(in: database, structure, rows, context)
            }
        }
    }

    /// Waits for the end of the check. Returns the references by table, columns and the table to which they lead.
    func problems() throws -> [CopyProblem] {
        if let server { return try Self.problems(in: database, structure, server, context) }
        return try work?.wait() ?? []
    }

    /// Waits for the end of the check, and drops its result.
    func end() { _ = try? work?.wait() }

    private static func problems(
        in database: DatabaseName, _ structure: DatabaseStructure, _ rows: any TableSource, _ context: StoreContext
    ) throws -> [CopyProblem] {
        var found: [Place: CopyProblem] = [:]
        try rows.forEachMissingReference { reference in
            try context.cancellation.check()
            let place = Place(table: reference.table, columns: reference.columns, parent: reference.parent)
            var problem =
                found[place]
                ?? CopyProblem(
                    database, table: reference.table, columns: reference.columns, .missingRow(of: reference.parent),
                    key: structure.tables[reference.table]?.key ?? "rowid")
            problem.add(reference.row)
            found[place] = problem
        }
        return found.sorted { $0.key.order.lexicographicallyPrecedes($1.key.order) }.map { $0.value }
    }

    private struct Place: Hashable {
        let table: String
        let columns: [String]
        let parent: String

        /// Two references of one table may have the same columns.
        var order: [String] { [table] + columns + [parent] }
    }
}
