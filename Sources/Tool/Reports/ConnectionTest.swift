import ChatDBKit

/// The tests of servers or of the servers of relays.
struct ConnectionTestReport: Report {
    /// What is tested.
    enum Subject {
        case servers
        case relays
    }

    let user: User
    let subject: Subject
    /// Whether the disabled ones were asked for too.
    let all: Bool
    var rows: [ConnectionTestRow]

    private func count(_ outcome: String) -> Int { rows.count { $0.outcome == outcome } }

    /// Whether a test failed, or could not be made.
    var hasFailures: Bool { rows.contains { $0.passed == false || $0.couldNotBeMade } }

    private var notes: [String] {
        subject == .servers || rows.isEmpty
            ? []
            : ["each test is of the server that keeps the relay's address; the relay itself was not asked"]
    }

    var json: JSONValue {
        let name = subject == .servers ? "serverId" : "chatRelayId"
        return [
            "user": user.reference,
            "results": .array(rows.map { ConnectionTestRow.fields(name).json($0) }),
            "passed": JSONValue(count("passed")), "failed": JSONValue(count("failed")),
            "skipped": JSONValue(count("skipped")), "notes": JSONValue(notes),
        ]
    }

    var document: Document {
        let (thing, title) = subject == .servers ? ("server", "Server") : ("relay", "Relay")
        let skipped = count("skipped") == 0 ? "" : ", \(count("skipped")) skipped"
        let recorded = rows.count(where: \.isRecorded)
        let kept = recorded == 0 ? "" : " \(counted(recorded, "result")) \(recorded == 1 ? "was" : "were") recorded."
        return [
            .heading("Tests of the \(thing)s of \(user.name)"),
            .table(
                ConnectionTestRow.listed(title).table(
                    rows, whenEmpty: all ? "no \(thing)s" : "no \(thing) is enabled")),
            .paragraph(rows.isEmpty ? "" : "\(count("passed")) passed, \(count("failed")) failed\(skipped).\(kept)"),
            .notes(notes.map { .note($0) }),
        ]
    }

    var csvTable: Table {
        ConnectionTestRow.fields(subject == .servers ? "serverId" : "chatRelayId").csv(rows)
    }
}

/// A command that tests servers: reads them, closes the store, tests all at once, and records the results if that was
/// asked for.
struct ConnectionTest {
    let profile: ProfileOptions
    let options: ConnectionTestOptions
    let output: Output

    /// - Parameter plan: reads what to test.
    /// - Parameter record: records the result of one row in the store, if the row is there as before, and returns
    ///   whether it did.
    func run(
        _ plan: (any ReadTransaction) throws -> ConnectionTestReport,
        record: (ConnectionTestRow, User, any WriteTransaction) throws -> Bool
    ) throws {
        let session = try StoreSession(profile.store, output)
        let hasFailures: Bool
        if options.record {
            var report = try session.readToWrite { store in try store.read { try plan($0) } }
            report.rows = try tested(report.rows)
            if !report.rows.isEmpty {
                let user = report.user
                report.rows = try session.write { [rows = report.rows] store in
                    try store.write { chat in
                        try rows.map { row in
                            var row = row
                            row.isRecorded = try row.passed != nil && record(row, user, chat)
                            return row
                        }
                    }
                }
            }
            try output.write(report)
            hasFailures = report.hasFailures
        } else {
            var report = try session.list { try plan($0) }
            report.content.rows = try tested(report.content.rows)
            try output.write(report)
            hasFailures = report.content.hasFailures
        }
        if hasFailures { throw Answer(status: .no) }
    }

    private func tested(_ rows: [ConnectionTestRow]) throws -> [ConnectionTestRow] {
        let targets = rows.compactMap(\.target)
        let bar = output.progress("Testing \(counted(targets.count, "server"))", total: Int64(targets.count))
        defer { bar.finish() }
        let results = try ServerTests.run(targets, timeLimit: .milliseconds(Int64(options.timeout * 1000))) {
            bar.update(Int64($0))
        }
        var next = results.makeIterator()
        return rows.map { row in
            var row = row
            if row.target != nil { row.result = next.next() }
            return row
        }
    }
}
