/// One difference between two schemas.
public struct StructureDifference: Sendable, Hashable, Comparable {
    /// The kind of a difference.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Expected and missing.
        case missing
        /// There and not expected.
        case extra
        /// There in another form.
        case different
    }

    /// Sorts of things in a schema.
    public enum Object: String, Sendable, Hashable, Codable, CaseIterable {
        /// A table.
        case table
        /// A column of a table.
        case column
        /// An index.
        case index
        /// A trigger.
        case trigger
        /// A view.
        case view
        /// A function that is kept in the database.
        case function
    }

    /// Missing, extra or different.
    public let kind: Kind
    /// The sort of thing that differs.
    public let object: Object
    /// Its name; a column's with its table: `users.user_id`.
    public let name: String
    /// The expected form; nil for an extra thing.
    public let expected: String?
    /// The form that was found; nil for a missing thing.
    public let found: String?

    /// A difference.
    public init(_ kind: Kind, _ object: Object, _ name: String, expected: String? = nil, found: String? = nil) {
        self.kind = kind
        self.object = object
        self.name = name
        self.expected = expected
        self.found = found
    }

    /// The difference in a few words: `extra column users.note`.
    package var sentence: String { "\(kind.rawValue) \(object.rawValue) \(name)" }

    /// The same, with both forms of a thing that is there in another form:
    /// `different column users.note (expected note TEXT, found note INTEGER)`.
    package var sentenceWithForms: String {
        guard kind == .different else { return sentence }
        let forms = [expected.map { "expected \($0)" }, found.map { "found \($0)" }].compactMap(\.self)
        return forms.isEmpty ? sentence : "\(sentence) (\(forms.joined(separator: ", ")))"
    }

    /// Tables first, then by name.
    public static func < (first: StructureDifference, second: StructureDifference) -> Bool {
        let order = Object.allCases
        let ranks = (order.firstIndex(of: first.object) ?? 0, order.firstIndex(of: second.object) ?? 0)
        return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : first.name < second.name
    }
}

extension DatabaseStructure {
    /// The differences between this schema and the expected one, sorted; empty when they are equal.
    public func differences(from expected: DatabaseStructure) -> [StructureDifference] {
        var result: [StructureDifference] = []
        compare(tables, expected.tables, as: .table, describe: \.summary, into: &result) { name, found, wanted in
            found.differences(from: wanted, table: name)
        }
        compare(indexes, expected.indexes, as: .index, describe: \.summary, into: &result)
        compare(
            triggers, expected.triggers, as: .trigger, describe: \.text.shown, into: &result)
        compare(views, expected.views, as: .view, describe: \.shown, into: &result)
        compare(functions, expected.functions, as: .function, describe: \.shown, into: &result)
        return result.sorted()
    }

    /// Compares two sets of named things. `details` may return finer differences than "the whole is different".
    private func compare<Thing: Equatable>(
        _ found: [String: Thing], _ expected: [String: Thing], as object: StructureDifference.Object,
        describe: (Thing) -> String, into result: inout [StructureDifference],
        details: (String, Thing, Thing) -> [StructureDifference] = { _, _, _ in [] }
    ) {
        for (name, wanted) in expected {
            guard let there = found[name] else {
                result.append(StructureDifference(.missing, object, name, expected: describe(wanted)))
                continue
            }
            guard there != wanted else { continue }
            let finer = details(name, there, wanted)
            result +=
                finer.isEmpty
                ? [StructureDifference(.different, object, name, expected: describe(wanted), found: describe(there))]
                : finer
        }
        for (name, there) in found where expected[name] == nil {
            result.append(StructureDifference(.extra, object, name, found: describe(there)))
        }
    }
}

extension TableStructure {
    /// Differences in columns one by one, and those in the rest of the table as one difference.
    fileprivate func differences(from expected: TableStructure, table: String) -> [StructureDifference] {
        var result: [StructureDifference] = []
        let ours = Dictionary(columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let theirs = Dictionary(expected.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for column in expected.columns {
            let name = "\(table).\(column.name)"
            guard let there = ours[column.name] else {
                result.append(StructureDifference(.missing, .column, name, expected: column.summary))
                continue
            }
            if there != column {
                result.append(
                    StructureDifference(.different, .column, name, expected: column.summary, found: there.summary))
            }
        }
        for column in columns where theirs[column.name] == nil {
            result.append(StructureDifference(.extra, .column, "\(table).\(column.name)", found: column.summary))
        }
        if result.isEmpty || constraints != expected.constraints {
            let (there, wanted) = (keys + options, expected.keys + expected.options)
            let (extra, missing) = (there.filter { !wanted.contains($0) }, wanted.filter { !there.contains($0) })
            if result.isEmpty, columns != expected.columns, constraints == expected.constraints {
                return [
                    StructureDifference(
                        .different, .table, table, expected: "the columns in the order \(expected.columnNames)",
                        found: "the same columns in another order: \(columnNames)")
                ]
            }
            // Without a finer difference (a virtual table) the whole tables are shown.
            let isWhole = extra.isEmpty && missing.isEmpty
            result.append(
                StructureDifference(
                    .different, .table, table, expected: isWhole ? expected.summary : Self.text(missing),
                    found: isWhole ? summary : Self.text(extra)))
        }
        return result
    }

    private static func text(_ parts: [String]) -> String? { parts.isEmpty ? nil : parts.joined(separator: ", ") }

    private var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    /// The table without its columns.
    private var constraints: TableStructure {
        var copy = self
        copy.columns = []
        return copy
    }
}
