import ChatDBKit
import Foundation
import Synchronization

/// Encrypted databases: all pages, against SQLCipher; and `inspect`, against the same store in plain text.
struct EncryptedBench {
    private let bench: Bench
    private let megabytes: Int
    private static let passphrase = "a passphrase"
    /// The least number of megabytes that one processor verifies and decrypts in a second.
    private static let leastSpeed = 400.0

    init(_ bench: Bench, megabytes: Int) {
        (self.bench, self.megabytes) = (bench, megabytes)
    }

    func measure() throws -> [Measurement] {
        guard let python = try Self.python() else {
            let work = "pages and inspect of an encrypted store (sqlcipher3 is not installed)"
            return [Measurement(work: work, ours: 0, peer: nil, aim: nil)]
        }
        let plain = try InspectBench(bench, megabytes: megabytes).store()
        let encrypted = bench.folder + "/locked"
        let pass = try bench.script("pass", Self.passphrase)
        chmod(pass, 0o600)
        for database in DatabaseName.allCases {
            try bench.run(
                python,
                [
                    try bench.script("encrypt.py", Self.encrypting), "\(plain)_\(database).db",
                    "\(encrypted)_\(database).db", Self.passphrase,
                ])
        }
        return try pages(encrypted + "_chat.db", python) + [inspect(encrypted, pass, plain)]
    }

    /// Python with SQLCipher's package; nil if it is not installed.
    private static func python() throws -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/python3" }
        let folder = FileManager.default.currentDirectoryPath
        return (["\(folder)/.build/python/bin/python3"] + path).first { python in
            guard FileManager.default.isExecutableFile(atPath: python) else { return false }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: python)
            process.arguments = ["-c", "import sqlcipher3"]
            process.standardError = FileHandle.nullDevice
            return (try? process.run()) != nil
                && {
                    process.waitUntilExit(); return process.terminationStatus == 0
                }()
        }
    }

    private static let encrypting = """
        import sqlcipher3, sys
        c = sqlcipher3.connect(sys.argv[1])
        c.execute("ATTACH DATABASE ? AS e KEY ?", sys.argv[2:4])
        c.execute("SELECT sqlcipher_export('e')")
        for p in "user_version", "application_id":
            c.execute("PRAGMA e.%s = %d" % (p, c.execute("PRAGMA %s" % p).fetchone()[0]))
        c.execute("DETACH DATABASE e")
        """

    /// Without the start of Python and the derivation of the key, which are not work on pages.
    private static let checking = """
        import sqlcipher3, sys, time
        c = sqlcipher3.connect(sys.argv[1])
        c.execute("PRAGMA key = '%s'" % sys.argv[2])
        c.execute("SELECT count(*) FROM sqlite_master").fetchall()
        began = time.perf_counter()
        assert c.execute("PRAGMA cipher_integrity_check").fetchall() == []
        open(sys.argv[3], "w").write(str(time.perf_counter() - began))
        """

    /// Verifies and decrypts all pages of a database, and verifies them as `check` does.
    private func pages(_ path: String, _ python: String) throws -> [Measurement] {
        let script = try bench.script("check.py", Self.checking)
        let connection = try SQLiteEngine().reading(with: Passphrase(Self.passphrase.utf8)).open(path, as: .untrusted)
        defer { try? connection.close() }
        let codec = try codec(of: path)
        let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        var (decrypted, verified, peer): ([Double], [Double], [Double]) = ([], [], [])
        var (decrypting, verifying): ([Double], [Double]) = ([], [])
        for _ in 0..<max(bench.runs, 3) {
            var began = Self.processorTime()
            decrypted.append(try bench.seconds { try Self.decrypt(path, codec, bytes) })
            decrypting.append(Self.processorTime() - began)
            began = Self.processorTime()
            verified.append(
                try bench.seconds {
                    if try connection.damagedPages().count > 0 { throw Failed(what: "a page is damaged") }
                })
            verifying.append(Self.processorTime() - began)
            try bench.run(python, [script, path, Self.passphrase, bench.folder + "/seconds"])
            peer.append(Double(try String(contentsOfFile: bench.folder + "/seconds", encoding: .utf8)) ?? 0)
        }
        let size =
            "of an encrypted database of \(bytes >> 20) MiB, in process, against SQLCipher's cipher_integrity_check"
        return [
            row("decryption and verification of all pages \(size)", decrypted, decrypting, peer, bytes),
            row("verification of all pages as check does it, \(size)", verified, verifying, peer, bytes),
        ]
    }

    private func row(
        _ work: String, _ times: [Double], _ processor: [Double], _ peer: [Double], _ bytes: Int
    ) -> Measurement {
        // Processor time: on a machine that others use too, a core is not always there.
        let speed = Double(bytes) / 1e6 / Bench.median(processor)
        return Measurement(
            work: work, ours: Bench.median(times), peer: Bench.median(peer), aim: 0.5,
            note: "\(Int(speed)) MB/s a core; at least \(Int(Self.leastSpeed)) MB/s",
            breaksLimit: speed < Self.leastSpeed)
    }

    private func codec(of path: String) throws -> PageCodec {
        guard case .unlocked(let codec, _, _) = try EncryptedFile(path).open(with: Passphrase(Self.passphrase.utf8))
        else { throw Failed(what: "\(path) does not open") }
        return codec
    }

    /// Decrypts all pages on all processors.
    private static func decrypt(_ path: String, _ codec: PageCodec, _ bytes: Int) throws {
        let size = codec.pageSize
        let (next, failures) = (Progress(), Progress())
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let work: @Sendable () -> Void = {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * size, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                let first = next.number.add(64, ordering: .relaxed).oldValue
                guard first * size < bytes else { return }
                let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(first * size)) / size
                for page in 0..<max(0, count) {
                    let place = UnsafeMutableRawBufferPointer(rebasing: buffer[page * size..<(page + 1) * size])
                    let number = UInt32(first + page + 1)
                    if (try? codec.decrypt(place, number: number)) == nil { failures.number.add(1, ordering: .relaxed) }
                }
            }
        }
        let others = DispatchGroup()
        for _ in 1..<ProcessInfo.processInfo.activeProcessorCount {
            others.enter()
            Thread.detachNewThread {
                work()
                others.leave()
            }
        }
        work()
        others.wait()
        if failures.number.load(ordering: .relaxed) > 0 { throw Failed(what: "a page does not fit") }
    }

    private final class Progress: Sendable {
        let number = Atomic<Int>(0)
    }

    /// The processor time of all threads of this process, in seconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The time of two keys is subtracted: no work on the databases can reduce it.
    private func inspect(_ encrypted: String, _ pass: String, _ plain: String) throws -> Measurement {
        var memory = 0
        var keys: [Double] = []
        let medians = try bench.compare({
            keys.append(
                try bench.seconds { for name in DatabaseName.allCases { _ = try codec(of: encrypted + "_\(name).db") } }
            )
        }) {
            let usage = try bench.run(
                bench.tool, ["inspect", "-d", encrypted, "--passphrase-file", pass, "--format", "json"])
            memory = max(memory, usage.memory >> 20)
        } peer: {
            try bench.run(bench.tool, ["inspect", "-d", plain, "--format", "json"])
        }
        let bytes = try FileManager.default.attributesOfItem(atPath: encrypted + "_chat.db")[.size] as? Int ?? 0
        let most = InspectBench.mostMemory
        return Measurement(
            work:
                "inspect of an encrypted store of \(bytes >> 20) MiB, without the time of two keys, against the plain store",
            ours: medians.ours - Bench.median(keys), peer: medians.peer, aim: 2,
            note: "keys \(Int(Bench.median(keys) * 1_000)) ms; \(memory) MiB; at most \(most) MiB",
            breaksLimit: memory > most)
    }
}
