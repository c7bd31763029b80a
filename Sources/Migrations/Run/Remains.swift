import ChatDBEngine
import ChatDBSchema

/// What a run that was making a store left of one database.
enum Remains: Hashable {
    /// Nothing, or a file with nothing in it: the run was killed before its commit.
    case empty
    /// The whole database: it bears the store's id, which is committed together with all the rest.
    case committed
    /// Somebody else's, however it came there. It must not be removed.
    case foreign

    /// The file that SQLite makes before the first commit is one page; what is bigger is not for us to throw away.
    private static let firstPage: Int64 = 4096

    /// Looks at what is at the path.
    init(of record: IntentRecord, at path: String, engine: any StorageEngine) {
        let state = FileState(at: path)
        guard state != .missing, let bytes = state.bytes else {
            self = state == .missing ? .empty : .foreign
            return
        }
        guard let connection = try? engine.open(path, as: .untrusted) else {
            // Cut off in the middle of its first page by a power cut.
            self = bytes <= Self.firstPage ? .empty : .foreign
            return
        }
        defer { try? connection.close() }
        if let identity = try? connection.read({ try StoreIdentity.read(in: $0) }) {
            self = identity.storeID == record.storeID ? .committed : .foreign
        } else {
            self = (try? connection.structure().tables.isEmpty) == true ? .empty : .foreign
        }
    }
}
