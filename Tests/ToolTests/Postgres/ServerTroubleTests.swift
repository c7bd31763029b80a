import ChatDBKit
import Foundation
import TestKit
import Testing

/// What commands say when a server refuses, waits or has no room. Rule: docs/errors.md, "Servers".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct ServerTroubleTests {
    /// The code of an error in JSON.
    private func code(_ outcome: ToolRun.Outcome) throws -> String {
        try JSONValue(parsing: outcome.errors)["error"]?["code"]?.stringValue ?? outcome.errors
    }

    @Test("a replica is read, and what writes is refused there")
    func replica() throws {
        let chatdb = try ServerRun(PostgresServer.own())
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        let replica = try chatdb.server.replica(of: chatdb.database) + "&store=main"
        try chatdb.succeed("user", "add", "work", "--seed", "2")
        for command in [
            ["user", "list"], ["relay", "list", "--user", "work"], ["group", "list", "--user", "alice"], ["inspect"],
            ["check"], ["migrate", "status"], ["migrate", "plan"], ["preset", "export", "--user", "alice"],
        ] {
            let arguments = command + ["--format", "json"]
            let (found, expected) = try (chatdb(arguments + ["-d", replica]), chatdb(arguments))
            #expect(found.code == expected.code, "\(command): \(found.errors)")
            let output = found.output.replacing("\(replica)", with: chatdb.store)
            #expect(output == expected.output, "\(command)")
        }
        for command in [
            ["user", "add", "carol"], ["relay", "disable", "1", "--user", "alice"], ["check", "--fix", "--yes"],
        ] {
            let outcome = try chatdb(command + ["-d", replica, "--format", "json"])
            // A store in order needs no repair.
            if command[0] == "check" { continue }
            #expect(try code(outcome) == "readOnly", "\(command): \(outcome.errors)")
            #expect(outcome.code == 74)
        }
        let current = try chatdb("migrate", "run", "-d", replica)
        #expect(current.code == 0 || current.errors.contains("only reading"), "\(current.errors)")
    }

    @Test("a wrong password is one error, and none of its words are shown")
    func password() throws {
        let chatdb = try ServerRun(PostgresServer.own())
        try chatdb.sql("CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'right-secret'")
        let store = chatdb.store.replacing("user=postgres", with: "user=guarded")
        func list(_ password: String?) throws -> ToolRun.Outcome {
            var environment = ["CHATDB_STORE": store]
            environment["PGPASSWORD"] = password
            return try chatdb.run(["migrate", "run", "--format", "json"], environment: environment)
        }
        for password in ["wrong-secret", nil] {
            let outcome = try list(password)
            #expect(outcome.code == 77 || password == nil, "\(outcome.errors)")
            #expect(outcome.code != 0)
            #expect(!outcome.errors.contains("secret"))
        }
        #expect(try list("right-secret").code == 0)
    }

    @Test(
        "a full disk of the server changes nothing, and the same command works when there is room",
        .enabled(if: PostgresServer.hasSmallDisks, "needs a disk that can be mounted"))
    func fullDisk() throws {
        let server = try PostgresServer.own()
        try server.addSmallDisk()
        let chatdb = try ServerRun(server, tablespace: "small")
        try chatdb.succeed("migrate", "run")
        // Rows that take all room that is left.
        try chatdb.sql(
            """
            CREATE TABLE public.filler (content TEXT);
            ALTER TABLE public.filler ALTER content SET STORAGE PLAIN;
            CREATE PROCEDURE public.fill() LANGUAGE plpgsql AS $$ BEGIN
                LOOP
                    BEGIN
                        INSERT INTO public.filler SELECT repeat('x', 4000) FROM generate_series(1, 2);
                        COMMIT;
                    END;
                END LOOP;
            END $$;
            """)
        #expect(throws: (any Error).self) { try chatdb.sql("CALL public.fill()") }
        let outcome = try chatdb("user", "add", "alice", "--format", "json")
        #expect(outcome.code == 74, "\(outcome.output) \(outcome.errors)")
        #expect(try code(outcome) == "diskFull")
        let other = chatdb.store.replacing("store=main", with: "store=other")
        let migration = try chatdb("migrate", "run", "-d", other, "--format", "json")
        #expect(migration.code == 74, "\(migration.output) \(migration.errors)")
        #expect(try chatdb.sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'other%'") == "0")
        try chatdb.sql("DROP TABLE public.filler; CHECKPOINT")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        #expect(try chatdb("migrate", "run", "-d", other).code == 0)
        #expect(try chatdb.succeed("check").output.contains("The store is in order."))
    }

    @Test("a time limit of the role stops a command, and a lock of another program is waited for as long as it says")
    func timeLimits() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        let limited = chatdb.store + "&options=-c%20statement_timeout%3D1"
        let stopped = try chatdb("check", "-d", limited, "--format", "json")
        #expect(stopped.code != 0, "\(stopped.output)")
        #expect(!stopped.errors.contains("alice"))
        let holder = try LockHolder(chatdb)
        let waiting = chatdb.store + "&options=-c%20lock_timeout%3D50"
        let read = try chatdb("user", "list", "-d", waiting, "--format", "json")
        #expect(read.code == 75, "\(read.errors)")
        try holder.end()
        #expect(try chatdb("user", "list", "-d", waiting).code == 0)
    }

    @Test("a server older than 13 is refused")
    func oldServer() throws {
        let server = try OldServer()
        let outcome = try ToolRun()("user", "list", "-d", "postgres:///x?host=\(server.folder)&user=a&store=main")
        #expect(outcome.code == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("PostgreSQL 12 is too old"), "\(outcome.errors)")
    }
}

/// A psql that has locked a table.
private final class LockHolder {
    private let process = Process()
    private let input = Pipe()

    init(_ chatdb: ServerRun) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["psql", "-qXtA", "-d", chatdb.server.uri(database: chatdb.database)]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let script = "BEGIN;\nLOCK TABLE main_chat.users IN ACCESS EXCLUSIVE MODE;\nSELECT 'locked';\n"
        try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
        _ = output.fileHandleForReading.availableData
    }

    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// A program that greets as a server of version 12.
private final class OldServer {
    let folder: String
    // Kept open: the program ends when it is closed.
    private let input = Pipe()

    init() throws {
        folder = "/tmp/chatdb-old-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.script, folder]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
    }

    deinit {
        try? input.fileHandleForWriting.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static let script = """
        import os, socket, struct, sys, threading
        server = socket.socket(socket.AF_UNIX)
        server.bind(sys.argv[1] + "/.s.PGSQL.5432")
        server.listen()
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        print("ready", flush=True)

        def message(kind, body):
            return kind + struct.pack("!I", len(body) + 4) + body

        def setting(name, value):
            return message(b"S", name.encode() + b"\\0" + value.encode() + b"\\0")

        while True:
            client, _ = server.accept()
            client.recv(4096)
            client.sendall(
                message(b"R", struct.pack("!I", 0)) + setting("server_version", "12.5")
                + setting("server_encoding", "UTF8") + setting("client_encoding", "UTF8")
                + message(b"K", struct.pack("!II", 1, 1)) + message(b"Z", b"I"))
            client.recv(4096)
            client.close()
        """
}
