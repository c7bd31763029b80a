import Foundation
import Testing

#if os(Linux)
    /// Presets are written and read in bounded memory. The test measures the largest resident size so far, while the
    /// process
    /// waits for the test: a process that has ended cannot be measured.
    @Suite("memory of presets")
    struct PresetMemoryTests {
        /// The permitted difference in memory between a very long and a short preset, in KiB.
        private static let growth = 10 * 1024

        @Test(
            "an export of very many relays needs as little memory as one of a few",
            arguments: ["chatdb", "simplex-api"])
        func export(_ format: String) throws {
            let demo = try DemoStore.make()
            func peak(relays: Range<Int>) throws -> (peak: Int, bytes: Int) {
                // Long texts, so that few rows suffice: all at once they would take 16 MB and more of memory.
                try demo.sql(
                    """
                    WITH RECURSIVE n (i) AS (
                        SELECT \(relays.lowerBound) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(relays.upperBound))
                    INSERT INTO chat_relays (
                        user_id, address, address_key, display_name, domains, preset, enabled, created_at, updated_at)
                    SELECT
                        1, printf('https://h%d.example/r#%042dA', i, i), printf('r#%042dA@h%d.example', i, i),
                        printf('%02000d', i), printf('%02000d.example', i), 0, 1, '2026-01-01 00:00:00.000',
                        '2026-01-01 00:00:00.000'
                    FROM n
                    """)
                return try PeakMemory.whileRead(demo.process(["preset", "export", "-u", "alice", "--as", format]))
            }
            // More than a pipe takes at once, or the process would end before the measurement.
            let some = try peak(relays: 0..<100)
            let many = try peak(relays: 100..<4000)
            #expect(some.bytes > 200_000 && some.peak > 0 && many.bytes > 16_000_000, "\(some), \(many)")
            #expect(many.peak < some.peak + Self.growth, "\(some), \(many)")
        }

        @Test("an import of a list of 100 MB reads no more than the limit of a preset")
        func hostileList() throws {
            let demo = try ToolRun()
            let line = "smp://\(String(repeating: "A", count: 43))=@s.example\n"
            let part = Array(String(repeating: line, count: 1000).utf8)
            let run = try PeakMemory.whileFed(
                demo.process(["preset", "validate", "-", "--format", "json"]), part, upTo: 100_000_000)
            #expect(run.code == 65 && run.errors.contains("it has more than 16 MiB"))
            #expect(run.bytes < 32_000_000, "\(run.bytes)")
            // The memory of the process without any file, and for this file, perhaps twice.
            #expect(run.peak < 160 * 1024, "\(run.peak) KiB")
        }
    }

    /// The largest memory of a process so far, in KiB.
    enum PeakMemory {
        /// Reads the output of a process, and measures before each part: the process has not yet written the rest.
        static func whileRead(_ process: Process) throws -> (peak: Int, bytes: Int) {
            let output = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            var (peak, bytes) = (0, 0)
            while let part = try output.fileHandleForReading.read(upToCount: 64 * 1024), !part.isEmpty {
                bytes += part.count
                peak = max(peak, now(process) ?? 0)
            }
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw ToolRun.Failure(description: "it ended with \(process.terminationStatus)")
            }
            return (peak, bytes)
        }

        /// Writes the input of a process, part by part until it has enough, and measures after each.
        static func whileFed(
            _ process: Process, _ part: [UInt8], upTo most: Int
        ) throws -> (code: Int32, errors: String, peak: Int, bytes: Int) {
            var ends: [Int32] = [0, 0]
            // A socket, since a write to a pipe without a reader ends the process.
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
                throw ToolRun.Failure(description: "no socket: \(errno)")
            }
            let (input, errors) = (FileHandle(fileDescriptor: ends[0], closeOnDealloc: true), Pipe())
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors
            try process.run()
            try input.close()
            var (peak, bytes) = (0, 0)
            while bytes < most {
                let sent = send(ends[1], part, part.count, Int32(MSG_NOSIGNAL))
                if sent <= 0 { break }
                bytes += sent
                peak = max(peak, now(process) ?? 0)
            }
            close(ends[1])
            let said = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: said, as: UTF8.self), peak, bytes)
        }

        private static func now(_ process: Process) -> Int? {
            let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            return (status?.firstMatch(of: #/VmHWM:\s+(\d+) kB/#)?.output.1).flatMap { Int($0) }
        }
    }
#endif
