/// A value as a database stores it.
public enum SQLValue: Sendable, Hashable {
    /// No value.
    case null
    /// A whole number; booleans are 0 and 1.
    case integer(Int64)
    /// A floating point number.
    case real(Double)
    /// Text, UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// The name of the stored type, for messages that must not tell the value.
    public var typeName: String {
        switch self {
        case .null: "NULL"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        }
    }
}
