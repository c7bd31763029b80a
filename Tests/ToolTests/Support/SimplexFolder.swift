import ChatDBKit
import TestKit

/// A store of SimpleX Chat, and the tool beside it.
struct SimplexFolder {
    let run: ToolRun
    let store: SimplexStore

    init(_ version: SimplexStore.Version = SimplexStore.newest) throws {
        run = try ToolRun()
        store = try SimplexStore(version, in: run.folder)
    }

    /// Runs chatdb with the store, and checks that not a byte of the folder changed.
    func callAsFunction(_ arguments: [String]) throws -> ToolRun.Outcome {
        let before = try run.folder.fingerprint()
        let outcome = try run(arguments + ["-d", store.location.prefix])
        guard try run.folder.fingerprint() == before else { throw Changed(arguments: arguments) }
        return outcome
    }

    /// The answer of a command that must succeed.
    func answer(_ arguments: String...) throws -> JSONValue {
        let outcome = try self(arguments + ["--format", "json"])
        guard outcome.code == 0 else {
            throw ToolRun.Failure(description: "\(arguments): \(outcome.code)\n\(outcome.errors)")
        }
        return try outcome.answer()
    }

    struct Changed: Error { let arguments: [String] }
}
