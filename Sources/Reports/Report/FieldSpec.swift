package import ChatDBKit

/// A property of each item of a list: its names, and its value in every format. A list of them is the only source of a
/// report's JSON, table and CSV.
///
///     static let fields: [FieldSpec<Relay>] = [
///         .number("relayId", "Id") { $0.id },
///         .text("name", "Relay", shrinking: .end) { $0.name },
///         .count("using", in: "channels", "Channels") { $0.channels },
///     ]
package struct FieldSpec<Row> {
    /// The name of the property in its JSON object.
    package let key: String
    /// The object within the JSON object that has the property; nil for the object itself. CSV has no objects, so it
    /// joins both names: `channelsUsing`.
    package let parent: String?
    /// The column in a table for people.
    package let column: Column
    /// The value in JSON; nil for a property that programs derive from others.
    package let json: ((Row) -> JSONValue)?
    /// The value in a table for people.
    package let cell: (Row) -> Cell
    /// The value in CSV; nil for a property that CSV does not have.
    package let csvCell: ((Row) -> Cell)?

    package init(
        _ key: String, in parent: String? = nil, _ column: Column, json: ((Row) -> JSONValue)?,
        csv: ((Row) -> Cell)?, cell: @escaping (Row) -> Cell
    ) {
        self.key = key
        self.parent = parent
        self.column = column
        self.json = json
        self.cell = cell
        csvCell = csv
    }

    fileprivate var csvKey: String {
        parent.map { $0 + key.prefix(1).uppercased() + key.dropFirst() } ?? key
    }
}

// MARK: - Kinds of values

extension FieldSpec {
    private init(
        _ key: String, in parent: String? = nil, _ title: String?, _ alignment: Column.Alignment = .left,
        _ shrinking: Column.Shrinking = .whole, json: @escaping (Row) -> JSONValue, cell: @escaping (Row) -> Cell
    ) {
        self.init(
            key, in: parent, Column(title ?? key, key: key, alignment: alignment, shrinking: shrinking), json: json,
            csv: cell, cell: cell)
    }

    /// A text, or none.
    package static func text(
        _ key: String, _ title: String? = nil, shrinking: Column.Shrinking = .whole,
        _ value: @escaping (Row) -> String?
    ) -> Self {
        Self(key, title, .left, shrinking, json: { JSONValue(value($0)) }, cell: { .text(value($0)) })
    }

    /// Texts: an array in JSON, one text with blanks between them in CSV and tables.
    package static func texts(
        _ key: String, _ title: String? = nil, shrinking: Column.Shrinking = .whole, separator: String = " ",
        _ value: @escaping (Row) -> [String]
    ) -> Self {
        Self(
            key, title, .left, shrinking, json: { JSONValue(value($0)) },
            cell: { .text(value($0).joined(separator: separator)) })
    }

    /// An id, or none.
    package static func number(_ key: String, _ title: String? = nil, _ value: @escaping (Row) -> Int64?) -> Self {
        Self(key, title, .right, json: { JSONValue(value($0)) }, cell: { .number(value($0)) })
    }

    /// How many, or unknown.
    package static func count(
        _ key: String, in parent: String? = nil, _ title: String? = nil, _ value: @escaping (Row) -> Int?
    ) -> Self {
        Self(key, in: parent, title, .right, json: { JSONValue(value($0)) }, cell: { .count(value($0)) })
    }

    /// A size, or none.
    package static func bytes(_ key: String, _ title: String? = nil, _ value: @escaping (Row) -> Int64?) -> Self {
        Self(key, title, .right, json: { JSONValue(value($0)) }, cell: { .bytes(value($0)) })
    }

    /// Yes, no, or unknown.
    package static func flag(_ key: String, _ title: String? = nil, _ value: @escaping (Row) -> Bool?) -> Self {
        Self(key, title, json: { JSONValue(value($0)) }, cell: { .yesNo(value($0)) })
    }

    /// A time, or none.
    package static func time(_ key: String, _ title: String? = nil, _ value: @escaping (Row) -> StoredTime?) -> Self {
        Self(key, title, json: { JSONValue(value($0)?.iso8601) }, cell: { .time(value($0)?.date) })
    }

    /// A property for people only, such as a state in a word: programs and spreadsheets have its sources.
    package static func shown(
        _ title: String, shrinking: Column.Shrinking = .whole, _ cell: @escaping (Row) -> Cell
    ) -> Self {
        Self("", Column(title, shrinking: shrinking), json: nil, csv: nil, cell: cell)
    }

    /// A property that only JSON has; CSV has the parts of an object.
    package static func json(_ key: String, _ value: @escaping (Row) -> JSONValue) -> Self {
        Self(key, Column(key, key: key), json: value, csv: nil, cell: { _ in .nothing })
    }

    /// A property that only CSV has, such as a part of an object in JSON.
    package static func csv(_ key: String, _ cell: @escaping (Row) -> Cell) -> Self {
        Self(key, Column(key, key: key), json: nil, csv: cell, cell: cell)
    }
}

// MARK: - Formats

extension Array {
    /// One thing as a JSON object. Fields with the same parent stand together in its object.
    package func json<Row>(_ row: Row) -> JSONValue where Element == FieldSpec<Row> { .object(members(row)) }

    /// The members of that object.
    package func members<Row>(_ row: Row) -> [JSONValue.Member] where Element == FieldSpec<Row> {
        var members: [JSONValue.Member] = []
        var parents: Set<String> = []
        for field in self {
            guard let json = field.json else { continue }
            guard let parent = field.parent else {
                members.append(.init(field.key, json(row)))
                continue
            }
            guard parents.insert(parent).inserted else { continue }
            let parts = compactMap { part in
                part.parent == parent ? part.json.map { JSONValue.Member(part.key, $0(row)) } : nil
            }
            members.append(.init(parent, .object(parts)))
        }
        return members
    }

    /// One thing for people, a property on each line.
    package func fields<Row>(_ row: Row) -> [Field] where Element == FieldSpec<Row> {
        map { Field($0.column.title, key: $0.column.key, $0.cell(row)) }
    }

    /// The things as a table for people.
    package func table<Row>(_ rows: [Row], whenEmpty: String) -> Table where Element == FieldSpec<Row> {
        Table(map(\.column), rows: rows.map { row in map { $0.cell(row) } }, whenEmpty: whenEmpty)
    }

    /// The things as CSV has them.
    package func csv<Row>(_ rows: [Row]) -> Table where Element == FieldSpec<Row> {
        let fields = filter { $0.csvCell != nil }
        return Table(
            fields.map { Column($0.csvKey, key: $0.csvKey) },
            rows: rows.map { row in fields.map { $0.csvCell?(row) ?? .nothing } }, whenEmpty: "")
    }
}
