import Foundation

/// PgBouncer in transaction mode before the tests' server, with two connections to it: the transactions of one client
/// run on different ones. It ends with the object.
package final class PgBouncer: Sendable {
    /// Whether this machine has the program.
    package static let isSupported = program != nil && PostgresServer.isSupported

    private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private struct Failure: Error {
        let description: String
    }

    /// The folder of the socket.
    private let folder = "/tmp/chatdb-pb-\(UUID().uuidString.prefix(8))"
    // Kept open: the program ends when it is closed.
    private let input = Pipe()

    fileprivate init(before server: String) throws {
        guard let program = Self.program else { throw Failure(description: "no PgBouncer is installed") }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.script, "sh", program, folder, server]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard text == "ready\n" else { throw Failure(description: "PgBouncer did not start: \(text)") }
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// Parameters of libpq for a database.
    package func parameters(database: String) -> [String: String] {
        ["host": folder, "dbname": database, "user": "postgres"]
    }

    /// The address of a database, as `-d` takes it without the name of a store.
    package func uri(database: String) -> String { "postgres:///\(database)?host=\(folder)&user=postgres" }

    /// Root may not run it. Its sockets are named by the port. The folder is removed at the end.
    private static let script = """
        program=$1 folder=$2 server=$3
        umask 077
        mkdir "$folder" || exit 1
        printf '%s\\n' '[databases]' "* = host=$server user=postgres" '[pgbouncer]' 'listen_addr =' 'listen_port = 5432' \\
            "unix_socket_dir = $folder" 'auth_type = any' 'pool_mode = transaction' 'default_pool_size = 2' \\
            "logfile = $folder/log" "pidfile = $folder/pid" > "$folder/ini"
        run=
        if [ "$(id -u)" = 0 ]; then
            account=$(stat -c %U "$server")
            chown -R "$account" "$folder"
            run="setpriv --reuid $account --regid $(id -g $account) --clear-groups"
        fi
        $run "$program" -d -q "$folder/ini" > "$folder/start" 2>&1 < /dev/null || { tail -1 "$folder/start"; exit 1; }
        until [ -S "$folder/.s.PGSQL.5432" ] && [ -s "$folder/pid" ]; do :; done
        echo ready
        cat > /dev/null
        kill "$(cat "$folder/pid")"
        rm -rf "$folder"
        """
}

extension PostgresServer {
    /// PgBouncer before this server.
    package func bouncer() throws -> PgBouncer { try PgBouncer(before: folder) }
}
