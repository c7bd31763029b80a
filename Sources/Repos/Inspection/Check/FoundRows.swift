public import ChatDBEngine

/// Counts the rows that a check finds, and keeps the first few, so that memory does not grow with their number.
public struct FoundRows: Sendable, Hashable {
    /// The number of rows that are kept, for programs.
    public static let most = 1_000
    /// The number of rows that a text names.
    public static let mostShown = 10

    /// The number of rows that were found.
    public private(set) var count = 0
    /// The first of them.
    public private(set) var sample: [CheckSample] = []
    /// The damaged parts of a file, as many as are in the sample; empty for other checks.
    public private(set) var damage: [DatabaseDamage] = []

    /// The references to missing rows, each once for all rows that have it, in the order of the rows; empty for other
    /// checks.
    package private(set) var references: [DanglingReference] = []

    /// The rows found, as numbers; at most ``most``. It may lack rows that are only counted, and rows that the sample
    /// names in other words.
    package private(set) var rows: [FoundRow] = []

    /// The rows and tables that the check did not examine because they cannot be read. At most ``mostShown`` are kept.
    private(set) var skipped: [String] = []

    /// The rows that may be findings, and for which the store has no proof. At most ``mostShown`` are kept.
    private(set) var unproven: [FoundRow] = []

    /// A clause about all the rows found, such as `they hold 120 bytes`. It never has a text that a person wrote.
    var detail: String?

    /// The severity of these rows, if it is not that of the check.
    var severity: CheckSeverity?

    /// Whether the repair of the check can repair at least one of these rows.
    var isRepairable = true

    /// Nothing yet.
    public init() {}

    mutating func add(_ text: String) { add(.text(text)) }

    mutating func add(_ part: DatabaseDamage) {
        if damage.count < Self.most { damage.append(part) }
        add(part.sentence)
    }

    mutating func add(_ dangling: DanglingReference) {
        let reference = DanglingReference(
            table: dangling.table, row: nil, parent: dangling.parent, columns: dangling.columns)
        if references.count < Self.most, !references.contains(reference) { references.append(reference) }
        let row = dangling.row.map { " \($0)" } ?? ""
        add("\(dangling.table)\(row): \(dangling.columns.joined(separator: ", ")) in \(dangling.parent)")
    }

    mutating func add(_ number: Int64) { add(.number(number)) }

    /// Notes the numbers of a row that is in the sample already.
    mutating func add(_ row: FoundRow) { if rows.count < Self.most { rows.append(row) } }

    /// Adds a row to the sample, by its name with clauses about it.
    mutating func add(_ row: FoundRow, with clauses: [String]) {
        add(row)
        add(row.name(with: clauses))
    }

    /// Notes a row or a table that cannot be read, once. The name has no value of a row.
    mutating func skip(_ name: String) {
        if skipped.count < Self.mostShown, !skipped.contains(name) { skipped.append(name) }
    }

    /// Notes a row that may be a finding, and for which the store has no proof.
    mutating func addUnproven(_ row: FoundRow) { if unproven.count < Self.mostShown { unproven.append(row) } }

    /// Counts a row without adding it to the sample.
    mutating func countOnly() { count += 1 }

    /// The rows of an answer, by its only column: NULL is counted and not added to the sample.
    mutating func add(_ query: Query, in transaction: any ReadTransaction) throws {
        try transaction.forEach(query) { row in
            switch row.values.first {
            case .integer(let number)?: add(number)
            case .text(let text)?: add(text)
            default: countOnly()
            }
        }
    }

    mutating func add(_ one: CheckSample) {
        count += 1
        if sample.count < Self.most { sample.append(one) }
    }
}
