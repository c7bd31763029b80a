import Foundation
import TestKit
import Testing

/// PostgreSQL's client library is loaded when the first store on a server is opened, and may be missing.
@Suite struct MissingLibPQTests {
    /// Runs the tool where the loader finds a file of libpq's name that it cannot load.
    private func run(_ command: String, in chatdb: ToolRun) throws -> ToolRun.Outcome {
        try chatdb.shell("mkdir -p lib; : > lib/libpq.so.5; LD_LIBRARY_PATH=lib $CHATDB \(command) --format json")
    }

    @Test(
        "without libpq, a command on a store on a server says what to install",
        arguments: ["user list", "check", "migrate run", "copy --dry-run --to"])
    func missing(_ command: String) throws {
        let chatdb = try ToolRun()
        try chatdb.succeed("migrate", "run")
        let place = "'postgres:///x?host=/nowhere&store=a'"
        let run = try run(command.hasSuffix("--to") ? "\(command) \(place)" : "\(command) -d \(place)", in: chatdb)
        let error = try run.refusal()
        #expect(run.code == 69 && run.output.isEmpty, "\(run)")
        #expect(error["code"] == "clientLibraryMissing")
        #expect(error["message"]?.stringValue?.contains("libpq 5, which cannot be loaded") == true, "\(error)")
        #expect(error["hint"]?.stringValue?.contains("apt-get install libpq5") == true, "\(error)")
    }

    @Test("without libpq, a store in files works")
    func files() throws {
        let chatdb = try ToolRun()
        try chatdb.succeed("migrate", "run")
        #expect(try run("user add alice", in: chatdb).code == 0)
        #expect(try run("user list", in: chatdb).answer()["users"]?.arrayValue?.count == 1)
    }
}
