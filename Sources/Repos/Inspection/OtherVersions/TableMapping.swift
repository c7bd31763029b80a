import ChatDBEngine
import Foundation

/// What the rules of `ColumnView` cannot tell of one table in other versions: columns to be computed where they are not
/// there, and what the reader should know where something is not there.
struct TableMapping {
    /// A column that a version without it can compute.
    struct Computed {
        let column: String
        /// Over the table's own row, and `main.…` for others.
        let sql: String
        /// What the file must have for it, by table.
        let needs: [String: Set<String>]

        init(_ column: String, _ sql: String, needs: [String: Set<String>] = [:]) {
            self.column = column
            self.sql = sql
            self.needs = needs
        }

        func isPossible(with found: [String: TableStructure]) -> Bool {
            needs.allSatisfy { table, columns in columns.isSubset(of: found[table]?.columnNames ?? []) }
        }
    }

    /// The table.
    let table: String
    /// The first that is possible counts.
    var computed: [Computed] = []
    /// Columns of ids that SimpleX Chat keeps as bytes that are no text, and its own JSON shows in base64url.
    var ids: Set<String> = []
    /// What a version without the table has not, as people call it.
    var holds: String?
    /// What a version that has the table and lacks a column of it has not.
    var tells: [(column: String, what: String)] = []

    /// Bytes as base64url, padded with `=`; anything else as it is.
    static let base64 = ReadingFunction("chatdb_base64url") { value in
        guard case .blob(let bytes) = value else { return value }
        return .text(Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_"))
    }

    /// What a version has not, as it was found.
    func lacking(on found: TableStructure?) -> [String] {
        guard let found else { return holds.map { [$0] } ?? [] }
        return tells.filter { !found.columnNames.contains($0.column) }.map(\.what)
    }

    /// Of the chat database, by subject.
    static let chat = profiles + servers + relays + groups + messages
}

extension TableStructure {
    var columnNames: Set<String> { Set(columns.map(\.name)) }
}
