import ChatDBKit
import Foundation
import TestKit
import Testing

/// Stores of SimpleX Chat on a PostgreSQL server. Rule: docs/simplex.md, "On PostgreSQL".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct SimplexServerTests {
    private let store: SimplexServerStore
    private let run: ToolRun

    init() throws {
        store = try SimplexServerStore()
        run = try ToolRun()
    }

    private func chatdb(_ arguments: String...) throws -> ToolRun.Outcome {
        try run(arguments, environment: ["CHATDB_STORE": store.address])
    }

    @Test("it is known by its migrations, with the version and every migration")
    func recognised() throws {
        let outcome = try chatdb("inspect")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("SimpleX Chat"), "\(outcome.output)")
        #expect(outcome.output.contains("2026-09-24"), "\(outcome.output)")
        let status = try JSONValue(parsing: try chatdb("migrate", "status", "--format", "json").output)
        #expect(status["chat"]?["version"]?.stringValue == "20260924_simplex_names")
        #expect(status["agent"]?["applied"]?.arrayValue?.first?["name"]?.stringValue == "20241210_initial")
    }

    @Test("what is read of it is what is read of its files")
    func sameAnswers() throws {
        let files = try SimplexStore()
        for command in [
            ["user", "list"], ["user", "list", "--hidden"], ["operator", "list"], ["relay", "list", "--user", "alice"],
            ["relay", "usage", "--user", "alice"], ["server", "list", "--user", "alice"],
            ["group", "list", "--user", "alice"], ["preset", "export", "--user", "alice"], ["conditions", "list"],
            ["chat", "list", "--user", "alice"], ["group", "relays", "id:2", "--user", "alice"],
            ["group", "members", "id:2", "--user", "alice"], ["notification", "list"], ["settings", "show"],
        ] {
            let arguments = command + ["--format", "json"]
            let found = try run(arguments, environment: ["CHATDB_STORE": store.address])
            let expected = try run(arguments, environment: ["CHATDB_STORE": files.location.prefix])
            #expect(found.code == expected.code, "\(command): \(found.errors)")
            #expect(found.output == expected.output, "\(command)")
        }
    }

    @Test("nothing changes it: a migration, a new profile and the deletion of a relay are refused")
    func readOnly() throws {
        let before = try content()
        for command in [["migrate", "run"], ["user", "add", "carol"], ["relay", "disable", "1", "--user", "alice"]] {
            let outcome = try run(command, environment: ["CHATDB_STORE": store.address])
            #expect(outcome.code != 0, "\(command)")
            #expect(outcome.errors.contains("SimpleX Chat"), "\(command): \(outcome.errors)")
        }
        let deletion = try chatdb("relay", "delete", "1", "--user", "alice", "--yes")
        #expect(deletion.errors.contains("on a server, in which chatdb changes nothing"), "\(deletion.errors)")
        #expect(try content() == before)
    }

    private func content() throws -> String {
        try store.sql(
            """
            SELECT nspname, relname, (xpath('/row/c/text()', query_to_xml(
                format('SELECT count(*) AS c FROM %I.%I', nspname, relname), FALSE, TRUE, '')))[1]
            FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE relkind = 'r' AND nspname !~ '^(pg_|information)' ORDER BY 1, 2
            """)
    }

    @Test("check finds in it what it finds in the files")
    func checks() throws {
        let files = try SimplexStore()
        func findings(_ store: String) throws -> [String] {
            let outcome = try run(["check", "--format", "json"], environment: ["CHATDB_STORE": store])
            #expect(outcome.code == 2 || outcome.code == 1, "\(outcome.code) \(outcome.errors)")
            let all = try JSONValue(parsing: outcome.output)["findings"]?.arrayValue ?? []
            // chatdb changes no store on a server, so it does not look for what prevents a change.
            return all.filter { $0["id"] != "unreadableInApp" }.map { finding in
                let (id, count) = (finding["id"]?.stringValue ?? "", finding["count"]?.integerValue ?? 0)
                return "\(id) \(count) \(finding["sample"]?.text(.compact) ?? "")"
            }
        }
        let found = try findings(store.address)
        #expect(!found.isEmpty)
        #expect(try found == findings(files.location.prefix))
    }
}
