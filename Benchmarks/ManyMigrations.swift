import ChatDBKit
import Foundation

/// A new store from a folder with very many migrations: the time and memory of the process, and the time for half as
/// many.
struct ManyMigrations {
    private static let count = 10_000
    private static let secondsAllowed = 5.0
    private static let memoryAllowed = 256 << 20

    let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> Measurement {
        let whole = try folder("many", migrations: Self.count)
        let half = try folder("half", migrations: Self.count / 2)
        var memory = 0
        let times = try bench.compare({ bench.remove("chain") }) {
            memory = max(memory, try run(whole).memory)
        } peer: {
            try run(half)
        }
        return Measurement(
            work: "\(Self.count) migrations from a folder, against half as many", ours: times.ours, peer: times.peer,
            aim: 2.3, note: "\(memory >> 20) MiB; at most 5 s and 256 MiB",
            breaksLimit: times.ours > Self.secondsAllowed || memory > Self.memoryAllowed)
    }

    @discardableResult
    private func run(_ folder: String) throws -> Bench.Usage {
        try bench.chatdb("migrate", "run", "--migrations-dir", folder, "-d", bench.folder + "/chain", "-q")
    }

    /// Writes the migrations, nine of ten for the chat database: tables, indexes, and mostly rows.
    private func folder(_ name: String, migrations count: Int) throws -> String {
        let path = "\(bench.folder)/\(name)"
        for database in DatabaseName.allCases {
            try FileManager.default.createDirectory(atPath: "\(path)/\(database)", withIntermediateDirectories: true)
        }
        var places: [DatabaseName: Int] = [:]
        for number in 0..<count {
            let database = number.isMultiple(of: 10) ? DatabaseName.agent : .chat
            let place = places[database, default: 0]
            places[database] = place + 1
            let (up, down) = Self.sql(place)
            let file = "\(path)/\(database)/20300101_m\(100_000 + number)"
            try Data("-- Why: number \(number) of a long history.\n\(up)\n".utf8).write(
                to: URL(fileURLWithPath: file + ".up.sql"))
            try Data("\(down)\n".utf8).write(to: URL(fileURLWithPath: file + ".down.sql"))
        }
        return path
    }

    private static func sql(_ place: Int) -> (up: String, down: String) {
        let table = "t\(place / 40)"
        switch place % 40 {
        case 0:
            return (
                "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, name TEXT NOT NULL, ts TEXT NOT NULL) STRICT;",
                "DROP TABLE \(table);"
            )
        case 1: return ("CREATE INDEX \(table)_name ON \(table) (name);", "DROP INDEX \(table)_name;")
        default:
            return (
                "INSERT INTO \(table) (id, name, ts) VALUES (\(place), 'row \(place)', '2030-01-01 00:00:00.000');",
                "DELETE FROM \(table) WHERE id = \(place);"
            )
        }
    }
}
