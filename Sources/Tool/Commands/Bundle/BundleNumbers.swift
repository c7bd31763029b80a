import ChatDBKit

/// Numbers of rows and of states, by database.
struct BundleNumbers {
    let rows: JSONValue
    let states: JSONValue

    /// A database whose schema cannot be read is left out, with a note.
    static func read(_ status: StoreStatus, _ context: StoreContext, _ notes: inout [String]) -> BundleNumbers {
        var rows: [JSONValue.Member] = []
        var states: [JSONValue.Member] = []
        for database in DatabaseName.allCases {
            guard let part = status.readable[database] else { continue }
            do {
                let connection = try context.engine.openForQuestions(part.path, of: database)
                defer { try? connection.close() }
                let numbers = StoreNumbers(of: database, tables: try connection.tables(), asking: connection)
                rows.append(
                    .init(database.rawValue, .object(numbers.rows.map { .init($0.table, JSONValue($0.count)) })))
                states.append(.init(database.rawValue, .object(numbers.states.map(member))))
            } catch {
                notes.append("rows of the \(database) database were not counted: \(ErrorReport(error).code)")
            }
        }
        return BundleNumbers(rows: .object(rows), states: .object(states))
    }

    private static func member(_ states: StoreNumbers.States) -> JSONValue.Member {
        .init(
            "\(states.table).\(states.column)",
            .array(states.counts.map { ["state": json($0.state), "rows": .integer($0.rows)] }))
    }

    private static func json(_ state: StoreNumbers.States.State?) -> JSONValue {
        switch state {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        case nil: .null
        }
    }
}

/// What `chatdb check` says of the store: ids and numbers. docs/checks.md explains the ids. Samples are left out.
enum BundleFindings {
    /// Null when the store cannot be checked; the notes say why.
    static func json(
        _ store: Store, _ status: StoreStatus, _ context: StoreContext, _ output: Output, _ notes: inout [String]
    ) -> JSONValue {
        do {
            let found = try CheckedStore.check(store, status, context, output)
            return .array(found.checkup.findings.map(\.withoutSamples))
        } catch {
            notes.append("findings: the store cannot be checked (\(ErrorReport(error).code))")
            return .null
        }
    }
}

extension Finding {
    fileprivate var withoutSamples: JSONValue {
        [
            "id": .string(id), "severity": .string(severity.rawValue), "count": JSONValue(count),
            "fixable": .bool(isFixable),
        ]
    }
}
