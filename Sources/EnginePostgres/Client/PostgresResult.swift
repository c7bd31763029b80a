import CChatDBPostgres
import ChatDBEngine

/// The result of a statement, as the server sent it. It is freed with the object.
final class PostgresResult {
    private let pointer: OpaquePointer
    private let libpq: chatdb_libpq

    init(_ pointer: OpaquePointer, _ libpq: chatdb_libpq) {
        (self.pointer, self.libpq) = (pointer, libpq)
    }

    deinit { libpq.clear(pointer) }

    /// Whether the statement succeeded.
    var isSuccess: Bool {
        let status = libpq.resultStatus(pointer)
        return status == Status.command || status == Status.rows || status == Status.empty
    }

    /// Whether the server waits for rows of a COPY, or sends them.
    var isCopy: Bool {
        let status = libpq.resultStatus(pointer)
        return status == Status.copyIn || status == Status.copyOut
    }

    /// The part of an error that has this code in PostgreSQL's protocol.
    func errorField(_ field: ErrorField) -> String? {
        libpq.resultErrorField(pointer, field.rawValue).map { String(cString: $0) }
    }

    /// What the server did: `COMMIT`, or `INSERT 0 1`.
    var command: String { String(cString: libpq.cmdStatus(pointer)) }

    /// The number of rows that a statement inserted, changed or deleted; 0 for other statements.
    var changedRows: Int { Int(String(cString: libpq.cmdTuples(pointer))) ?? 0 }

    /// The rows of the result, in its order.
    func rows() throws(StoreError) -> [ResultRow] {
        let count = libpq.nfields(pointer)
        let names = (0..<count).map { column in libpq.fname(pointer, column).map { String(cString: $0) } ?? "" }
        let types = (0..<count).map { libpq.ftype(pointer, $0) }
        let columns = RowColumns(names)
        var rows: [ResultRow] = []
        rows.reserveCapacity(Int(libpq.ntuples(pointer)))
        for row in 0..<libpq.ntuples(pointer) {
            var values: [SQLValue] = []
            values.reserveCapacity(Int(count))
            for column in 0..<count {
                guard libpq.getisnull(pointer, row, column) == 0 else {
                    values.append(.null)
                    continue
                }
                let bytes = UnsafeRawBufferPointer(
                    start: libpq.getvalue(pointer, row, column), count: Int(libpq.getlength(pointer, row, column)))
                guard let value = PostgresValues.value(bytes, of: types[Int(column)]) else {
                    throw StoreError(
                        .unexpectedRow,
                        "column \(names[Int(column)]) has a type of PostgreSQL (\(types[Int(column)])) that chatdb "
                            + "does not read")
                }
                values.append(value)
            }
            rows.append(ResultRow(columns: columns, values: values))
        }
        return rows
    }

    /// `ExecStatusType` of libpq.
    private enum Status {
        static let empty: CInt = 0
        static let command: CInt = 1
        static let rows: CInt = 2
        static let copyOut: CInt = 3
        static let copyIn: CInt = 4
    }
}

/// Parts of an error, by their codes in PostgreSQL's protocol.
enum ErrorField: CInt {
    case sqlState = 67  // C
    case message = 77  // M
    case schema = 115  // s
    case table = 116  // t
    case column = 99  // c
    case constraint = 110  // n
}
