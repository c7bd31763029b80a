import ChatDBKit
import Foundation
import TestKit

/// Questions to stores on a PostgreSQL server, in process, against pgbench, which prepares the best SQL for the same
/// answer once and runs it as often. Then the same questions to a store with two profiles against one with the first of
/// them alone.
struct PostgresBench {
    let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> [Measurement] {
        guard PostgresServer.isSupported, Self.hasPgbench else {
            say("PostgreSQL or its pgbench is not installed: the rows of stores on a server are left out")
            return []
        }
        // It ends with this process, also after an error.
        let server = try PostgresServer.started()
        let database = try server.makeDatabase()
        let alone = try ServerProfiles("alone", profiles: 1, server, database: database, bench)
        let beside = try ServerProfiles("beside", profiles: 2, server, database: database, bench)
        defer { for store in [alone, beside] { try? store.connection.close() } }
        let questions = zip(PostgresQuestion.all(of: beside), PostgresQuestion.all(of: alone))
        let againstSQL = try questions.map { question, _ in try compare(question, in: beside) }
        let againstAlone = try questions.map { question, same in
            let medians = try bench.compare({}) {
                try ask(question, in: beside)
            } peer: {
                try ask(same, in: alone)
            }
            return row(
                "\(question.name), on PostgreSQL with another profile of the same size beside, against the profile alone",
                question, medians)
        }
        return againstSQL + againstAlone
    }

    private func compare(_ question: PostgresQuestion, in store: ServerProfiles) throws -> Measurement {
        try requireSameAnswer(question, in: store)
        let script = try bench.script("question.sql", question.sql + ";\n")
        // PostgreSQL decides at the sixth execution whether it goes on with one plan for all values. A program that
        // runs for long is past that.
        for _ in 0..<6 { _ = try store.connection.read(question.ask) }
        var times: (ours: [Double], peer: [Double]) = ([], [])
        for _ in 0..<bench.runs {
            times.ours.append(try bench.seconds { try ask(question, in: store) })
            times.peer.append(try Self.pgbench(script, times: question.times, in: store))
        }
        return row(
            "\(question.name), on PostgreSQL, against prepared SQL in pgbench", question,
            (Bench.median(times.ours), Bench.median(times.peer)))
    }

    /// The times are those of one question.
    private func row(
        _ work: String, _ question: PostgresQuestion, _ medians: (ours: Double, peer: Double)
    ) -> Measurement {
        let times = Double(question.times)
        return Measurement(work: work, ours: medians.ours / times, peer: medians.peer / times, aim: 1.3)
    }

    /// All in one transaction: what is measured are the calls of the repositories.
    private func ask(_ question: PostgresQuestion, in store: ServerProfiles) throws {
        try store.connection.read { chat in
            for _ in 0..<question.times {
                guard try question.ask(chat).count == question.rows else { throw Failed(what: "wrong answer") }
            }
        }
    }

    /// Throws if the SQL of the peer has other rows than the repository, or has them in another order.
    private func requireSameAnswer(_ question: PostgresQuestion, in store: ServerProfiles) throws {
        let printed = try store.psql(question.sql + ";\n")
        let found = printed.split(separator: "\n").map { line in String(line.prefix { $0 != "|" }) }
        guard try store.connection.read(question.ask) == found, found.count == question.rows else {
            throw Failed(what: "pgbench and chatdb answer differently: \(question.name)")
        }
    }

    // MARK: pgbench

    /// Runs a script, whose statements pgbench prepares once. Returns the seconds of all executions, without those of
    /// the start of pgbench and of its connection.
    private static func pgbench(_ script: String, times: Int, in store: ServerProfiles) throws -> Double {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "LC_ALL=C", "pgbench", "--no-vacuum", "--protocol=prepared", "--transactions=\(times)", "--file=\(script)",
            store.uriOfChat,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        // Its words about what it begins. The reason of a failure is in the server's log.
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let label = "latency average = "
        let line = text.split(separator: "\n").first { $0.hasPrefix(label) }
        guard process.terminationStatus == 0, let line,
            let milliseconds = Double(line.dropFirst(label.count).prefix { $0 != " " })
        else { throw Failed(what: "pgbench failed: \(text)") }
        return milliseconds / 1_000 * Double(times)
    }

    private static var hasPgbench: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/pgbench") }
    }
}
