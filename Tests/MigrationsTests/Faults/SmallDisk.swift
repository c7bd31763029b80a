import Foundation
import TestKit

/// A disk of a given size with a store on it: a file system in memory, mounted where no other process sees it and
/// removed with its shell. Linux only.
struct SmallDisk {
    /// The files that a program left.
    struct Outcome {
        let status: Int32
        let output: String
        /// The SHA-256 of both databases.
        let before: String
        let after: String
        /// A copy of the folder, removed with this value.
        let result: TemporaryFolder
    }

    /// Why such a disk is unavailable; nil when it is available.
    static let obstacle: String? = {
        do {
            let folder = try TemporaryFolder()
            let outcome = try SmallDisk(bytes: 1 << 20).run(["true"], on: URL(fileURLWithPath: folder.path))
            return outcome.status == 0 ? nil : "no file system can be mounted here: \(outcome.output)"
        } catch {
            return "no file system can be mounted here: \(error)"
        }
    }()

    let bytes: Int64

    private static let script = """
        set -e
        place=$1; from=$2; size=$3; shift 3
        mkdir "$place/disk" "$place/result"
        mount -t tmpfs -o size=$size,mode=700 none "$place/disk"
        cd "$place/disk"
        cp -a "$from"/. .
        sha256sum -- *.db > "$place/before" 2> /dev/null || true
        set +e
        "$@"
        status=$?
        sha256sum -- *.db > "$place/after" 2> /dev/null
        cp -a . "$place/result"
        exit $status
        """

    /// Runs `program` in a copy of `folder` on the disk.
    func run(_ program: [String], on folder: URL) throws -> Outcome {
        let place = try TemporaryFolder()
        let words = ["unshare", "-rm", "sh", "-c", Self.script, "sh", place.path, folder.path, "\(bytes)"] + program
        let (status, output) = try Shell.run(words)
        func text(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: place.file(name)) ?? Data(), as: UTF8.self)
        }
        return Outcome(status: status, output: output, before: text("before"), after: text("after"), result: place)
    }
}

/// Another program, run until it ends.
enum Shell {
    /// Its output, both streams together, and its exit code; 128 and more for the signal that ended it.
    static func run(_ words: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let code = process.terminationStatus
        return (process.terminationReason == .exit ? code : 128 + code, output)
    }
}
