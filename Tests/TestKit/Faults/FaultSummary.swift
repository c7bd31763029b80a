/// The result of a campaign.
package struct FaultSummary: Sendable, CustomStringConvertible {
    package struct Row: Sendable, Hashable {
        package var fault: Fault
        /// The number of checked folders; for power cuts, of different images.
        package var cases = 0
        /// The number of times that each allowed state was found.
        package var states: [String: Int] = [:]
        package var lost = 0
        package var damaged = 0
        /// The number of runs that ended with exit code 0 in spite of the fault.
        package var survived = 0
    }

    package struct Finding: Sendable, Hashable, CustomStringConvertible {
        package var at: FaultCase
        package var verdict: FaultVerdict

        package var description: String { "\(at): \(verdict)" }
    }

    /// The operations of a run without faults.
    package var operations: Int
    package var rows: [Row]
    /// Every verdict that is not `.whole`, in the order of operations.
    package var findings: [Finding]

    /// Whether there is no finding of any kind.
    package var isClean: Bool { findings.isEmpty }

    /// The number of times that this state was found, over all faults.
    package func count(of state: String) -> Int { rows.reduce(0) { $0 + ($1.states[state] ?? 0) } }

    package var lost: Int { rows.reduce(0) { $0 + $1.lost } }
    package var damaged: Int { rows.reduce(0) { $0 + $1.damaged } }
    package var cases: Int { rows.reduce(0) { $0 + $1.cases } }

    /// A line per fault, then the first findings.
    package var description: String {
        var lines = ["\(operations) operations"]
        for row in rows {
            let states = row.states.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            let line = ["\(row.cases) cases"] + states + ["lost \(row.lost)", "damaged \(row.damaged)"]
            lines.append("\(row.fault): \(line.joined(separator: ", "))")
        }
        for finding in findings.prefix(10) { lines.append("- \(finding)") }
        if findings.count > 10 { lines.append("- and \(findings.count - 10) more") }
        return lines.joined(separator: "\n")
    }
}
