import ChatDBEngine

/// A COPY of rows into a table that the same transaction made, in the binary format.
///
/// The rows are frozen: the server need not look up for each row, in each scan that makes an index, whether its
/// transaction has ended.
struct PostgresRowCopy {
    private let copy: PostgresCopyIn
    private let encoder: RowEncoder
    private let buffer = CopyBuffer()

    /// Begins the COPY. Nothing else runs on the connection until ``finish()`` or ``stop()``.
    init(
        into table: String, _ columns: [CopiedColumn], schema: String, _ session: PostgresSession
    ) throws(StoreError) {
        let names = PostgresTableRows.list(columns.map(\.name))
        copy = try session.beginCopyIn(
            "COPY \(SQLName.quoted(schema)).\(SQLName.quoted(table)) (\(names)) FROM STDIN (FORMAT binary, FREEZE)",
            in: schema)
        encoder = RowEncoder(columns, .copied)
        Self.header.withUnsafeBytes { buffer.append($0) }
    }

    /// Adds a row.
    func add(_ values: [CopiedValue]) throws(StoreError) {
        try encoder.append(values, to: buffer)
        if buffer.count >= Self.part { try send() }
    }

    /// Sends the last rows, and ends the COPY.
    func finish() throws(StoreError) {
        do throws(StoreError) {
            buffer.append(atMost: 2) { $0.put(Int16(-1)) }
            try send()
        } catch {
            stop()
            throw error
        }
        try copy.finish()
    }

    /// Stops the COPY: the transaction can only be rolled back.
    func stop() { copy.stop() }

    private func send() throws(StoreError) {
        try copy.send(buffer.bytes)
        buffer.removeAll()
    }

    /// How many bytes are sent together. It is less than a socket holds: the server reads one part while the next one
    /// is made. With parts that a socket cannot hold, client and server wait for each other.
    private static let part = 16 << 10

    /// What a COPY in the binary format begins with: the signature, flags, and the length of an empty extension.
    private static let header: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
}
