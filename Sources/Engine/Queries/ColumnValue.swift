public import ChatDBSchema

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

    /// The name of the stored type, for messages that must not show the value.
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

/// A Swift type that can be bound to a query and read from a row.
public protocol ColumnValue: Sendable {
    /// The value to bind.
    var sqlValue: SQLValue { get }
    /// The value read, or nil when the stored one is of another type or out of range. NULL is never read as a value.
    init?(sqlValue: SQLValue)
}

extension Int64: ColumnValue {
    /// The number.
    public var sqlValue: SQLValue { .integer(self) }

    /// Whole numbers only.
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number
    }
}

extension Int: ColumnValue {
    /// The number.
    public var sqlValue: SQLValue { .integer(Int64(self)) }

    /// Whole numbers that fit.
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue, let value = Int(exactly: number) else { return nil }
        self = value
    }
}

extension Bool: ColumnValue {
    /// 0 or 1.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// 0 and 1 only: another number is damage.
    @inlinable
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension Double: ColumnValue {
    /// The number.
    public var sqlValue: SQLValue { .real(self) }

    /// Numbers of both kinds.
    @inlinable
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .real(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

extension String: ColumnValue {
    /// The text.
    public var sqlValue: SQLValue { .text(self) }

    /// Text only: a BLOB is not read as text by accident.
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }
}

extension [UInt8]: ColumnValue {
    /// The bytes.
    public var sqlValue: SQLValue { .blob(self) }

    /// Bytes only.
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .blob(let bytes) = sqlValue else { return nil }
        self = bytes
    }
}

extension SecretBytes: ColumnValue {
    /// The bytes.
    public var sqlValue: SQLValue { .blob(bytes) }

    /// Bytes only.
    public init?(sqlValue: SQLValue) {
        guard case .blob(let bytes) = sqlValue else { return nil }
        self.init(bytes)
    }
}

extension SQLValue: ColumnValue {
    /// Itself.
    public var sqlValue: SQLValue { self }

    /// Any value but NULL.
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard sqlValue != .null else { return nil }
        self = sqlValue
    }
}
