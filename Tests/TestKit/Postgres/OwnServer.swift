import Foundation

/// A PostgreSQL server of one test, which the test stops and starts, or whose disk is full. It ends with the object.
/// One thread at a time stops and starts it.
package final class OwnServer: Sendable {
    /// How a server is stopped.
    package enum Stop: String, Sendable, CaseIterable {
        /// Connections are ended, and everything is written to the disk.
        case fast
        /// As by a crash: the next start repairs the files from the log.
        case immediate
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The folder of the socket.
    package let folder = "/tmp/chatdb-po-\(UUID().uuidString.prefix(8))"
    // Kept open: the server ends when it is closed.
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - source: the server that this one follows as a replica, which can only be read; nil for none.
    ///   - megabytes: the size of the disk with its files; nil for the ordinary disk.
    package init(following source: OwnServer? = nil, megabytes: Int? = nil) throws {
        guard let programs = PostgresServer.programs else { throw Failure(description: "no PostgreSQL is installed") }
        let process = Process()
        let shell = ["sh", "-c", Self.script, "sh", programs, folder, source?.folder ?? ""]
        let words = shell + [megabytes.map(String.init) ?? ""]
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // A disk is mounted where no other process sees it, and is gone with the shell.
        process.arguments = megabytes == nil ? words : ["unshare", "-m"] + words
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try expectReady("start")
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// Why no server with a small disk can be made; nil when one can.
    package static let diskObstacle: String? = {
        guard PostgresServer.isSupported else { return "needs PostgreSQL" }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "-m", "sh", "-c", "[ $(id -u) = 0 ] && mount -t tmpfs none /mnt"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "needs unshare" }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : "no file system can be mounted here"
    }()

    // MARK: Commands

    package func stop(_ how: Stop) throws { try command("stop \(how)") }

    /// Starts the server again, and returns when it answers.
    package func start() throws { try command("start") }

    /// Fills the small disk.
    package func fillDisk() throws { try command("fill") }

    /// Makes room on it again.
    package func freeDisk() throws { try command("free") }

    private func command(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
        try expectReady(text)
    }

    private func expectReady(_ command: String) throws {
        var text = Data()
        while text.last != UInt8(ascii: "\n") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { throw Failure(description: "\(command): the server ended") }
            text += part
        }
        guard text == Data("ready\n".utf8) else {
            throw Failure(description: "\(command): \(String(decoding: text, as: UTF8.self))")
        }
    }

    // MARK: Connections

    /// Parameters of libpq for a database.
    package func parameters(database: String = "postgres") -> [String: String] {
        ["host": folder, "dbname": database, "user": "postgres"]
    }

    /// The address of a database, as `-d` takes it without the name of a store.
    package func uri(database: String = "postgres") -> String { "postgres:///\(database)?host=\(folder)&user=postgres" }

    /// Runs SQL with psql, which stops at the first error, and returns what it printed, without headings.
    @discardableResult
    package func psql(_ sql: String, database: String = "postgres") throws -> String {
        try Psql.run(sql, folder: folder, database: database).trimmingCharacters(in: .newlines)
    }

    /// Root may not run a server: the account postgres does, or nobody. The files of its log are small, so that they
    /// fit on a small disk.
    private static let script = """
        programs=$1 folder=$2 source=$3 size=$4
        umask 077
        mkdir "$folder" || exit 1
        data=$folder/data
        if [ -n "$size" ]; then
            mkdir "$folder/disk"
            data=$folder/disk/data
            mount -t tmpfs -o "size=${size}m,mode=700" none "$folder/disk" || { echo "no mount"; exit 1; }
        fi
        run=
        if [ "$(id -u)" = 0 ]; then
            account=postgres
            id postgres > /dev/null 2>&1 || account=nobody
            chown -R "$account" "$folder"
            run="setpriv --reuid $account --regid $(id -g $account) --clear-groups"
        fi
        cd "$folder"
        start() {
            $run "$programs/pg_ctl" -D "$data" -l "$folder/log" -w \\
                -o "-k $folder -c listen_addresses= -c fsync=off -c max_connections=60" \\
                start > /dev/null 2>&1 < /dev/null
        }
        stop() { $run "$programs/pg_ctl" -D "$data" -m "$1" -w stop > /dev/null 2>&1 < /dev/null; }
        if [ -n "$source" ]; then
            $run "$programs/pg_basebackup" -h "$source" -U postgres -D "$data" -R -c fast --no-sync \\
                > "$folder/made.log" 2>&1 < /dev/null
        else
            $run "$programs/initdb" -D "$data" -A trust -U postgres --encoding UTF8 --locale C --no-sync \\
                --wal-segsize=1 > "$folder/made.log" 2>&1 < /dev/null
        fi || { echo "not made: $(tail -1 "$folder/made.log")"; exit 1; }
        start && echo ready || { echo "not started: $(tail -1 "$folder/log")"; exit 1; }
        while read -r command how; do
            case $command in
                start) start ;;
                stop) stop "$how" ;;
                fill) dd if=/dev/zero of="$folder/disk/ballast" bs=64k > /dev/null 2>&1 < /dev/null; true ;;
                free) rm "$folder/disk/ballast" ;;
            esac && echo ready || echo "failed: $(tail -1 "$folder/log")"
        done
        stop immediate
        cd /
        [ -z "$size" ] || umount "$folder/disk"
        rm -rf "$folder"
        """
}
