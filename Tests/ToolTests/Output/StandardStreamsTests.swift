import Foundation
import TestKit
import Testing

@testable import ChatDBTool

@Suite struct StandardStreamsTests {
    @Test("all bytes are written, though each call takes a part, and signals interrupt")
    func partialWrites() throws {
        var calls = 0
        var written: [UInt8] = []
        let bytes = (0..<1000).map { UInt8($0 % 251) }
        try StandardStreams.writeAll(bytes, to: "standard output") { rest in
            calls += 1
            if calls % 3 == 0 { return .failed(EINTR) }
            if calls % 5 == 0 { return .wrote(0) }
            let part = rest.prefix(7)
            written += part
            return .wrote(part.count)
        }
        #expect(written == bytes)
    }

    @Test("a reader that has closed the pipe is no error")
    func readerGone() throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        signal(SIGPIPE, SIG_IGN)
        #expect(throws: ReaderGone()) {
            try StandardStreams.write([1, 2, 3], to: ends[1], "standard output")
        }
    }

    #if os(Linux)
        @Test("a full disk is a separate error, exit 74")
        func fullDisk() throws {
            let full = open("/dev/full", O_WRONLY)
            defer { close(full) }
            let error = try #require(throws: WriteFailed.self) {
                try StandardStreams.write([1], to: full, "standard output")
            }
            #expect(error.code == ENOSPC)
            #expect(error.report.exit == .ioError)
            #expect(error.report.message == "writing to standard output failed: no space left on device")
        }
    #endif

    @Test(
        "more than a pipe holds arrives whole, also through a descriptor that does not block", arguments: [true, false])
    func pipes(blocks: Bool) throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        if !blocks { _ = fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK) }
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let reader = ThreadResult { () -> [UInt8] in
            var all: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 5000)
            while case let count = read(reading, &part, part.count), count > 0 { all += part.prefix(count) }
            return all
        }
        do {
            defer { close(writing) }
            try StandardStreams.write(bytes, to: writing, "standard output")
        }
        #expect(try reader.value() == bytes)
    }

    @Test("nothing but the output layer writes to the standard streams")
    func noPrint() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let sources = try #require(
            FileManager.default.enumerator(at: root.appending(path: "Sources"), includingPropertiesForKeys: nil))
        var files = 0
        for case let file as URL in sources where file.pathExtension == "swift" {
            // Examples in comments print.
            let text = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            files += 1
            #expect(text.firstMatch(of: #/\b(debugPrint|print|dump|NSLog)\(/#) == nil, "\(file.lastPathComponent)")
            if file.lastPathComponent != "StandardStreams.swift" {
                #expect(text.firstMatch(of: #/\b(fputs|fwrite|puts)\(|FileHandle\.standard/#) == nil)
            }
        }
        #expect(files > 20)
    }
}
