import ChatDBEngine
public import ChatDBSchema

/// The facts about one file of a store, read once: which program made it, its migrations, and its store. Gate, plan,
/// run, backup, restore and status share them.
public struct FoundDatabase: Sendable, Hashable {
    /// Which program made a database.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// chatdb, or an app that embeds it.
        case chatdb
        /// SimpleX Chat.
        case simplex
        /// Another program.
        case unknown
    }

    /// The database that the file's name stands for.
    package let name: DatabaseName
    /// The main file.
    public let path: String
    /// The applied migrations, sorted by name.
    public let applied: [LedgerEntry]
    /// The store's id and generation; nil where the database has none.
    public let identity: StoreIdentity?
    /// The file name that the other database had when both were adopted; nil for other databases.
    package let partner: String?
    /// The store to which this one was moved; nil if it was not.
    let movedTo: String?
    /// Which program made it.
    public let kind: Kind
    /// The database by the content of the file, not by its name: the mark identifies chatdb's databases, the ledger
    /// SimpleX Chat's. Nil for other programs, and when the content does not show it.
    public let database: DatabaseName?
    /// Migrations of this build that are not applied.
    public let pending: [String]
    /// Applied migrations whose files were edited afterwards, by what is known of the edit.
    package let edits: EditedNames
    /// Applied migrations whose files were edited afterwards.
    public var edited: [String] { edits.all }
    /// Applied migrations whose down files differ from the down SQL that the database has.
    package let editedDowns: [String]
    /// Applied migrations that this build does not have.
    public let unknown: [String]
    /// Its size; 0 where the file was not examined.
    public private(set) var bytes: Int64 = 0
    /// How it was read without changing it, and what is unusual about its file, a clause each.
    public private(set) var notes: [String] = []
    /// The SQL of its triggers by name; empty in a run, which compares the whole schema.
    private(set) var triggers: [String: String] = [:]

    /// A database with this mark in its header, as a transaction finds it.
    init(
        _ name: DatabaseName, at path: String, mark: Int64?, build: [Migration], in transaction: any ReadTransaction
    ) throws(StoreError) {
        let applied = try Ledger.entries(in: transaction)
        let found = try StoreIdentity.readAll(in: transaction)
        self.init(
            name, at: path, mark: mark, build: build, applied: applied, identity: found?.identity,
            partner: found?.partner, movedTo: found?.movedTo)
    }

    /// A database with this mark, ledger and identity.
    init(
        _ name: DatabaseName, at path: String, mark: Int64?, build: [Migration], applied: [LedgerEntry],
        identity: StoreIdentity?, partner: String? = nil, movedTo: String? = nil
    ) {
        let isOurs = mark == StoreMark.of(name)
        let known = isOurs ? build : []
        let names = (applied: Set(applied.map(\.name)), known: Set(known.map(\.name)))
        self.name = name
        self.path = path
        self.applied = applied
        self.identity = identity
        self.partner = partner
        self.movedTo = movedTo
        kind = isOurs ? .chatdb : SimpleXHistory.isOf(applied) ? .simplex : .unknown
        database =
            DatabaseName.allCases.first { mark == StoreMark.of($0) } ?? SimpleXHistory.database(of: applied)
        pending = known.map(\.name).filter { !names.applied.contains($0) }
        edits = EditedNames(applied, known)
        editedDowns = EditedMigrations.otherDowns(applied, known)
        unknown = isOurs ? applied.map(\.name).filter { !names.known.contains($0) } : []
    }

    /// The last migration applied, nil without one; for SimpleX Chat's, the last that this build knows.
    public var version: String? { simplexVersion?.name ?? applied.last?.name }

    /// The version of SimpleX Chat's schema; nil for a database of another program.
    public var simplexVersion: SimpleXVersion? {
        guard kind == .simplex, let database else { return nil }
        return SimpleXVersion(applied, of: database)
    }

    /// Whether it is a database of chatdb with migrations of others: chatdb's own queries do not fit its tables.
    public var isOfOtherMigrations: Bool {
        kind == .chatdb && !applied.isEmpty && !applied.contains { MigrationSource.ownNames.contains($0.name) }
    }

    /// Whether its tables are those of another program, also after the list of migrations of an adopted database lost all
    /// its rows. chatdb does not know the meaning of such tables, even if they have the names of its own.
    /// - Parameter isNamed: whether the command line names the file of the database.
    package func hasOtherTables(isNamed: Bool) -> Bool {
        kind == .unknown || isOfOtherMigrations || isNamed && kind == .chatdb && applied.isEmpty
    }

    /// Whether the file has the content of the other database.
    var isExchanged: Bool { database.map { $0 != name } ?? false }

    /// The database's place in a recorded run.
    var place: IntentRecord.Place { .init(version: applied.last?.name, identity: identity) }
}

extension FoundDatabase {
    /// Reads a database that is open.
    /// - Parameter examination: of the file, made before it was opened; its size and notes.
    init(
        _ name: DatabaseName, at path: String, build: [Migration], on connection: any StorageConnection,
        examination: FileExamination? = nil
    ) throws(StoreError) {
        let mark = try connection.applicationMark()
        do {
            self = try connection.read { transaction in
                var found = try FoundDatabase(name, at: path, mark: mark, build: build, in: transaction)
                for row in try transaction.rows(transaction.dialect.triggers) {
                    found.triggers[try row.get("name")] = try row.get("sql")
                }
                return found
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.other, "unexpected failure (\(type(of: error)))")
        }
        bytes = examination?.bytes ?? 0
        notes = connection.notes + (examination?.notes ?? [])
    }

    /// Whether another reading of the database found the same content: program, migrations, identity and triggers.
    func isSame(as other: FoundDatabase) -> Bool {
        kind == other.kind && applied == other.applied && identity == other.identity && movedTo == other.movedTo
            && triggers == other.triggers
    }
}

extension StoreContext {
    /// Reads the file of a database.
    package func find(_ database: DatabaseName) throws(MigrationError) -> FoundDatabase {
        let (found, connection) = try openFound(database)
        try? connection.close()
        return found
    }

    /// The same, with the connection, which the caller closes.
    func openFound(
        _ database: DatabaseName, as mode: OpenMode = .untrusted
    ) throws(MigrationError) -> (found: FoundDatabase, connection: any StorageConnection) {
        let path = location.path(of: database)
        do throws(StoreError) {
            let connection = try engine.open(path, as: mode)
            do throws(StoreError) {
                return (try FoundDatabase(database, at: path, build: build[database] ?? [], on: connection), connection)
            } catch {
                try? connection.close()
                throw error
            }
        } catch {
            throw .database(database, path: path, error)
        }
    }

    /// Throws `strayFile`: SQLite would take a log or journal without its database for that of the new one, and its
    /// data would be lost.
    func refuseStrayFiles(of database: DatabaseName) throws(MigrationError) {
        for suffix in ["-wal", "-journal"] {
            let path = location.path(of: database) + suffix
            if FileState(at: path) != .missing { throw .strayFile(path: path) }
        }
    }
}
