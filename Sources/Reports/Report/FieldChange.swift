package import ChatDBKit

/// A property of one thing before and after a change.
package struct FieldChange {
    package let name: String
    private let from: (json: JSONValue, text: String)
    private let to: (json: JSONValue, text: String)

    /// Nil when nothing changed.
    package init?<Value: Equatable>(
        _ name: String, _ from: Value, _ to: Value, json: (Value) -> JSONValue, text: (Value) -> String
    ) {
        if from == to { return nil }
        self.name = name
        self.from = (json(from), text(from))
        self.to = (json(to), text(to))
    }

    /// A text; an empty one counts as none.
    package static func text(_ name: String, _ from: String, _ to: String) -> FieldChange? {
        FieldChange(name, from, to, json: { .string($0) }, text: { $0.isEmpty ? "none" : $0 })
    }

    /// A text, or none.
    package static func optionalText(_ name: String, _ from: String?, _ to: String?) -> FieldChange? {
        FieldChange(name, from, to, json: { JSONValue($0) }, text: { $0 ?? "none" })
    }

    /// A list of texts.
    package static func texts(_ name: String, _ from: [String], _ to: [String]) -> FieldChange? {
        FieldChange(
            name, from, to, json: { JSONValue($0) }, text: { $0.isEmpty ? "none" : $0.joined(separator: ", ") })
    }

    /// A switch.
    package static func flag(_ name: String, _ from: Bool, _ to: Bool) -> FieldChange? {
        FieldChange(name, from, to, json: { .bool($0) }, text: { $0 ? "yes" : "no" })
    }

    /// The result of a test.
    package static func tested(_ from: Bool?, _ to: Bool?) -> FieldChange? {
        FieldChange("tested", from, to, json: { JSONValue($0) }, text: TestResult.shown)
    }

    /// A time, or none.
    package static func time(_ name: String, _ from: StoredTime?, _ to: StoredTime?) -> FieldChange? {
        FieldChange(name, from, to, json: { JSONValue($0?.iso8601) }, text: { $0?.iso8601 ?? "none" })
    }

    /// As `fields` of an answer: `{"enabled": {"from": true, "to": false}}`.
    package static func json(_ changes: [FieldChange]) -> JSONValue {
        .object(changes.map { .init($0.name, ["from": $0.from.json, "to": $0.to.json]) })
    }

    /// A row for each.
    package static func table(_ changes: [FieldChange]) -> Table {
        Table(
            [Column("Changed", key: "field"), Column("From", shrinking: .middle), Column("To", shrinking: .middle)],
            rows: changes.map { [.text($0.name), .text($0.from.text), .text($0.to.text)] },
            whenEmpty: "nothing is different")
    }
}

/// The result of a test, for people.
package enum TestResult {
    package static func shown(_ passed: Bool?) -> String {
        switch passed {
        case true?: "passed"
        case false?: "failed"
        case nil: "untested"
        }
    }

    package static func cell(_ passed: Bool?) -> Cell {
        switch passed {
        case true?: .text(shown(passed), .good)
        case false?: .text(shown(passed), .bad)
        case nil: .text(shown(passed), .dim)
        }
    }
}
