import ChatDBKit
import Foundation
import TestKit
import Testing

/// Encrypted databases that are written, with a fault at each operation. SQLCipher and chatdb must both recover what
/// either of them has left.
@Suite(
    "Torture of encrypted databases", .timeLimit(.minutes(60)),
    .enabled(
        if: (try? FaultShimLibrary.find()) != nil && SQLCipher.python != nil,
        "needs Linux, and sqlcipher3, which make test installs"))
struct EncryptedTortureTests {
    @Test(
        "a kill, an error or a power cut leaves the state before or after, for SQLCipher and for chatdb",
        arguments: EncryptedWriting.Writer.allCases)
    func anywhere(writer: EncryptedWriting.Writer) throws {
        let summary = try EncryptedWriting.campaign(
            writer, sample: .everyIfTortured(else: 5),
            [
                .kill, .tear, .fail(errno: EIO, sticky: false), .fail(errno: EIO, sticky: true),
                .failHalfway(errno: ENOSPC), .powerCut(variants: FaultSample.isTortured ? 12 : 2),
            ])
        if FaultSample.isTortured { FileHandle.standardOutput.write(Data("\n== \(writer)\n\(summary)\n".utf8)) }
        #expect(summary.isClean, "\(summary)")
        #expect(summary.count(of: "0") > 0 && summary.count(of: "1") > 0 && summary.count(of: "2") > 0)
    }

    @Test(
        "a journal that is kept after each commit, with old pages in it, is recovered too",
        arguments: ["PERSIST", "TRUNCATE"])
    func keptJournal(mode: String) throws {
        for writer in EncryptedWriting.Writer.allCases {
            let summary = try EncryptedWriting.campaign(
                writer, journal: mode, sample: .everyIfTortured(else: 6), [.kill, .tear])
            #expect(summary.isClean, "\(writer): \(summary)")
            #expect(summary.count(of: "0") > 0 && summary.count(of: "1") > 0 && summary.count(of: "2") > 0)
        }
    }

    @Test("a database in WAL mode, which chatdb puts into rollback mode, is recovered too")
    func endOfWALMode() throws {
        let summary = try EncryptedWriting.campaign(
            .chatdb, isInWALMode: true, sample: .everyIfTortured(else: 8),
            [
                .kill, .tear, .fail(errno: EIO, sticky: true),
                .powerCut(variants: FaultSample.isTortured ? 12 : 2),
            ])
        #expect(summary.isClean, "\(summary)")
        #expect(summary.count(of: "0") > 0 && summary.count(of: "1") > 0 && summary.count(of: "2") > 0)
    }

    @Test("with a passphrase, whose key needs the salt of the file, each recovers a kill, a tear and a power cut")
    func passphrase() throws {
        for writer in EncryptedWriting.Writer.allCases {
            let summary = try EncryptedWriting.campaign(
                writer, key: "it is a secret", sample: .everyIfTortured(else: 12),
                [.kill, .tear, .powerCut(variants: FaultSample.isTortured ? 4 : 1)])
            #expect(summary.isClean, "\(writer): \(summary)")
            #expect(summary.count(of: "0") > 0 && summary.count(of: "1") > 0 && summary.count(of: "2") > 0)
        }
    }

    @Test("with SQLite's checksums over the plain pages, SQLCipher does not recover, and the campaign finds it")
    func plainSums() throws {
        let summary = try EncryptedWriting.campaign(.chatdb, sample: .everyIfTortured(else: 12), [.kill]) { folder in
            try JournalWithPlainSums.rewrite(in: folder)
        }
        if FaultSample.isTortured { FileHandle.standardOutput.write(Data("\n== plain sums\n\(summary)\n".utf8)) }
        #expect(summary.damaged > 0, "\(summary)")
    }
}

/// The journal that a codec would write which leaves the checksums to SQLite. Only for showing that the torture finds
/// it.
private enum JournalWithPlainSums {
    private static let pageSize = 4_096

    static func rewrite(in folder: URL) throws {
        let path = folder.appendingPathComponent("store.db-journal")
        guard let data = try? Data(contentsOf: path) else { return }
        var bytes = [UInt8](data)
        let salt =
            try FileHandle(forReadingFrom: folder.appendingPathComponent("store.db")).read(upToCount: 16) ?? Data()
        let codec = PageCodec(
            Passphrase(EncryptedWriting.key.utf8), salt: Array(salt), .version4, pageSize: pageSize)
        guard let codec else { throw FaultError.referenceFailed("no codec") }
        var header = 0
        while header + 28 <= bytes.count,
            bytes[header..<header + 8] == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        {
            let (frames, nonce, sector) = (
                number(bytes, header + 8), number(bytes, header + 12), number(bytes, header + 20)
            )
            var frame = header + Int(sector)
            for _ in 0..<frames where frame + pageSize + 8 <= bytes.count {
                var page = Array(bytes[frame + 4..<frame + 4 + pageSize])
                let place = number(bytes, frame)
                let isAuthentic = page.withUnsafeMutableBytes { (try? codec.decrypt($0, number: place)) != nil }
                if isAuthentic {
                    let sum = stride(from: pageSize - 200, to: 0, by: -200).reduce(nonce) { $0 &+ UInt32(page[$1]) }
                    let end = frame + 4 + pageSize
                    bytes.replaceSubrange(end..<end + 4, with: withUnsafeBytes(of: sum.bigEndian, Array.init))
                }
                frame += pageSize + 8
            }
            header = (frame + Int(sector) - 1) / Int(sector) * Int(sector)
        }
        try Data(bytes).write(to: path)
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
