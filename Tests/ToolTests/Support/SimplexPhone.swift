import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// A store of SimpleX Chat that the app has started with, and the tool beside it.
struct SimplexPhone {
    let run: ToolRun
    let store: SimplexStore

    /// - Parameter hasPresets: whether the newest app has added its presets. Without them only a few entries are there.
    init(_ version: SimplexStore.Version = SimplexStore.newest, hasPresets: Bool = true) throws {
        run = try ToolRun()
        store =
            hasPresets
            ? try SimplexStore.started(version, in: run.folder) : try SimplexStore.startable(version, in: run.folder)
    }

    static let key = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    /// A server and a relay that no operator has, and a file server.
    static let server = "smp://\(key)=@new.example.org:5224"
    static let files = "xftp://\(key)=@files.example.org"
    static let relay = "https://relays.example.net/r#yxNOMJcry5jMTRPEBVtGBATYaKeoRIsZRBPIDLx7x6M"

    func callAsFunction(_ arguments: [String]) throws -> ToolRun.Outcome {
        try run(arguments + ["-d", store.location.prefix])
    }

    /// The answer of a command that must succeed.
    @discardableResult
    func answer(_ arguments: String...) throws -> JSONValue {
        let outcome = try self(arguments + ["--format", "json"])
        guard outcome.code == 0 else {
            throw ToolRun.Failure(description: "\(arguments): \(outcome.code)\n\(outcome.errors)")
        }
        return try outcome.answer()
    }

    /// The code of the error of a command, which must change no byte and create no file.
    func refusal(_ arguments: [String]) throws -> (code: String?, text: String) {
        let before = try run.folder.fingerprint()
        let outcome = try self(arguments + ["--format", "json"])
        guard try run.folder.fingerprint() == before else { throw SimplexFolder.Changed(arguments: arguments) }
        if outcome.code == 0 { return (nil, outcome.output) }
        let error = try outcome.refusal()
        return (error["code"]?.stringValue, outcome.errors)
    }

    /// The store as chatdb writes it.
    func configuration(allowsFallback: Bool = false) throws -> SimplexConfiguration {
        SimplexConfiguration(
            context: StoreContext(
                engine: SQLiteEngine(), location: store.location, build: try MigrationSource.build.load()),
            engine: SQLiteEngine(), writing: SimplexWriting(allowsFallback: allowsFallback))
    }

    /// Makes a change with SQL on chatdb's copy of the configuration, and lets chatdb check and write it. Returns the
    /// code of the refusal, which must change no byte; nil if chatdb wrote the change.
    func refusal(ofSQL sql: String, allowsFallback: Bool = false) throws -> String? {
        let before = try bytes(.chat)
        do {
            _ = try configuration(allowsFallback: allowsFallback).write(
                { store in try store.write { copy in _ = try copy.run(.unchecked(sql: sql)) } }, backingUp: {},
                willCommit: {})
            return nil
        } catch let error as ConfigurationError {
            guard try bytes(.chat) == before else { throw SimplexFolder.Changed(arguments: [sql]) }
            return error.info.code
        }
    }

    /// All statements that would make a database, a line each.
    func dump(_ database: DatabaseName = .chat) throws -> Set<String> { Set(try lines(database)) }

    /// The same, sorted; equal rows of a table stay several lines.
    func lines(_ database: DatabaseName = .chat) throws -> [String] {
        try run.sql(".dump", in: "simplex_v1_\(database.rawValue).db").split(separator: "\n").map(String.init).sorted()
    }

    /// The rows of each table of a dump, sorted; the definitions are under an empty name.
    static func tables(of dump: String) -> [String: [String]] {
        Dictionary(grouping: dump.split(separator: "\n").map(String.init)) { line in
            line.wholeMatch(of: #/INSERT INTO "?(\w+)"?[ (].*/#).map { String($0.1) } ?? ""
        }.mapValues { $0.sorted() }
    }

    /// Runs a command while an app has the chat database open. When the command waits for the app, the app writes, and
    /// is killed in the middle of that, so that its journal stays.
    func killingApp(during arguments: [String]) throws -> ToolRun.Outcome {
        let shell = try HeldShell(run, "simplex_v1_chat.db")
        try shell.run("PRAGMA cache_size = 1; SELECT count(*) FROM migrations;")
        let process = try run.process(arguments + ["-d", store.location.prefix, "--verbose"])
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var said = ""
        while !said.contains(": waiting\n") {
            let part = errors.fileHandleForReading.availableData
            if part.isEmpty { throw ToolRun.Failure(description: "chatdb did not wait: \(said)") }
            said += String(decoding: part, as: UTF8.self)
        }
        try shell.run("BEGIN IMMEDIATE; UPDATE migrations SET down = hex(randomblob(3000));")
        shell.crash()
        said += String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // The error in JSON follows the lines of --verbose.
        return ToolRun.Outcome(
            code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(said[(said.firstIndex(of: "{") ?? said.endIndex)...]))
    }

    func bytes(_ database: DatabaseName) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: store.location.path(of: database)))
    }

    /// The tables whose lines differ between two dumps.
    static func tables(_ before: Set<String>, _ after: Set<String>) -> Set<String> {
        Set(
            before.symmetricDifference(after).map { line in
                String(line.split(separator: " ", maxSplits: 3).dropFirst(2).first?.prefix { $0 != "(" } ?? "?")
                    .replacing("\"", with: "")
            })
    }

    /// The modes and owners of both databases and of their folder.
    func access() throws -> String {
        try run.shell("stat -c '%a %u %g' simplex_v1_chat.db simplex_v1_agent.db .").output
    }

    /// The files beside the databases.
    func others() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: run.folder.path).sorted()
            .filter { !["simplex_v1_agent.db", "simplex_v1_chat.db"].contains($0) }
    }

    /// What the next start of every version of the app does with a change: the versions that do not start, and the
    /// addresses that one of them drops now and did not drop before.
    func harm(since before: [AppLaunch.Outcome]) throws -> [String] {
        let launches = try store.launches()
        return zip(launches, before).flatMap { launch, before -> [String] in
            switch launch.result {
            case .failure(let error): return ["\(launch.app) does not start: \(error)"]
            case .success(let outcome):
                return outcome.dropped.subtracting(before.dropped).map { "\(launch.app) drops \($0)" }
                    + outcome.duplicates.subtracting(before.duplicates).map { "\(launch.app) saves nothing: \($0)" }
                    + outcome.fallbacks.subtracting(before.fallbacks).map { "\(launch.app) falls back for \($0)" }
            }
        }
    }

    /// What the newest app with windows does now.
    func newest() throws -> AppLaunch.Outcome {
        let name = try AppLaunch.newest.description
        guard let launch = try store.launches().first(where: { $0.app.description == name }) else {
            throw ToolRun.Failure(description: name)
        }
        return try launch.result.get()
    }

    /// Compares, for every version, the servers that the app uses after its next start with those that chatdb expects.
    func expectSameUse(_ place: String = "", location: SourceLocation = #_sourceLocation) throws {
        struct Undone: Error {}
        let known = try AppPresets.known.get()
        let launches = try store.launches()
        #expect(launches.count == known.versions.count, sourceLocation: location)
        for (preset, launch) in zip(known.versions, launches) {
            let outcome = try launch.result.get()
            do {
                try store.write { chat in
                    let uses = try AppStart(preset).run(in: chat, knowing: known).uses
                    for use in uses {
                        let key = "\(use.user) \(use.serverProtocol) \(use.role)"
                        #expect(
                            outcome.used[key] == Set(use.hosts), "\(place): \(launch.app), \(key)",
                            sourceLocation: location)
                        #expect(
                            outcome.fallbacks.contains(key) == (use.source != .enabled),
                            "\(place): \(launch.app), \(key)", sourceLocation: location)
                    }
                    #expect(Set(uses.map(\.user)).count * 4 == uses.count, sourceLocation: location)
                    throw Undone()
                }
            } catch is Undone {}
        }
    }

    /// What every version does now; each of them must start.
    func launches() throws -> [AppLaunch.Outcome] { try store.launches().map { try $0.result.get() } }
}
