import ChatDBEngine
import GRDB
import GRDBSQLite

/// What sorts of tables a file has, as far as questions have to tell them apart. Names are lower case.
struct QuestionTables {
    /// Tables whose rows a module makes up, such as a full-text index.
    private(set) var virtual: Set<String> = []
    /// Where such modules keep what they know: whole texts, in parts.
    private(set) var shadow: Set<String> = []
    /// Ordinary tables and views.
    private(set) var others: Set<String> = []

    /// Reads them from a hardened connection.
    init(of database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT name, type FROM pragma_table_list WHERE schema = 'main'") {
            let values = Array(row.databaseValues)
            guard values.count == 2, let name = String.fromDatabaseValue(values[0])?.lowercased() else { continue }
            switch String.fromDatabaseValue(values[1]) {
            case "virtual": virtual.insert(name)
            case "shadow": shadow.insert(name)
            default: others.insert(name)
            }
        }
    }

    /// Why a table is not read with a mask, whatever the column: a clause; nil when it is.
    func refusal(of table: String, _ mask: ColumnMask) -> String? {
        let name = table.lowercased()
        if shadow.contains(name) { return "\(table) is where a full-text index keeps texts" }
        // Samples of values, statements with their values, pages as they are in the file.
        if name.hasPrefix("sqlite_stat") || ["sqlite_stmt", "dbstat", "sqlite_dbpage"].contains(name) {
            return "\(table) shows what columns hold, whoever may see them"
        }
        if virtual.contains(name), !mask.showsAll(of: name) {
            return "\(table) can be searched for what is not shown"
        }
        return nil
    }

    /// Whether a table is none of the file's, and tells of the schema or takes a value apart.
    func isHarmlessFunction(_ table: String) -> Bool {
        let name = table.lowercased()
        guard !others.contains(name), !virtual.contains(name) else { return false }
        return name == "json_each" || name == "json_tree" || name.hasPrefix("pragma_")
    }

    /// Tables of SQLite itself: the schema, and the highest numbers given.
    static let own: Set<String> = ["sqlite_master", "sqlite_temp_master", "sqlite_sequence"]
}
