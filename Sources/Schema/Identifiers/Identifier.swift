/// The number of a row, typed by what the row is, so that one kind of number is never taken for another.
///
/// Described and encoded as the bare number. Ordered by the number, which is the order of creation.
public protocol Identifier: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible
where RawValue == Int64 {
    /// The identifier with this number; whether there is such a row is not asked.
    init(rawValue: Int64)
}

extension Identifier {
    /// The identifier with this number; whether there is such a row is not asked.
    public init(_ number: Int64) {
        self.init(rawValue: number)
    }

    /// The bare number.
    public var description: String { String(rawValue) }

    /// By number.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
