import ChatDBEngine
package import ChatDBSchema

/// What a check found.
public struct Finding: Sendable, Hashable {
    /// The check's stable name.
    public let id: String
    /// How bad it is.
    public let severity: CheckSeverity
    /// What was found, in the plural: `soft-deleted relays that no channel refers to`.
    public let sentence: String
    /// How many of them, at least 1.
    public let count: Int
    /// Some of them, by number or name, at most ``FoundRows/most``. Rows whose number is private, such as hidden
    /// profiles, are only counted.
    public let sample: [CheckSample]
    /// What to do about it, a sentence.
    public let remedy: String
    /// Whether ``StoreRepair`` can repair it.
    public let isFixable: Bool
}

/// One of the things found. It never is a text a person wrote.
public enum CheckSample: Sendable, Hashable, CustomStringConvertible {
    /// The number of a row.
    case number(Int64)
    /// A name of the schema, perhaps with a number: `contacts 12`.
    case text(String)

    /// As people read it.
    public var description: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): text
        }
    }

    /// As programs read it: a number stays a number.
    package var json: JSONValue {
        switch self {
        case .number(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }
}

/// How bad a finding is, the worst first.
public enum CheckSeverity: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Something does not work, or will not: the store is not in order.
    case error
    /// Something is not as it should be, and nothing fails by it yet.
    case warning
    /// A leftover, of which it is enough to know.
    case info

    /// The worst first.
    public static func < (left: Self, right: Self) -> Bool {
        let order = allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}

/// Counts what a check finds, and keeps the first few: memory does not grow with what is wrong.
public struct FoundRows: Sendable, Hashable {
    /// How many are kept.
    public static let most = 10

    /// How many were found.
    public private(set) var count = 0
    /// The first of them.
    public private(set) var sample: [CheckSample] = []

    /// Nothing yet.
    public init() {}

    mutating func add(_ text: String) { add(.text(text)) }

    mutating func add(_ number: Int64) { add(.number(number)) }

    /// Counts a row without adding it to the sample.
    mutating func addUntold() { count += 1 }

    /// The rows of an answer, by its only column: NULL is counted and not added to the sample.
    mutating func add(_ query: Query, in transaction: any ReadTransaction) throws {
        try transaction.forEach(query) { row in
            switch row.values.first {
            case .integer(let number)?: add(number)
            case .text(let text)?: add(text)
            default: addUntold()
            }
        }
    }

    private mutating func add(_ one: CheckSample) {
        count += 1
        if sample.count < Self.most { sample.append(one) }
    }
}
