import ArgumentParser
import ChatDBKit
import Foundation

/// Compares chatdb with the `sqlite3` shell, and for stores on a server with psql, which do the same work in the same
/// run.
@main
struct Benchmarks: ParsableCommand {
    @Option(help: "The chatdb to measure.")
    var tool: String

    @Option(help: "Write the table here as Markdown too.")
    var report: String?

    @Option(help: "How many messages the large store has.")
    var messages = 1_000_000

    @Option(help: "How often each work is done.")
    var runs = 5

    @Option(help: "How large the inspected store is, in MiB.")
    var inspected = 1_024

    @Option(help: "Measure this subject alone; may be given several times.")
    var only: [Subject] = []

    /// The subjects of measurements, in the order of the page.
    enum Subject: String, CaseIterable, ExpressibleByArgument {
        case process, new, nothing, folder, large, relays, progress, members, presets, small, inspect, encrypted,
            sealed, chats,
            events, requests, postgres, copy
    }

    func run() throws {
        let folder = NSTemporaryDirectory() + "/chatdb-benchmarks-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = Bench(tool: URL(fileURLWithPath: tool).path, folder: folder, runs: runs)
        var rows: [Measurement] = []
        for subject in Subject.allCases where only.isEmpty || only.contains(subject) {
            for row in try measure(subject, bench) {
                rows.append(row)
                say(row.line)
            }
        }
        guard let report else { return }
        try Data(Self.markdown(rows, messages: messages, runs: runs).utf8).write(to: URL(fileURLWithPath: report))
        say("written to \(report)")
    }

    private func measure(_ subject: Subject, _ bench: Bench) throws -> [Measurement] {
        switch subject {
        case .process: [try EmptyProcess(bench).measure()]
        case .new: [try NewStore(bench).measure()]
        case .nothing: [try NothingToDo(bench).measure()]
        case .folder: [try ManyMigrations(bench).measure()]
        case .large: try LargeStore(bench, messages: messages).measure()
        case .relays: try RelayUseBench(bench).measure()
        case .progress: [try ProgressBench(bench).measure()]
        case .members: try MembersBench(bench).measure()
        case .presets: try PresetBench(bench).measure()
        case .small: try SmallStore(bench).measure()
        case .inspect: try InspectBench(bench, megabytes: inspected).measure()
        case .encrypted: try EncryptedBench(bench, megabytes: inspected).measure()
        case .sealed: try EncryptedWritingBench(bench, messages: messages * 4).measure()
        case .requests: try RequestsBench(bench).measure()
        case .chats: try ChatBench(bench, messages: messages).measure()
        case .events: [try EventsBench(bench).measure()]
        case .postgres: try PostgresBench(bench).measure()
        case .copy: try CopyBench(bench, messages: messages).measure()
        }
    }

    private static func markdown(_ rows: [Measurement], messages: Int, runs: Int) -> String {
        let missed = rows.filter(\.isMissed).map(\.work)
        return """
            # Benchmarks

            This page compares chatdb with the `sqlite3` shell (\(SQLiteEngine.libraryVersion)), which does the same work \
            on a copy of the same data. chatdb and the shell run in turn, \(runs) times each. The ratio is the median time \
            of chatdb divided by the median time of the shell. Lower is better. `make bench` makes the data, measures, and \
            writes this page. The absolute times are of one machine (\(ProcessInfo.processInfo.activeProcessorCount) \
            cores), and mean nothing on other machines. The large store has \(messages) messages. The first row is the \
            time of a process that does nothing. Every whole process needs this time: the system loads the program, and \
            Swift's runtime starts.

            In the rows about PostgreSQL, the peer is psql. psql runs the best SQL for the same answer on the same server, \
            prepared once, and prints the rows to /dev/null. In the rows that compare with a profile alone, the peer is \
            the same question to a store that has only this profile. Without PostgreSQL on the machine, these rows are \
            missing.

            | work | chatdb | peer | ratio | aim |
            | --- | ---: | ---: | ---: | ---: |
            \(rows.map(\.markdown).joined(separator: "\n"))

            \(missed.isEmpty ? "Every aim is met." : "Missed: " + missed.joined(separator: "; ") + ".")

            """
    }
}

/// Prints a line.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
