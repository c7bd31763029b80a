package import ChatDBKit

// The part of a plan about applied migrations whose files were edited, and which the run accepts.

extension PlanReport {
    /// Empty if the run accepts none.
    package var editBlocks: [Block] {
        let edits = DatabaseName.allCases.flatMap { database in
            (plan.databases[database]?.accepted ?? []).map { (database: database, edit: $0) }
        }
        if edits.isEmpty { return [] }
        var blocks: [Block] = [.heading("Edited migrations that are accepted"), .table(Self.table(edits))]
        let rows = DatabaseName.allCases.flatMap { database in
            (plan.databases[database]?.editedSchema ?? []).map { SchemaDiffReport.Row(database, $0) }
        }
        if !rows.isEmpty {
            blocks.append(.heading("The schema by the edited files (-) and the store's (+)"))
            blocks += SchemaDiffReport(rows: rows).document.blocks
        }
        for (_, edit) in edits where !edit.downDifference.isEmpty {
            blocks.append(.heading("\(edit.name), the down SQL of the store (-) and of the file (+)"))
            blocks.append(.verbatim(edit.downDifference.joined(separator: "\n"), language: "diff"))
        }
        // A schema that was not compared may differ.
        let areEqual = edits.allSatisfy { database, edit in
            plan.databases[database]?.editedSchema == [] && edit.downDifference.isEmpty
        }
        return blocks + [.notes(notes(areEqual: areEqual))]
    }

    private func notes(areEqual: Bool) -> [Note] {
        var notes: [Note] = []
        if areEqual {
            notes.append(
                .note(
                    "the schema by the edited files is that of the store, and the down SQL is the same; statements that "
                        + "change rows may differ"))
        } else {
            notes.append(
                .note("accepting records the files as they are now; it changes neither the schema nor rows"))
        }
        let unknown = DatabaseName.allCases.filter { database in
            plan.databases[database].map { !$0.accepted.isEmpty && $0.editedSchema == nil } ?? false
        }
        return notes + unknown.map { .note("the schema of the \($0) database was not compared") }
    }

    private static func table(_ edits: [(database: DatabaseName, edit: AcceptedEdit)]) -> Table {
        Table(
            [Column("Database"), Column("Migration"), Column("Down SQL", key: "down")],
            rows: edits.map { database, edit in
                [
                    .text(database.rawValue), .text(edit.name),
                    .text(edit.downDifference.isEmpty ? "the same" : "differs"),
                ]
            }, whenEmpty: "")
    }

    /// The accepted migrations of one database.
    package static func editMembers(_ plan: DatabasePlan) -> [JSONValue.Member] {
        [
            .init(
                "accepted",
                .array(
                    plan.accepted.map {
                        ["name": .string($0.name), "down": JSONValue($0.downDifference)]
                    })),
            .init("editedSchema", plan.editedSchema.map { .array($0.map(json)) } ?? .null),
        ]
    }

    private static func json(_ difference: StructureDifference) -> JSONValue {
        [
            "kind": .string(difference.kind.rawValue), "object": .string(difference.object.rawValue),
            "name": .string(difference.name), "expected": JSONValue(difference.expected),
            "found": JSONValue(difference.found),
        ]
    }
}
