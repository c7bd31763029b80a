import ChatDBKit
import Foundation

/// The commands that read a whole store, on a new store. The shell reads the schema, and counts the rows of all tables.
/// For `inspect` it reads the pages too. For `check` it runs its own two checks, reads the columns, keys and indexes of
/// all tables, and compares the search index with its texts in a copy, as `check` does. For `bundle` it does all of this.
struct SmallStore {
    let bench: Bench
    static let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master;\n"
    private static let pages = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name;\n"
    private static let checks = """
        PRAGMA integrity_check;
        PRAGMA foreign_key_check;
        SELECT m.name, c.* FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c WHERE m.type = 'table';
        SELECT m.name, k.* FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS k WHERE m.type = 'table';
        SELECT m.name, i.name, c.* FROM sqlite_master AS m, pragma_index_list(m.name) AS i, pragma_index_xinfo(i.name) AS c
        WHERE m.type = 'table';

        """

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

    /// FTS5 compares an index with its texts as an INSERT, which only a copy may take.
    private func searchIndexCheck() -> String {
        """
        .backup \(bench.folder)/copy.db
        .open \(bench.folder)/copy.db
        INSERT INTO chat_items_fts (chat_items_fts, rank) VALUES ('integrity-check', 1);

        """
    }

    /// Many runs, and the processor time beside the ratio, as in `NothingToDo`.
    private func compare(_ work: String, _ store: String, _ sql: String, _ options: String...) throws -> Measurement {
        let scripts = try DatabaseName.allCases.map { database in
            var sql = try sql + InspectBench.counts(store, database)
            if database == .chat, work != "inspect" { sql += searchIndexCheck() }
            return (store + "_\(database).db", try bench.script("small-\(database).sql", sql))
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
