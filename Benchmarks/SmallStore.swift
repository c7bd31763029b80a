import ChatDBKit
import Foundation

/// The commands that look at a whole store, on a store that was just made: what a process takes before it reads. The
/// shell reads the same: the schema and the rows of every table, for `inspect` the pages too, for `check` all that its
/// own checks read, and for `bundle`, which reports both, all of it.
struct SmallStore {
    let bench: Bench
    private static let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master;\n"
    private static let pages = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name;\n"
    private static let checks = "PRAGMA integrity_check;\nPRAGMA foreign_key_check;\n"

    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> [Measurement] {
        let store = bench.folder + "/small"
        try bench.chatdb("migrate", "run", "-d", store, "-q")
        try bench.chatdb("user", "add", "me", "-d", store, "-q")
        return [
            try compare("inspect", store, Self.schema + Self.pages, "--format", "json"),
            try compare("check", store, Self.schema + Self.checks, "--format", "json"),
            try compare("bundle", store, Self.schema + Self.pages + Self.checks, "--preview"),
        ]
    }

    /// Short processes, as in `NothingToDo`: many runs, and the time of the processor beside the ratio.
    private func compare(_ work: String, _ store: String, _ sql: String, _ options: String...) throws -> Measurement {
        let scripts = try DatabaseName.allCases.map { database in
            let counts = try InspectBench.counts(store, database)
            return (store + "_\(database).db", try bench.script("small-\(database).sql", sql + counts))
        }
        var processor: (ours: [Double], peer: [Double]) = ([], [])
        let medians = try bench.compare({}, atLeast: 31) {
            processor.ours.append(try bench.run(bench.tool, [work, "-d", store] + options).processor)
        } peer: {
            processor.peer.append(
                try scripts.reduce(0) { try $0 + bench.sqlite($1.0, script: $1.1).processor })
        }
        let ratio = Bench.median(processor.ours) / Bench.median(processor.peer)
        return Measurement(
            work: "\(work) of a small store (whole process)", ours: medians.ours, peer: medians.peer, aim: 3,
            note: "of processor time \(String(format: "%.2f", ratio))")
    }
}
