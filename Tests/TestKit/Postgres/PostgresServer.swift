import Foundation

/// A PostgreSQL server of the tests' own: its files in a temporary folder, a Unix socket and no network port. It is
/// started once, and ends with the process of the tests, whose end closes its standard input.
package final class PostgresServer: Sendable {
    package static func started() throws -> PostgresServer { try server.get() }

    /// Whether this machine has the programs of a server.
    package static let isSupported = programs != nil

    private static let server = Result { try PostgresServer() }

    /// The folder with initdb and postgres, where Debian, Fedora and Homebrew have it.
    static let programs: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        let folders = (13...18).reversed().map { "/usr/lib/postgresql/\($0)/bin" } + path
        return folders.first { folder in
            ["initdb", "postgres"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
        }
    }()

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder of the socket. Its path is short, because the path of a socket has at most 107 bytes.
    let folder: String
    // Kept open: the server ends when it is closed.
    private let input = Pipe()

    private init() throws {
        guard let programs = Self.programs else { throw Failure(description: "no PostgreSQL is installed") }
        folder = "/tmp/chatdb-pg-\(UUID().uuidString.prefix(8))"
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.script, "sh", programs, folder]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = Data()
        while text.last != UInt8(ascii: "\n") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { throw Failure(description: "PostgreSQL did not start: \(folder)/log") }
            text += part
        }
        guard text == Data("ready\n".utf8) else { throw Failure(description: String(decoding: text, as: UTF8.self)) }
    }

    /// The folder of the socket, for programs that take no address of libpq.
    package var socketFolder: String { folder }

    /// Parameters of libpq for a database.
    package func parameters(database: String = "postgres", through proxy: PostgresProxy? = nil) -> [String: String] {
        ["host": proxy?.folder ?? folder, "dbname": database, "user": "postgres"]
    }

    /// The address of a database, as `-d` takes it without the name of a store.
    package func uri(database: String, through proxy: PostgresProxy? = nil) -> String {
        "postgres:///\(database)?host=\(proxy?.folder ?? folder)&user=postgres"
    }

    /// A proxy before this server that cuts one connection.
    package func proxy(cutting when: PostgresProxy.Moment) throws -> PostgresProxy {
        try PostgresProxy(before: folder, cutting: when)
    }

    /// Makes an empty database of a new name and returns the name.
    package func makeDatabase() throws -> String {
        let name = "test_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "_")
        try psql("CREATE DATABASE \(name)")
        return name
    }

    /// Runs SQL with psql, which stops at the first error, and returns what it printed, without headings.
    @discardableResult
    package func psql(_ sql: String, database: String = "postgres") throws -> String {
        try Psql.run(sql, folder: folder, database: database)
    }

    /// Root may not run a server: the account postgres does, or nobody. The folder is removed when the server ended.
    private static let script = """
        programs=$1 folder=$2
        umask 077
        mkdir "$folder" || exit 1
        run=
        if [ "$(id -u)" = 0 ]; then
            account=postgres
            id postgres > /dev/null 2>&1 || account=nobody
            chown "$account" "$folder"
            run="setpriv --reuid $account --regid $(id -g $account) --clear-groups"
        fi
        cd "$folder"
        $run "$programs/initdb" -D "$folder/data" -A trust -U postgres --encoding UTF8 --locale C --no-sync \\
            > "$folder/initdb.log" 2>&1 || { echo "initdb failed: $(tail -1 "$folder/initdb.log")"; exit 1; }
        $run "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w \
            -o "-k $folder -c listen_addresses= -c fsync=off -c max_connections=60" start > /dev/null 2>&1 < /dev/null \
            || { echo "postgres failed: $(tail -1 "$folder/log")"; exit 1; }
        echo ready
        cat > /dev/null
        $run "$programs/pg_ctl" -D "$folder/data" -m immediate -w stop > /dev/null 2>&1
        rm -rf "$folder"
        """
}

/// A proxy before a server that cuts one connection at its COMMIT (`postgres_proxy.py`). It ends with the object.
package final class PostgresProxy: Sendable {
    /// When the connection is cut.
    package enum Moment: String, Sendable, CaseIterable {
        /// Before the server sees the COMMIT.
        case before
        /// Before the client sees the answer.
        case after
    }

    let folder = "/tmp/chatdb-px-\(UUID().uuidString.prefix(8))"
    // Kept open: the proxy ends when it is closed.
    private let input = Pipe()

    fileprivate init(before server: String, cutting when: Moment) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let process = Process()
        let output = Pipe()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("postgres_proxy.py")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, server, folder, when.rawValue]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
    }

    deinit {
        try? input.fileHandleForWriting.close()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
