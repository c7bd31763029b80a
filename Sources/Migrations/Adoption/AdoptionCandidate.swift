import ChatDBEngine
import ChatDBSchema

/// The facts about a database that may be adopted.
struct AdoptionCandidate {
    let database: DatabaseName
    let path: String
    /// The whole schema.
    let structure: DatabaseStructure
    private let mark: Int64?
    /// The rows of its table `migrations`, if they are those of a ledger.
    private let ledger: [LedgerEntry]
    let identity: StoreIdentity?
    /// The file name of the other database of an adopted pair.
    let partner: String?
    /// The store to which this one was moved.
    let movedTo: String?

    /// What is done with a database.
    enum Verdict: Equatable {
        /// All migrations are recorded.
        case adopt
        /// An interrupted adoption of the pair has recorded them already.
        case adopted
        /// A database of chatdb, whose list lacks these migrations. Empty for a whole list.
        case complete([String])

        /// The migrations that the list lacks.
        var lost: [String] { if case .complete(let names) = self { names } else { [] } }
    }

    init(
        _ database: DatabaseName, at path: String, structure: DatabaseStructure, mark: Int64?,
        in transaction: any ReadTransaction
    ) throws {
        self.database = database
        self.path = path
        self.structure = structure
        self.mark = mark
        // Tables of these names may be of another program, with other columns.
        ledger = (try? Ledger.entries(in: transaction)) ?? []
        let row = try? StoreIdentity.readAll(in: transaction)
        (identity, partner, movedTo) = (row?.identity, row?.partner, row?.movedTo)
    }

    /// What is done with the database, up to these migrations. Throws if it must not be changed.
    /// - Parameter other: the file name of the other database of the pair; nil for a database alone.
    func judge(after migrations: [Migration], beside other: String?) throws(MigrationError) -> Verdict {
        if SimpleXHistory.isOf(ledger) { throw .readOnlyStore }
        guard ownTable != nil else {
            if let mark, mark != 0 { throw .foreignMark(database, path: path, mark: mark) }
            return .adopt
        }
        let (listed, all) = (ledger.map(\.name), migrations.map(\.name))
        let isAdopted =
            isOurs && identity?.generation == 1 && other != nil && partner == other && listed == all
            && ledger.allSatisfy { $0.note == Ledger.adopted }
        if isAdopted { return .adopted }
        if isOurs, identity == nil { throw .lostStoreRow(database, path: path) }
        guard isOurs, identity != nil else { throw refusal }
        if all.starts(with: listed) { return .complete(Array(all.dropFirst(listed.count))) }
        // chatdb's own migrations are applied in the order of their names, so the places of lost rows are known.
        guard all.allSatisfy(MigrationSource.ownNames.contains), ledger.namesAsApplied == listed,
            Set(listed).isSubset(of: all)
        else { throw refusal }
        return .complete(all.filter { !listed.contains($0) })
    }

    /// These migrations in the order in which the database has applied them, and then those that its list lacks. The
    /// order decides that of the columns. A list that lacks migrations before its last one has them in the order of their
    /// names.
    func asApplied(_ migrations: [Migration]) -> [Migration] {
        let names = ledger.namesAsApplied
        if names == ledger.map(\.name) { return migrations }
        return migrations.named(names) + migrations.filter { !names.contains($0.name) }
    }

    /// The error for a database that has a list of migrations, and is not changed.
    var refusal: MigrationError {
        if isOurs, let last = ledger.last {
            return .alreadyAdopted(database, path: path, version: last.name)
        }
        return .hasLedger(database, path: path, table: ownTable ?? "migrations")
    }

    /// Whether it has the mark of a database of chatdb with this name.
    var isOurs: Bool { mark == StoreMark.of(database) }

    /// The first table or view that has the name of one of chatdb's own.
    private var ownTable: String? {
        let names = Array(structure.tables.keys) + Array(structure.views.keys)
        return names.filter { Ledger.tables.contains($0.lowercased()) }.min()
    }
}
