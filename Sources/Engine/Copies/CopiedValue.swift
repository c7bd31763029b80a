/// A value of a row as an engine has it in memory. The bytes are valid until the next row is read.
package enum CopiedValue {
    /// NULL.
    case null
    /// A whole number.
    case integer(Int64)
    /// A number with floating point.
    case real(Double)
    /// The bytes of a text. SQLite stores any bytes, also some that are not UTF-8.
    case text(UnsafeRawBufferPointer)
    /// Bytes.
    case bytes(UnsafeRawBufferPointer)

    /// The number of bytes that PostgreSQL no longer takes, in a value or in a message.
    package static let tooLarge = 1 << 30

    /// The name of the type, for messages.
    package var typeName: String {
        switch self {
        case .null: "NULL"
        case .integer: "a whole number"
        case .real: "a number with a fraction"
        case .text: "a text"
        case .bytes: "bytes"
        }
    }
}

/// A column of a table that is copied.
package struct CopiedColumn: Sendable, Hashable {
    /// Its name, which is the same in both databases.
    package let name: String
    /// The form of its values on the server.
    package let form: CopiedForm

    /// A column.
    package init(name: String, form: CopiedForm) {
        self.name = name
        self.form = form
    }
}

/// The form of the values of a column in PostgreSQL's binary format. The numbers are those of the types in `pg_type`,
/// which never change.
package enum CopiedForm: UInt32, Sendable {
    /// `bytea`.
    case bytes = 17
    /// `bigint`.
    case bigInteger = 20
    /// `smallint`.
    case smallInteger = 21
    /// `integer`.
    case integer = 23
    /// `text`.
    case text = 25
    /// `double precision`.
    case real = 701
}

extension [UInt8] {
    /// Appends a number with the most significant byte first.
    package mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends a value in PostgreSQL's binary format, after its length; the length of NULL is -1.
    ///
    /// Throws `constraintViolation` for a value that the form cannot hold. The message has the column and the type of
    /// the value, and not the value.
    package mutating func append(_ value: CopiedValue, as column: CopiedColumn) throws(StoreError) {
        switch (value, column.form) {
        case (.null, _): append(bigEndian: Int32(-1))
        case (.integer(let number), .bigInteger): append(sized: number)
        case (.integer(let number), .smallInteger): append(sized: try Self.narrowed(number, column) as Int16)
        case (.integer(let number), .integer): append(sized: try Self.narrowed(number, column) as Int32)
        case (.real(let number), .real): append(sized: number.bitPattern)
        case (.text(let bytes), .text), (.bytes(let bytes), .bytes):
            guard bytes.count < CopiedValue.tooLarge else {
                throw StoreError(.beyondLimits, "column \(column.name) has a value of 1 GiB or more")
            }
            append(bigEndian: Int32(bytes.count))
            append(contentsOf: bytes)
        default:
            throw StoreError(
                .constraintViolation,
                "column \(column.name) has \(value.typeName), which its type on the server "
                    + "does not hold")
        }
    }

    private mutating func append(sized number: some FixedWidthInteger) {
        append(bigEndian: Int32(number.bitWidth / 8))
        append(bigEndian: number)
    }

    private static func narrowed<Number: FixedWidthInteger>(
        _ number: Int64, _ column: CopiedColumn
    ) throws(StoreError) -> Number {
        if let number = Number(exactly: number) { return number }
        throw StoreError(
            .constraintViolation, "column \(column.name) has a number that is too large for its type on the server")
    }
}
