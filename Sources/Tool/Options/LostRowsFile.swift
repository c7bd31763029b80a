import ChatDBKit

/// The file with the rows that a salvage could not put into the new store. It is beside the new store, and no part of
/// it.
struct LostRowsFile {
    /// The database of which the rows are.
    let database: DatabaseName
    let path: String

    private static func ending(of database: DatabaseName) -> String { "_\(database)_\(LostRowsTable.name).db" }

    /// The path of the file of a database.
    static func path(of database: DatabaseName, in location: StoreLocation) -> String {
        location.prefix + ending(of: database)
    }

    /// The file that a path from the command line means. It is nil if the path does not have the name of such a file, and
    /// if there is no file.
    init?(_ given: String) throws {
        guard let database = DatabaseName.allCases.first(where: { given.hasSuffix(Self.ending(of: $0)) }) else {
            return nil
        }
        let path = try StoreLocation(prefix: given).prefix
        guard case .regular = FileState(at: path) else { return nil }
        (self.database, self.path) = (database, path)
    }
}
