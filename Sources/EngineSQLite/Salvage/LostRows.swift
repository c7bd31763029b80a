import ChatDBEngine
import ChatDBPOSIX
import ChatDBSalvage
import GRDBSQLite

/// The database of lost rows: rows that were read and have no place in the new database. It is a separate file, so that
/// the new store keeps the schema that its app knows. The file is created with the first row.
final class LostRows {
    /// Where a row was found.
    enum Source: String {
        /// In the tree of its table.
        case table
        /// On a page that nothing refers to.
        case page
        /// Only in an index of its table.
        case index
        /// On a free page: the row was probably deleted.
        case free
    }

    private static let name = "lost_and_found"
    /// The most values of a row that are kept; real tables have fewer.
    private static let mostValues = 400

    private let path: String
    private let layout: FileLayout
    private var database: NewDatabase?
    private var inserts: [Int: SalvageStatement] = [:]
    private var width = 0
    private(set) var count = 0

    init(at path: String, _ layout: FileLayout) {
        self.path = path
        var plain = layout
        plain.clearMarks()
        self.layout = plain
    }

    var exists: Bool { database != nil }

    func add(_ row: ScannedRow, of table: String?, _ source: Source) throws(StoreError) {
        try add(row.record.values.map { $0 }, page: row.page, rowID: row.rowID, of: table, source)
    }

    func add(
        _ values: [StoredValue], page: Int?, rowID: Int64?, of table: String?, _ source: Source
    ) throws(StoreError) {
        let values = values.prefix(Self.mostValues)
        let statement = try insert(values.count)
        statement.reset()
        statement.bind(table.map { .text(encoded($0)) } ?? .null, at: 1, layout.encoding)
        statement.bind(.text(encoded(source.rawValue)), at: 2, layout.encoding)
        statement.bind(page.map { .integer(Int64($0)) } ?? .null, at: 3, layout.encoding)
        statement.bind(rowID.map { .integer($0) } ?? .null, at: 4, layout.encoding)
        for (index, value) in values.enumerated() { statement.bind(value, at: index + 5, layout.encoding) }
        try run(statement)
        count += 1
    }

    /// Adds the columns that an entry of an index has of a row. If another index had columns of the same row, they are
    /// added to that row.
    func add(part values: [(place: Int, value: StoredValue)], rowID: Int64, of table: String) throws(StoreError) {
        let database = try opened(width: (values.map(\.place).max() ?? 0) + 1)
        let search = try database.prepare(
            "SELECT id FROM \(Self.name) WHERE \"table\" = ? AND row = ? AND source = 'index'")
        search.bind(.text(encoded(table)), at: 1, layout.encoding)
        search.bind(.integer(rowID), at: 2, layout.encoding)
        guard search.step() == SQLITE_ROW else {
            var all = [StoredValue](repeating: .null, count: (values.map(\.place).max() ?? 0) + 1)
            for value in values { all[value.place] = value.value }
            return try add(all, page: nil, rowID: rowID, of: table, .index)
        }
        let id = search.number(0)
        let columns = values.map { "c\($0.place) = ?" }.joined(separator: ", ")
        guard !values.isEmpty else { return }
        let update = try database.prepare("UPDATE \(Self.name) SET \(columns) WHERE id = \(id)")
        for (index, value) in values.enumerated() { update.bind(value.value, at: index + 1, layout.encoding) }
        try run(update)
    }

    /// Moves the rows of a table that come from indexes. `body` writes one row, and returns whether the table took it.
    ///
    /// - Returns: how many rows were moved, and how many stay.
    func move(
        of table: String, _ body: (_ values: [StoredValue], _ rowID: Int64) throws(StoreError) -> Bool
    ) throws(StoreError) -> (moved: Int, stay: Int) {
        guard let database else { return (0, 0) }
        var (moved, stay, last) = (0, 0, 0)
        let columns = (0..<width).map { ", c\($0)" }.joined()
        let select = try database.prepare(
            """
            SELECT id, row\(columns) FROM \(Self.name) WHERE "table" = ? AND source = 'index' AND id > ?
            ORDER BY id LIMIT 1
            """)
        let delete = try database.prepare("DELETE FROM \(Self.name) WHERE id = ?")
        while true {
            select.reset()
            select.bind(.text(encoded(table)), at: 1, layout.encoding)
            select.bind(.integer(Int64(last)), at: 2, layout.encoding)
            guard select.step() == SQLITE_ROW else { break }
            last = select.number(0)
            let row = sqlite3_column_int64(select.handle, 1)
            let values = (0..<width).map { select.value(CInt($0 + 2), layout.encoding) }
            select.reset()
            guard try body(values, row) else {
                stay += 1
                continue
            }
            delete.reset()
            delete.bind(.integer(Int64(last)), at: 1, layout.encoding)
            try run(delete)
            moved += 1
            count -= 1
        }
        return (moved, stay)
    }

    /// Writes the file to the disk, or removes it if it has no rows.
    func finish() throws(StoreError) {
        inserts = [:]
        guard let database else { return }
        self.database = nil
        if count == 0 {
            database.close()
            unlink(path)
        } else {
            try database.finish(layout)
        }
    }

    private func encoded(_ text: String) -> [UInt8] {
        switch layout.encoding {
        case .utf8: Array(text.utf8)
        case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        }
    }

    private func opened(width wanted: Int) throws(StoreError) -> NewDatabase {
        let database: NewDatabase
        if let open = self.database {
            database = open
        } else {
            database = try NewDatabase(at: path, layout)
            self.database = database
            try database.execute(
                """
                CREATE TABLE \(Self.name) (
                    id INTEGER PRIMARY KEY, "table" TEXT, source TEXT NOT NULL, page INTEGER, row INTEGER
                )
                """)
            try database.execute("CREATE INDEX \(Self.name)_row ON \(Self.name) (\"table\", row, source)")
        }
        while width < min(wanted, Self.mostValues) {
            try database.execute("ALTER TABLE \(Self.name) ADD COLUMN c\(width)")
            width += 1
        }
        return database
    }

    private func insert(_ count: Int) throws(StoreError) -> SalvageStatement {
        if let known = inserts[count] { return known }
        let database = try opened(width: count)
        let columns = (0..<count).map { ", c\($0)" }.joined()
        let places = (0..<count).map { _ in ", ?" }.joined()
        let statement = try database.prepare(
            "INSERT INTO \(Self.name) (\"table\", source, page, row\(columns)) VALUES (?, ?, ?, ?\(places))")
        inserts[count] = statement
        return statement
    }

    private func run(_ statement: SalvageStatement) throws(StoreError) {
        let code = statement.step()
        guard code == SQLITE_DONE || code == SQLITE_TOOBIG else {
            throw database?.error(code, "") ?? StoreError(.other, "the database is closed")
        }
        statement.reset()
    }
}

extension SalvageStatement {
    /// The value of a column of the current row, as it is stored.
    func value(_ column: CInt, _ encoding: FileLayout.Encoding) -> StoredValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
        case SQLITE_TEXT:
            if encoding == .utf8 {
                let start = sqlite3_column_text(handle, column)
                let count = Int(sqlite3_column_bytes(handle, column))
                return .text([UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
            }
            // The bytes are in the order of this processor.
            let start = sqlite3_column_text16(handle, column)
            let count = Int(sqlite3_column_bytes16(handle, column))
            let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
            let isSame = (encoding == .utf16LittleEndian) == (UInt16(1).littleEndian == 1)
            guard !isSame else { return .text(bytes) }
            return .text(stride(from: 0, to: bytes.count - 1, by: 2).flatMap { [bytes[$0 + 1], bytes[$0]] })
        default: return .null
        }
    }
}
