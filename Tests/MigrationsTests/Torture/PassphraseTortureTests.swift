import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `passphrase set`, `change` and `remove`, with a fault at every operation on a file. `make torture` tries every
/// operation, the suite a sample.
@Suite("Torture of changes of the passphrase", .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct PassphraseTortureTests {
    @Test("a kill at any operation leaves both old or both new files after the next command", arguments: Kind.allCases)
    func killed(_ kind: Kind) throws {
        try run(kind, [.kill, .tear], sample: .everyIfTortured(else: 4))
        // The last operations move the files to their places.
        let summary = try run(kind, [.kill], sample: tortured ? .every : .last(20))
        #expect(summary.count(of: "between, with the record") > 3, "\(summary)")
    }

    @Test("a disk error at any operation is reported, and nothing is lost")
    func errors() throws {
        for kind in Kind.allCases where tortured || kind == .set {
            let faults = [ENOSPC, EIO].flatMap { errno in
                [
                    Fault.fail(errno: errno, sticky: false), .fail(errno: errno, sticky: true),
                    .failHalfway(errno: errno),
                ]
            }
            if tortured { try run(kind, faults, sample: .every) }
            try run(kind, [.fail(errno: EIO, sticky: true)], sample: .last(18))
        }
    }

    @Test("a power cut loses no data and no reported result")
    func powerCuts() throws {
        for kind in Kind.allCases where tortured || kind == .change {
            try run(kind, [.powerCut(variants: tortured ? 12 : 3)], sample: tortured ? .every : .last(20))
        }
    }

    typealias Kind = PassphraseChange.Kind

    @discardableResult
    private func run(_ kind: Kind, _ faults: [Fault], sample: FaultSample) throws -> FaultSummary {
        let seed = try PassphraseSeed(kind)
        defer { seed.remove() }
        let campaign = FaultCampaign(
            command: try seed.command(), seedFolder: seed.folder, sample: sample,
            check: { try seed.verdict($0, $1) })
        let summary = try campaign.run(faults)
        if tortured { FileHandle.standardOutput.write(Data("\n== passphrase \(kind)\n\(summary)\n".utf8)) }
        #expect(summary.isClean, "\(summary)")
        return summary
    }

    private var tortured: Bool { FaultSample.isTortured }
}

/// A store whose passphrase a command changes, for runs with injected faults.
private struct PassphraseSeed: Sendable {
    private let kind: PassphraseChange.Kind
    private let store: TortureStore
    private let content: [Content]

    var folder: URL { store.folder }

    /// Keys in the place of passphrases: no time goes into deriving them.
    private static let keys = [
        "old": "x'\(String(repeating: "2f", count: 32))'", "new": "x'\(String(repeating: "3e", count: 32))'",
    ]

    /// The form of both databases: plain, or encrypted with one of the keys.
    private enum Form: String, CaseIterable {
        case plain, old, new

        var engine: SQLiteEngine {
            guard let key = PassphraseSeed.keys[rawValue] else { return SQLiteEngine() }
            return SQLiteEngine().reading(with: Passphrase(key.utf8))
        }
    }

    private var forms: (before: Form, after: Form) {
        switch kind {
        case .set: (.plain, .new)
        case .change: (.old, .new)
        case .remove: (.old, .plain)
        }
    }

    /// What a database has.
    private struct Content: Hashable {
        let version: String
        let tables: [String: ContentHash]
    }

    init(_ kind: PassphraseChange.Kind) throws {
        self.kind = kind
        store = try TortureStore(journal: .delete, items: 40)
        for (name, key) in Self.keys {
            let file = store.folder.appendingPathComponent(name)
            try Data(key.utf8).write(to: file)
            chmod(file.path, 0o600)
        }
        let location = try StoreLocation(prefix: store.folder.path + "/x")
        content = try Self.content(location, Form.plain.engine)
        if kind != .set {
            for path in DatabaseName.allCases.map(location.path(of:)) {
                try SQLiteEngine().rewrite(path, to: path + ".new", for: Form.old.engine, cancellation: Cancellation())
                guard rename(path + ".new", path) == 0 else { throw Damage(what: "\(path) cannot be replaced") }
            }
        }
    }

    func remove() { store.remove() }

    func command() throws -> FaultCommand {
        let kind = kind
        return FaultCommand(try BuiltTool.find()) { folder in
            let old = kind == .set ? [] : ["--passphrase-file", folder.path + "/old"]
            let new = kind == .remove ? [] : ["--new-passphrase-file", folder.path + "/new"]
            return ["passphrase", kind.rawValue, "--yes", "--format", "json", "--store", folder.path + "/x"] + old + new
        }
    }

    private static func content(_ location: StoreLocation, _ engine: SQLiteEngine) throws -> [Content] {
        try DatabaseName.allCases.map { database in
            let connection = try engine.open(location.path(of: database), as: .untrusted)
            defer { try? connection.close() }
            if let problem = try connection.integrityProblems().first { throw Damage(what: "\(database): \(problem)") }
            if try connection.damagedPages().count > 0 { throw Damage(what: "\(database): damaged pages") }
            let structure = try connection.structure()
            var tables: [String: ContentHash] = [:]
            for (name, table) in structure.tables where table.virtualDefinition == nil {
                tables[name] = try connection.contentHash(of: name, columns: table.columns.map(\.name))
            }
            let version = try connection.read {
                try $0.first("SELECT max(name) AS name FROM migrations")?.get("name") as String?
            }
            return Content(version: version ?? "none", tables: tables)
        }
    }

    /// The form of a store with the whole content in both databases; nil if it has none.
    private func form(_ location: StoreLocation) throws -> Form? {
        let plain = SQLiteEngine()
        let areEncrypted = Set(DatabaseName.allCases.map { plain.looksEncrypted(location.path(of: $0)) })
        for form in Form.allCases where areEncrypted == [form != .plain] {
            if let found = try? Self.content(location, form.engine), found == content { return form }
        }
        return nil
    }

    /// Expects both old or both new files, or a record; then both new ones after the next command, and the old ones
    /// beside the store.
    func verdict(_ folder: URL, _ fault: FaultCase) throws -> FaultVerdict {
        let location = try StoreLocation(prefix: folder.path + "/x")
        var state = "between, with the record"
        if FileState(at: location.restoringPath + "/restore.json") == .missing {
            let found = try form(location)
            guard found == forms.before || found == forms.after else {
                return .damaged("the store is neither old nor new")
            }
            state = found == forms.before ? "old" : "new"
        }
        if fault.finished || fault.output.contains("\"applied\": true"), state != "new" {
            return .lost("the command said that it was done")
        }
        if state != "new" {
            let scratch = folder.deletingLastPathComponent().appendingPathComponent("next")
            let next = try FaultRun(try command(), in: folder, scratch: scratch, plan: .count).run()
            guard next.termination == .exit(0) else { throw Damage(what: "the next command failed: \(next.errors)") }
            guard try form(location) == forms.after else { throw Damage(what: "the next command ended elsewhere") }
        }
        let rest = (try? FileManager.default.contentsOfDirectory(atPath: location.restoringPath)) ?? []
        guard !rest.contains("restore.json") else { throw Damage(what: "the record is still there") }
        guard try hasOld(folder) else { return .damaged("the old files are not there any more") }
        return .whole(state)
    }

    private func hasOld(_ folder: URL) throws -> Bool {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try names.filter { $0.hasPrefix("x.replaced-") }.contains { name in
            try form(StoreLocation(prefix: folder.path + "/" + name + "/x")) == forms.before
        }
    }
}
