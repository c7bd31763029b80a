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
