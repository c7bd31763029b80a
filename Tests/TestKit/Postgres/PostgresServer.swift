import Foundation

/// A PostgreSQL server of the tests' own: its files in a temporary folder, a Unix socket and no network port. It is
/// started once, and ends with the process of the tests, whose end closes its standard input.
package final class PostgresServer: Sendable {
    package static func started() throws -> PostgresServer { try server.get() }

    /// A server of one test, which can do to it what would disturb other tests. It ends with the object.
    package static func own() throws -> PostgresServer { try PostgresServer() }

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
    private let output = Pipe()

    private init() throws {
        guard let programs = Self.programs else { throw Failure(description: "no PostgreSQL is installed") }
        folder = "/tmp/chatdb-pg-\(UUID().uuidString.prefix(8))"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.mounting, "sh", Self.script, "sh", programs, folder]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try expect("ready")
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// Waits for a line of the script.
    private func expect(_ line: String) throws {
        var text = Data()
        while text.last != UInt8(ascii: "\n") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { throw Failure(description: "PostgreSQL did not start: \(folder)/log") }
            text += part
        }
        let found = String(decoding: text.dropLast(), as: UTF8.self)
        guard found == line else { throw Failure(description: found) }
    }

    private func command(_ word: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((word + "\n").utf8))
        try expect("done")
    }

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
    /// - Parameter tablespace: where its files are; nil for the place of all.
    package func makeDatabase(in tablespace: String? = nil) throws -> String {
        let name = "test_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "_")
        try psql("CREATE DATABASE \(name)" + (tablespace.map { " TABLESPACE \($0)" } ?? ""))
        return name
    }

    /// Ends the server's processes without warning, and starts it again. For an own server.
    package func restart() throws { try command("restart") }

    /// Starts a replica of an own server, where each commit waits for the replica from then on. Returns the address of a
    /// database there, as ``uri(database:through:)``.
    package func replica(of database: String) throws -> String {
        try command("replica")
        return "postgres:///\(database)?host=\(folder)/replica&user=postgres"
    }

    /// Whether an own server can have a small disk: root may mount one.
    package static let hasSmallDisks: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "[ $(id -u) = 0 ] && unshare --mount mount -t tmpfs none /mnt"]
        process.standardError = FileHandle.nullDevice
        guard isSupported, (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Adds the tablespace `small`, on a disk of 64 MiB that nothing else uses. For an own server.
    package func addSmallDisk() throws {
        try command("disk")
        try psql("CREATE TABLESPACE small LOCATION '\(folder)/small'")
    }

    /// Runs SQL with psql, which stops at the first error, and returns what it printed, without headings.
    @discardableResult
    package func psql(_ sql: String, database: String = "postgres") throws -> String {
        try Psql.run(sql, folder: folder, database: database)
    }

    /// A disk that the script mounts is seen by nobody else, and ends with it.
    private static let mounting = """
        [ "$(id -u)" = 0 ] && unshare --mount true 2> /dev/null && exec unshare --mount sh -c "$@"
        exec sh -c "$@"
        """

    /// Root may not run a server: the account postgres does, or nobody. The role `guarded` needs a password. The folder
    /// is removed when the server ended.
    private static let script = """
        programs=$1 folder=$2
        umask 077
        mkdir "$folder" || exit 1
        run= account=$(id -un)
        if [ "$(id -u)" = 0 ]; then
            account=postgres
            id postgres > /dev/null 2>&1 || account=nobody
            chown "$account" "$folder"
            run="setpriv --reuid $account --regid $(id -g $account) --clear-groups"
        fi
        start() {
            $run "$programs/pg_ctl" -D "$1" -l "$folder/log" -w \
                -o "-k $2 -c listen_addresses= -c fsync=off -c max_connections=60 -c synchronous_commit=remote_apply" start
        }
        replica() {
            psql -qX -h "$folder" -U postgres -c "ALTER SYSTEM SET synchronous_standby_names = '*'" \
                -c 'SELECT pg_reload_conf()'
            mkdir "$folder/replica" && chown "$account" "$folder/replica" &&
                $run "$programs/pg_basebackup" -h "$folder" -U postgres -D "$folder/copy" -R -X stream -c fast &&
                start "$folder/copy" "$folder/replica"
        }
        cd "$folder"
        $run "$programs/initdb" -D "$folder/data" -A trust -U postgres --encoding UTF8 --locale C --no-sync \
            > "$folder/initdb.log" 2>&1 || { echo "initdb failed: $(tail -1 "$folder/initdb.log")"; exit 1; }
        $run sed -i '1i local all guarded scram-sha-256' "$folder/data/pg_hba.conf"
        start "$folder/data" "$folder" > /dev/null 2>&1 < /dev/null \
            || { echo "postgres failed: $(tail -1 "$folder/log")"; exit 1; }
        echo ready
        while read -r command; do
            case $command in
                restart)
                    $run "$programs/pg_ctl" -D "$folder/data" -m immediate -w stop; start "$folder/data" "$folder" ;;
                replica) replica ;;
                disk) mkdir "$folder/small" && mount -t tmpfs -o size=64m none "$folder/small" &&
                    chown "$account" "$folder/small" && chmod 700 "$folder/small" ;;
            esac > "$folder/command.log" 2>&1 < /dev/null && echo done || echo "failed: $(tail -1 "$folder/command.log")"
        done
        for data in copy data; do
            [ -d "$folder/$data" ] && $run "$programs/pg_ctl" -D "$folder/$data" -m immediate -w stop > /dev/null 2>&1
        done
        umount "$folder/small" 2> /dev/null
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
