import Foundation
import TestKit
import Testing

@Suite("The example app") struct ExampleTests {
    @Test("runs through the life of a store, and finds its data when it starts again")
    func twice() throws {
        let folder = try TemporaryFolder()
        for snapshot in ["example-first.txt", "example-again.txt"] {
            let outcome = try run(in: folder.path)
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            try Snapshot.check(outcome.output, snapshot)
        }
    }

    @Test("without a folder it prints its usage, and where it cannot create a store, the reason")
    func refused() throws {
        #expect(try run().output == "Usage: example FOLDER\n")
        let nowhere = try run(in: try TemporaryFolder().file("nowhere"))
        #expect(nowhere.code == 1 && nowhere.output.hasPrefix("The store cannot be opened: "))
    }

    private func run(in folders: String...) throws -> ToolRun.Outcome {
        let process = Process()
        process.executableURL = try BuiltTool.find("example")
        process.arguments = folders
        return try process.outcome()
    }
}
