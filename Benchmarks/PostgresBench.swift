import ChatDBKit
import Foundation
import TestKit

/// Questions to stores on a PostgreSQL server, in process, against psql, which prepares the best SQL for the same answer
/// once and runs it as often. Then the same questions to a store with two profiles against one with the first of them
/// alone.
struct PostgresBench {
    let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> [Measurement] {
        guard PostgresServer.isSupported else {
            say("PostgreSQL is not installed: the rows of stores on a server are left out")
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
        for _ in 0..<Self.executionsForOnePlan { _ = try store.connection.read(question.ask) }
        var times: (ours: [Double], peer: [Double]) = ([], [])
        for _ in 0..<bench.runs {
            times.ours.append(try bench.seconds { try ask(question, in: store) })
            times.peer.append(try psql(question, in: store))
        }
        return row(
            "\(question.name), on PostgreSQL, against prepared SQL in psql", question,
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
            throw Failed(what: "psql and chatdb answer differently: \(question.name)")
        }
    }

    // MARK: psql

    /// The seconds in which psql executes a statement so often. It prepares it once and prints the rows to /dev/null, so
    /// that it reads every value, as the repositories do. The server's clock leaves out the start of psql.
    private func psql(_ question: PostgresQuestion, in store: ServerProfiles) throws -> Double {
        let clock = "SELECT extract(epoch FROM clock_timestamp());\n"
        let executions = { (count: Int) in
            "\\o /dev/null\n" + String(repeating: "EXECUTE question;\n", count: count) + "\\o\n"
        }
        let printed = try store.psql(
            "PREPARE question AS \(question.sql);\n" + executions(Self.executionsForOnePlan) + clock
                + executions(question.times) + clock)
        let times = printed.split(separator: "\n").compactMap { Double($0) }
        guard times.count == 2 else { throw Failed(what: "psql failed: \(printed)") }
        return times[1] - times[0]
    }

    /// PostgreSQL decides at the sixth execution whether it goes on with one plan for all values. A program that runs
    /// for long is past that.
    private static let executionsForOnePlan = 6
}
