import ChatDBKit
import Foundation

/// Encrypted stores that are written: the upgrade of a large store against that of the same store in plain text, and a
/// change of its passphrase against a copy of its files.
struct EncryptedWritingBench {
    private let bench: Bench
    private let large: LargeStore
    /// The least number of megabytes of which a change of the passphrase encrypts the pages again in a second, if the
    /// disk is not slower.
    private static let leastSpeed = 300.0

    /// - Parameter messages: how many the store has.
    init(_ bench: Bench, messages: Int) {
        self.bench = bench
        large = LargeStore(bench, messages: messages)
    }

    func measure() throws -> [Measurement] {
        try large.fill()
        let (old, new) = (try passphrase("one"), try passphrase("two"))
        try large.restore()
        try bench.chatdb(
            "passphrase", "set", "-d", bench.folder + "/large", "--new-passphrase-file", old, "--yes", "-q")
        for database in DatabaseName.allCases { try bench.copy("large_\(database).db", to: "sealed_\(database).db") }
        return try [upgrade(old), change(old, new)]
    }

    private func passphrase(_ name: String) throws -> String {
        let path = try bench.script("passphrase-\(name)", "the passphrase number \(name)")
        chmod(path, 0o600)
        return path
    }

    /// The store, encrypted with the first passphrase.
    private func restoreEncrypted() throws {
        bench.remove("locked")
        for database in DatabaseName.allCases { try bench.copy("sealed_\(database).db", to: "locked_\(database).db") }
    }

    private func bytes() throws -> Int {
        try DatabaseName.allCases.reduce(0) { sum, database in
            let path = "\(bench.folder)/sealed_\(database).db"
            return sum + (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
        }
    }

    private func upgrade(_ passphrase: String) throws -> Measurement {
        let times = try bench.compare({
            try large.restore()
            try restoreEncrypted()
        }) {
            try bench.chatdb(
                "migrate", "up", "--no-backup", "-d", bench.folder + "/locked", "--passphrase-file", passphrase, "-q")
        } peer: {
            try bench.chatdb("migrate", "up", "--no-backup", "-d", bench.folder + "/large", "-q")
        }
        return Measurement(
            work: "upgrade of an encrypted store of \(try bytes() >> 20) MiB, without backup, against the plain store",
            ours: times.ours, peer: times.peer, aim: 2)
    }

    /// The peer reads the files and writes them to the disk.
    private func change(_ old: String, _ new: String) throws -> Measurement {
        let script = try bench.script(
            "copy.sh",
            "cd \(bench.folder) && for d in chat agent; do dd if=sealed_$d.db of=copy_$d.db bs=1M conv=fsync; done")
        let times = try bench.compare({
            try restoreEncrypted()
            // The disk has nothing else to write.
            sync()
        }) {
            try bench.chatdb(
                "passphrase", "change", "-d", bench.folder + "/locked", "--passphrase-file", old,
                "--new-passphrase-file", new, "--yes", "-q")
        } peer: {
            try bench.run("/bin/sh", [script])
        }
        let bytes = try bytes()
        let speed = Double(bytes) / 1e6 / times.ours
        return Measurement(
            work: "change of the passphrase of the same store, with verification, against a copy of its files",
            ours: times.ours, peer: times.peer, aim: nil,
            note: "\(Int(speed)) MB/s; at least \(Int(Self.leastSpeed)) MB/s, or the speed of the copy",
            breaksLimit: speed < Self.leastSpeed && times.ours > times.peer)
    }
}
