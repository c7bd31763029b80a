public import ChatDBEngine
package import ChatDBSchema

/// A finding of a check.
public struct Finding: Sendable, Hashable {
    /// The check's stable name.
    public let id: String
    /// The severity.
    public let severity: CheckSeverity
    /// The things found, in the plural: `soft-deleted relays that no channel refers to`.
    public let sentence: String
    /// The number of things found, at least 1.
    public let count: Int
    /// Some of them, by number or name, at most ``FoundRows/most``. Rows whose number is private, such as hidden
    /// profiles, are only counted.
    public let sample: [CheckSample]
    /// A clause about all the rows found, such as `the oldest waits since 2026-07-20`. It is nil for checks that have
    /// no such clause, which are most of them.
    public let detail: String?
    /// The damaged parts of a file, in the order of the sample; empty for findings about something else.
    public let damage: [DatabaseDamage]
    /// Whether ``StoreRepair`` can repair it.
    public let isFixable: Bool
    /// Whether its check has a repair for it, which this store may not allow.
    package var hasRepair = false
    /// The references to missing rows, each once for all rows that have it; empty for findings about something else.
    package var references: [DanglingReference] = []
    /// The rows found, as numbers, at most ``FoundRows/most``. It is empty for findings about files and versions, and
    /// where only the sample names the rows. Of references to missing rows, it has those of channels to their relays and
    /// to the members of these, the groups and channels that lost their rows, and the entries whose names are not
    /// reserved.
    public var rows: [FoundRow] = []

    /// The sample in a text. A number of a row has the name of its table, and the number of its profile.
    public func shown(_ sample: CheckSample) -> String {
        guard case .number(let number) = sample else { return sample.description }
        return rows.first { $0.row == number }?.name ?? sample.description
    }
}

/// One of the things found. It never is a value of a table of chats, contacts or profiles. A name comes from the file,
/// which may have any text in its place, so a bundle leaves out all samples.
public enum CheckSample: Sendable, Hashable, CustomStringConvertible {
    /// The number of a row.
    case number(Int64)
    /// A name of the schema, perhaps with a number: `contacts 12`. For findings about files and versions, it may also
    /// be the name of a migration, the path of a file, or a sentence of this build with such a name.
    case text(String)

    /// The text for people.
    public var description: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): text
        }
    }

    /// The value for programs: a number stays a number.
    package var json: JSONValue {
        switch self {
        case .number(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }
}
