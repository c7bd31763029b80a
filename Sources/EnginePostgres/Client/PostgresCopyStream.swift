import CChatDBPostgres
import ChatDBEngine

/// A COPY to the server that has begun.
struct PostgresCopyIn {
    fileprivate let connection: PostgresConnection

    /// Sends bytes, in parts of any size.
    func send(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard bytes.count < CopiedValue.tooLarge else {
            throw StoreError(.beyondLimits, "a row has 1 GiB or more, which is beyond PostgreSQL's limit")
        }
        let sent = connection.libpq.putCopyData(
            connection.pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(bytes.count))
        // The server may have ended the COPY with an error, which the result has.
        if sent != 1 { throw try connection.failure() }
    }

    /// Ends the COPY.
    func finish() throws(StoreError) {
        guard connection.libpq.putCopyEnd(connection.pointer, nil) == 1 else { throw try connection.failure() }
        defer { connection.skipResults() }
        _ = try connection.checked(connection.libpq.getResult(connection.pointer))
    }

    /// Stops the COPY: the server drops what was sent, and the transaction can only be rolled back.
    func stop() {
        _ = connection.libpq.putCopyEnd(connection.pointer, "stopped")
        connection.skipResults()
    }
}

extension PostgresConnection {
    /// Begins `COPY … FROM STDIN`.
    func beginCopyIn(_ sql: String) throws(StoreError) -> PostgresCopyIn {
        try beginCopy(sql)
        return PostgresCopyIn(connection: self)
    }

    /// Runs `COPY … TO STDOUT`, and calls `body` with each part that the server sends: a row, or what stands before the
    /// first and after the last.
    func copyOut(_ sql: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try beginCopy(sql)
        do {
            while let part = try nextPart() {
                defer { libpq.freemem(part.baseAddress) }
                try body(UnsafeRawBufferPointer(part))
            }
        } catch {
            stopCopy()
            throw error
        }
        defer { skipResults() }
        _ = try checked(libpq.getResult(pointer))
    }

    private func beginCopy(_ sql: String) throws(StoreError) {
        guard let result = libpq.exec(pointer, sql) else { throw try failure() }
        let answer = PostgresResult(result, libpq)
        if answer.isCopy { return }
        _ = try checked(answer)
        throw StoreError(.sql, "the statement is no COPY")
    }

    /// The next part that the server sends; nil after the last.
    private func nextPart() throws(StoreError) -> UnsafeMutableRawBufferPointer? {
        var bytes: UnsafeMutablePointer<CChar>?
        let count = libpq.getCopyData(pointer, &bytes, 0)
        if count > 0 { return UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)) }
        if count == -1 { return nil }
        throw try failure()
    }

    /// The error of a COPY that has failed.
    fileprivate func failure() throws(StoreError) -> StoreError {
        defer { skipResults() }
        _ = try checked(libpq.getResult(pointer))
        return StoreError(.other, "a COPY failed without an error")
    }

    /// Ends a COPY whose further rows are not needed.
    private func stopCopy() {
        cancel.send()
        var bytes: UnsafeMutablePointer<CChar>?
        while libpq.getCopyData(pointer, &bytes, 0) > 0 { libpq.freemem(bytes) }
        skipResults()
        _ = cancel.takeSent()
    }

    /// libpq takes the next statement when it has returned all results of the last one.
    fileprivate func skipResults() {
        while let result = libpq.getResult(pointer) {
            let isCopy = PostgresResult(result, libpq).isCopy
            if isCopy { return }
        }
    }
}

/// Reads the rows that `COPY … TO STDOUT (FORMAT binary)` sends.
struct CopiedRows {
    private let columns: [CopiedColumn]
    private var isFirst = true
    /// The values of the last row. Their bytes are those of the part that was given last.
    private(set) var values: [CopiedValue]

    init(_ columns: [CopiedColumn]) {
        self.columns = columns
        values = Array(repeating: .null, count: columns.count)
    }

    /// Reads a part. Returns whether it has a row.
    mutating func read(_ part: UnsafeRawBufferPointer) throws(StoreError) -> Bool {
        var place = isFirst ? Self.headerSize : 0
        isFirst = false
        guard let count: Int16 = Self.number(part, &place) else { return false }
        // The end.
        if count == -1 { return false }
        guard Int(count) == columns.count else { throw Self.malformed }
        for index in columns.indices { values[index] = try Self.value(part, &place, columns[index].form) }
        return true
    }

    /// The signature, the flags, and the length of an extension that no version has.
    private static let headerSize = 19

    private static let malformed = StoreError(.unexpectedRow, "the server sent a row in another form than it announced")

    private static func value(
        _ part: UnsafeRawBufferPointer, _ place: inout Int, _ form: CopiedForm
    ) throws(StoreError) -> CopiedValue {
        guard let length: Int32 = number(part, &place) else { throw malformed }
        if length == -1 { return .null }
        guard length >= 0, place + Int(length) <= part.count else { throw malformed }
        let end = place + Int(length)
        defer { place = end }
        switch form {
        case .bytes: return .bytes(UnsafeRawBufferPointer(rebasing: part[place..<end]))
        case .text: return .text(UnsafeRawBufferPointer(rebasing: part[place..<end]))
        case .bigInteger: return .integer(try fixed(part, place, length) as Int64)
        case .integer: return .integer(Int64(try fixed(part, place, length) as Int32))
        case .smallInteger: return .integer(Int64(try fixed(part, place, length) as Int16))
        case .real: return .real(Double(bitPattern: try fixed(part, place, length)))
        }
    }

    private static func fixed<Number: FixedWidthInteger>(
        _ part: UnsafeRawBufferPointer, _ place: Int, _ length: Int32
    ) throws(StoreError) -> Number {
        var place = place
        guard Int(length) == Number.bitWidth / 8, let number: Number = number(part, &place) else { throw malformed }
        return number
    }

    private static func number<Number: FixedWidthInteger>(
        _ part: UnsafeRawBufferPointer, _ place: inout Int
    ) -> Number? {
        let size = Number.bitWidth / 8
        guard place + size <= part.count else { return nil }
        defer { place += size }
        return Number(bigEndian: part.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
}
