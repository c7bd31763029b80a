package import ChatDBKit

extension CheckReport {
    /// The repairs that were made, and the rows that they are about, as they were found.
    var repairs: [Block] {
        let rows = repaired.compactMap { one -> Field? in
            let samples = before.first { $0.id == one.id }?.shownSamples ?? ""
            return samples.isEmpty ? nil : Field(one.id, .text(String(samples.dropFirst())))
        }
        return [.table(repairedTable)] + (rows.isEmpty ? [] : [.fields(rows)])
    }

    private var repairedTable: Table {
        Table(
            [Column("Id"), Column("Action", shrinking: .end), Column("Rows changed", alignment: .right)],
            rows: repaired.map { [.text($0.id), .text($0.act), .count($0.changed)] }, whenEmpty: "nothing")
    }
}

/// The repairs that `--fix` would make.
package struct CheckFixPlan: Report {
    package let acts: [(finding: Finding, act: String)]

    package init(acts: [(finding: Finding, act: String)]) { self.acts = acts }

    package var json: JSONValue {
        .array(acts.map { ["id": .string($0.finding.id), "action": .string($0.act), "changed": .null] })
    }

    package var document: Document {
        [
            .table(
                Table(
                    [
                        Column("Id"), Column("Count", alignment: .right), Column("Found", shrinking: .wrapped),
                        Column("Action", shrinking: .wrapped),
                    ],
                    rows: acts.map { finding, act in
                        [.text(finding.id), .count(finding.count), .text(finding.sentence), .text(act)]
                    }, whenEmpty: "nothing"))
        ]
    }
}
