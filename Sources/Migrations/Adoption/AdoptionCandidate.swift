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
    private let identity: StoreIdentity?
    private let partner: String?

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
        (identity, partner) = (row?.identity, row?.partner)
    }

    /// Whether an interrupted adoption has recorded these migrations already, and is to be completed. Throws if the
    /// database must not be adopted.
    /// - Parameter other: the file name of the other database of the pair; nil for a database alone.
    func judge(after migrations: [Migration], beside other: String?) throws(MigrationError) -> Bool {
        if SimpleXHistory.isOf(ledger) { throw .readOnlyStore }
        let names = Array(structure.tables.keys) + Array(structure.views.keys)
        if let table = names.filter({ Ledger.tables.contains($0.lowercased()) }).min() {
            let isAdopted =
                mark == StoreMark.of(database) && identity?.generation == 1 && other != nil && partner == other
                && ledger.map(\.name) == migrations.map(\.name) && ledger.allSatisfy { $0.note == Ledger.adopted }
            if isAdopted { return true }
            if mark == StoreMark.of(database), let last = ledger.last {
                if identity == nil { throw .lostStoreRow(database, path: path) }
                throw .alreadyAdopted(database, path: path, version: last.name)
            }
            throw .hasLedger(database, path: path, table: table)
        }
        if let mark, mark != 0 { throw .foreignMark(database, path: path, mark: mark) }
        return false
    }
}
