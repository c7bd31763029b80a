import ChatDBKit
import Testing

/// Sentences with a number have the noun in the singular for one.
@Suite struct PluralTests {
    @Test(
        "errors of migrations about one migration",
        arguments: [
            (MigrationError.tooManySteps(1, applied: 0), "1 migration cannot be undone: none is applied"),
            (.tooManySteps(2, applied: 1), "2 migrations cannot be undone: only 1 is applied"),
            (.tooManySteps(9, applied: 3), "9 migrations cannot be undone: only 3 are applied"),
            (
                .tooManySteps(9, applied: 3, adopted: 1),
                "9 migrations cannot be undone: only 3 are applied, apart from 1 that was adopted"
            ),
        ])
    func migrations(_ error: MigrationError, _ message: String) {
        #expect(error.info.message == message)
    }

    @Test(
        "errors of the agent database about one connection",
        arguments: [(1, "it has 1 connection; remove it first"), (2, "it has 2 connections; remove them first")])
    func connections(_ count: Int, _ end: String) {
        let message = AgentUsersError.connectionsLeft(AgentUserID(1), count: count).info.message
        #expect(message.hasSuffix(end), "\(message)")
    }

    @Test(
        "errors of archives about one byte",
        arguments: [(1, "1 byte is missing before"), (2, "2 bytes are missing before")])
    func bytes(_ count: Int64, _ part: String) {
        let message = ArchiveError("/x", .bytesMissing(count)).info.message
        #expect(message.contains(part), "\(message)")
    }
}
