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

    /// The most values of a row that are kept; real tables have fewer.
    private static let mostValues = 400

    private let path: String
    private let layout: FileLayout
    private let longestValue: CInt
    private var database: NewDatabase?
    private var inserts: [Int: SalvageStatement] = [:]
    private var search: SalvageStatement?
    private var width = 0
    private(set) var count = 0
    /// The number of rows without their longest values, because the row is too long.
    private(set) var shortened = 0
    /// Whether the file was created.
    private(set) var wasCreated = false

    init(at path: String, _ layout: FileLayout, longestValue: CInt) {
        (self.path, self.longestValue) = (path, longestValue)
        var plain = layout
        plain.clearMarks()
        self.layout = plain
    }

    func add(_ row: ScannedRow, of table: String?, _ source: Source) throws(StoreError) {
        try add(row.record.values.map { $0 }, page: row.page, rowID: row.rowID, of: table, source)
    }

    func add(
        _ values: [StoredValue], page: Int?, rowID: Int64?, of table: String?, _ source: Source
    ) throws(StoreError) {
        let values = Array(values.prefix(Self.mostValues))
        let length = values.reduce(0) { $0 + $1.length }
        do throws(StoreError) {
            try write(fitting(values, Int(longestValue)), page: page, rowID: rowID, of: table, source)
        } catch  where error.kind == .outOfMemory && length > StoredValue.long {
            try write(fitting(values, StoredValue.long), page: page, rowID: rowID, of: table, source)
        }
        count += 1
    }

    private func write(
        _ values: [StoredValue], page: Int?, rowID: Int64?, of table: String?, _ source: Source
    ) throws(StoreError) {
        let statement = try insert(values.count)
        statement.reset()
        try statement.bind(table.map { .text(encoded($0)) } ?? .null, at: 1, layout.encoding)
        try statement.bind(.text(encoded(source.rawValue)), at: 2, layout.encoding)
        try statement.bind(page.map { .integer(Int64($0)) } ?? .null, at: 3, layout.encoding)
        try statement.bind(rowID.map { .integer($0) } ?? .null, at: 4, layout.encoding)
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 5, layout.encoding) }
        try run(statement)
    }

    /// The values, with NULL for the longest ones if the row is too long for a database.
    private func fitting(_ values: [StoredValue], _ longest: Int) -> [StoredValue] {
        // The header of a row takes at most nine bytes for a value.
        let most = longest - 16 * (values.count + 16)
        var sum = values.reduce(0) { $0 + $1.length }
        if sum <= most { return values }
        shortened += 1
        var values = values
        for place in values.indices.sorted(by: { values[$0].length > values[$1].length }) where sum > most {
            sum -= values[place].length
            values[place] = .null
        }
        return values
    }

    /// Adds the columns that an entry of an index has of a row. If another index had columns of the same row, they are
    /// added to that row.
    func add(part values: [(place: Int, value: StoredValue)], rowID: Int64, of table: String) throws(StoreError) {
        let values = values.filter { $0.place < Self.mostValues }
        let width = (values.map(\.place).max() ?? 0) + 1
        let database = try opened(width: width)
        let search: SalvageStatement
        if let known = self.search {
            search = known
        } else {
            search = try database.prepare(
                "SELECT id FROM \(LostRowsTable.name) WHERE \"table\" = ? AND source = 'index' AND row = ?")
            self.search = search
        }
        search.reset()
        try search.bind(.text(encoded(table)), at: 1, layout.encoding)
        try search.bind(.integer(rowID), at: 2, layout.encoding)
        guard search.step() == SQLITE_ROW else {
            search.reset()
            var all = [StoredValue](repeating: .null, count: width)
            for value in values { all[value.place] = value.value }
            return try add(all, page: nil, rowID: rowID, of: table, .index)
        }
        let id = search.number(0)
        search.reset()
        let columns = values.map { "c\($0.place) = ?" }.joined(separator: ", ")
        guard !values.isEmpty else { return }
        let update = try database.prepare("UPDATE \(LostRowsTable.name) SET \(columns) WHERE id = \(id)")
        for (index, value) in values.enumerated() { try update.bind(value.value, at: index + 1, layout.encoding) }
        _ = try database.write(update)
    }

    /// Moves the rows of a table with row IDs that come from indexes. `body` writes one row, and returns whether the
    /// table took it. A row that the table does not take stays.
    func move(
        of table: String, _ body: (_ values: [StoredValue], _ rowID: Int64) throws(StoreError) -> Bool
    ) throws(StoreError) {
        guard let database else { return }
        let columns = (0..<width).map { ", c\($0)" }.joined()
        let select = try database.prepare(
            """
            SELECT id, row\(columns) FROM \(LostRowsTable.name) WHERE "table" = ? AND source = 'index' AND row >= ?
            ORDER BY row LIMIT 1
            """)
        let delete = try database.prepare("DELETE FROM \(LostRowsTable.name) WHERE id = ?")
        var next = Int64.min
        while true {
            select.reset()
            try select.bind(.text(encoded(table)), at: 1, layout.encoding)
            try select.bind(.integer(next), at: 2, layout.encoding)
            guard select.step() == SQLITE_ROW else { break }
            let id = select.number(0)
            let row = sqlite3_column_int64(select.handle, 1)
            let values = (0..<width).map { select.value(CInt($0 + 2), layout.encoding) }
            select.reset()
            if try body(values, row) {
                delete.reset()
                try delete.bind(.integer(Int64(id)), at: 1, layout.encoding)
                try run(delete)
                count -= 1
            }
            if row == .max { break }
            next = row + 1
        }
    }

    /// Writes the file to the disk, or removes it if it has no rows.
    func finish() throws(StoreError) {
        inserts = [:]
        search = nil
        guard let database else { return }
        self.database = nil
        if count == 0 {
            database.close()
            unlink(path)
            wasCreated = false
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
            database = try NewDatabase(at: path, layout, longestValue: longestValue, hasDefinitions: false)
            wasCreated = true
            self.database = database
            try database.execute(
                """
                CREATE TABLE \(LostRowsTable.name) (
                    id INTEGER PRIMARY KEY, "table" TEXT, source TEXT NOT NULL, page INTEGER, row INTEGER
                )
                """)
            try database.execute(
                "CREATE INDEX \(LostRowsTable.name)_row ON \(LostRowsTable.name) (\"table\", source, row)")
        }
        while width < min(wanted, Self.mostValues) {
            try database.execute("ALTER TABLE \(LostRowsTable.name) ADD COLUMN c\(width)")
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
            "INSERT INTO \(LostRowsTable.name) (\"table\", source, page, row\(columns)) VALUES (?, ?, ?, ?\(places))")
        inserts[count] = statement
        return statement
    }

    private func run(_ statement: SalvageStatement) throws(StoreError) {
        let code = statement.step()
        guard code == SQLITE_DONE else {
            throw database?.error(code, "") ?? StoreError(.other, "the database is closed")
        }
        statement.reset()
    }
}

extension StoredValue {
    /// The length from which a row alone may need more memory than the process has.
    static let long = 1 << 20

    /// The number of bytes that the value takes in a row.
    var length: Int {
        switch self {
        case .null: 0
        case .integer, .real: 8
        case .text(let bytes), .blob(let bytes): bytes.count
        }
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
