import Foundation
import TestKit
import Testing

/// A situation in which chatdb shows a hint, and what the hint says to do.
struct HintSituation: CustomTestStringConvertible, Sendable {
    /// A step that the hint proposes. The words in capitals are replaced by examples.
    enum Step: Sendable {
        /// A command of the hint, as written there after replacing, and its exit code.
        case run(String, [String: String] = [:], code: Int32 = 0)
        /// An act of the reader, as a line of bash.
        case act(String)
        /// The command of the situation again, with these options of the hint, and its exit code.
        case again(String = "", code: Int32 = 0)
    }

    let name: String
    /// The store before `prepare`.
    let make: @Sendable () throws -> ToolRun
    /// Lines of bash that bring the situation about.
    let prepare: String
    /// The command that shows the hint, without `chatdb`.
    let command: String
    /// The exit code of that command.
    let code: Int32
    /// The hint, or the part of it that matters. `FOLDER` is the folder of the test.
    let hint: String
    let steps: [Step]
    /// Input or surroundings of the command, as bash before it.
    let around: String

    init(
        _ name: String, make: @escaping @Sendable () throws -> ToolRun = { try DemoStore.make() },
        _ prepare: String = "", _ command: String, code: Int32 = 1, hint: String, around: String = "",
        _ steps: Step...
    ) {
        self.name = name
        self.make = make
        self.prepare = prepare
        self.command = command
        self.code = code
        self.hint = hint
        self.steps = steps
        self.around = around
    }

    var testDescription: String { name }
}

extension HintSituation {
    /// Brings the situation about, checks the hint, and takes its steps. Each run has a store of its own.
    func check() throws {
        let store = try make()
        let prepared = try store.shell("set -e\n" + prepare)
        #expect(prepared.code == 0, "\(name): prepare: \(prepared.output) \(prepared.errors)")
        let shown = try run(command, in: store)
        #expect(shown.code == code, "\(name): \(shown.code) \(shown.output) \(shown.errors)")
        let text = (shown.output + shown.errors).replacing(store.folder.path, with: "FOLDER")
            .replacing(store.folder.path.replacing("//", with: "/"), with: "FOLDER")
        let isRemedy = command.hasPrefix("check")
        #expect(
            text.contains((isRemedy ? "" : "hint: ") + hint) || isRemedy && text.contains(hint),
            "\(name): expected \(hint)\n\(text)")
        for step in steps { try take(step, in: store) }
    }

    private func take(_ step: Step, in store: ToolRun) throws {
        switch step {
        case .run(let command, let words, let code):
            #expect(hint.contains(command), "\(name): the hint does not have \(command)")
            var line = command.replacing("FOLDER/", with: store.folder.path + "/")
            for (word, value) in words { line = line.replacing(word, with: value) }
            let asks = [
                "restore", "check --fix", "delete", "cancel", "group leave", "group relay remove", "migrate down",
                "migrate baseline", "--no-link",
            ].contains { line.contains($0) }
            let done = try run(String(line.dropFirst("chatdb ".count)) + (asks ? " --yes" : ""), in: store)
            #expect(done.code == code, "\(name): \(line): \(done.code) \(done.output) \(done.errors)")
            // A command that works without --force should not have it.
            if line.contains("--force") {
                let again = try make()
                _ = try again.shell(prepare)
                let bare = line.replacing(" --force", with: "").replacing(store.folder.path, with: again.folder.path)
                #expect(try run(String(bare.dropFirst("chatdb ".count)), in: again).code != 0, "\(name): \(bare)")
            }
        case .act(let line):
            let done = try store.shell("set -e\n" + line)
            #expect(done.code == 0, "\(name): \(line): \(done.errors)")
        case .again(let options, let code):
            let done = try run(command + (options.isEmpty ? "" : " " + options), in: store)
            #expect(done.code == code, "\(name): \(command) \(options): \(done.code) \(done.output) \(done.errors)")
        }
    }

    private func run(_ line: String, in store: ToolRun) throws -> ToolRun.Outcome {
        try store.shell("\(around)\n$CHATDB \(line)")
    }
}

extension HintSituation {
    static let all =
        repositories + relayAddresses + stores + adoption + edits + drift + pairs + findings + channels + others

    /// The demo's store, and a copy of this build's migrations in the folder `migrations`.
    static func demoWithMigrations() throws -> ToolRun {
        let demo = try DemoStore.make()
        _ = try MigrationFixture.migrationsFolder(in: demo)
        return demo
    }

    static func simplexStore() throws -> ToolRun { try SimplexFolder().run }

    /// A store of SimpleX Chat without a finding.
    static func healthySimplexStore() throws -> ToolRun {
        let run = try ToolRun()
        _ = try SimplexStore(in: run.folder, isHealthy: true)
        return run
    }
}
