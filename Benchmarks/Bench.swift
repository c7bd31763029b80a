import Foundation

/// A row of the table of results.
struct Measurement {
    let work: String
    let ours: Double
    let peer: Double?
    let aim: Double?
    /// A second figure, and its limit.
    var note: String?
    /// Whether the second figure is above its limit.
    var breaksLimit = false

    var isMissed: Bool { breaksLimit || (ratio ?? 0) > (aim ?? .infinity) }

    var ratio: Double? { peer.map { ours / $0 } }

    var line: String {
        "\(work): \(Self.time(ours))"
            + (peer.map { " against \(Self.time($0)), ratio \(Self.number(ours / $0))" } ?? "")
            + (note.map { "; \($0)" } ?? "")
    }

    var markdown: String {
        "| \(work)\(note.map { " (\($0))" } ?? "") | \(Self.time(ours)) | \(peer.map(Self.time) ?? "–") | \(ratio.map(Self.number) ?? "–") | \(aim.map(Self.number) ?? "–") |"
    }

    private static func time(_ seconds: Double) -> String {
        seconds < 0.001
            ? "\(number(seconds * 1e6)) µs" : seconds < 1 ? "\(number(seconds * 1e3)) ms" : "\(number(seconds)) s"
    }

    private static func number(_ value: Double) -> String { String(format: "%.2f", value) }
}

/// Runs programs and measures them.
struct Bench {
    let tool: String
    let folder: String
    let runs: Int

    /// The median times of chatdb and of its peer, which run in turn. `prepare` runs before each, and is not measured.
    func compare(
        _ prepare: () throws -> Void, atLeast least: Int = 0, ours: () throws -> Void, peer: () throws -> Void
    ) throws -> (ours: Double, peer: Double) {
        var times: (ours: [Double], peer: [Double]) = ([], [])
        for _ in 0..<max(runs, least) {
            try prepare()
            times.ours.append(try seconds(ours))
            try prepare()
            times.peer.append(try seconds(peer))
        }
        return (Self.median(times.ours), Self.median(times.peer))
    }

    func seconds(_ body: () throws -> Void) rethrows -> Double {
        let began = ContinuousClock.now
        try body()
        let duration = ContinuousClock.now - began
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Runs a program to its end, and returns the memory and the processor time that it used. Throws if it fails.
    ///
    /// Foundation's `Process` takes longer to notice the end of a program than some of these programs run.
    @discardableResult
    func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> Usage {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        var status: CInt = 0
        var usage = rusage()
        guard posix_spawn(&child, program, &actions, nil, &words, environ) == 0,
            wait4(child, &status, 0, &usage) == child, status == 0
        else { throw Failed(what: "\(program) \(arguments.joined(separator: " ")): \(status)") }
        #if os(Linux)
            let memory = usage.ru_maxrss * 1024
        #else
            let memory = usage.ru_maxrss
        #endif
        let processor = [usage.ru_utime, usage.ru_stime].reduce(0.0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
        return Usage(memory: memory, processor: processor)
    }

    /// The largest memory of a program, in bytes, and its processor time, in seconds.
    struct Usage {
        let memory: Int
        let processor: Double
    }

    @discardableResult
    func chatdb(_ arguments: String...) throws -> Usage { try run(tool, arguments) }

    /// Runs the `sqlite3` shell on a database, with SQL from a file.
    @discardableResult
    func sqlite(_ database: String, script: String) throws -> Usage {
        try run("/usr/bin/sqlite3", ["-bail", database], input: script)
    }

    /// Writes SQL for the shell into a file, and returns its path.
    func script(_ name: String, _ sql: String) throws -> String {
        let path = folder + "/" + name
        try Data(sql.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    func remove(_ pattern: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(pattern) {
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    func copy(_ name: String, to other: String) throws {
        try? FileManager.default.removeItem(atPath: folder + "/" + other)
        try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: folder + "/" + other)
    }
}

/// The error of a program that failed.
struct Failed: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
}
