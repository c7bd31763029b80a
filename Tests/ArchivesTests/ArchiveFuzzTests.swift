import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBArchives

/// Good archives with some bytes changed: an error, or exactly the bytes that Python wrote.
@Suite struct ArchiveFuzzTests {
    /// A small generator whose numbers depend on the seed alone.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        }
    }

    /// Changes bytes, cuts the archive, or puts a part of it elsewhere.
    private func change(_ archive: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
        var changed = archive
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0: changed.removeLast(Int.random(in: 1...archive.count, using: &numbers))
        case 1:
            let part = archive[Int.random(in: 0..<archive.count, using: &numbers)...].prefix(64)
            changed.insert(contentsOf: part, at: Int.random(in: 0...changed.count, using: &numbers))
        case 2:
            let place = Int.random(in: 0..<archive.count, using: &numbers)
            changed.removeSubrange(place..<min(archive.count, place + Int.random(in: 1...64, using: &numbers)))
        default:
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                // Half of the changes hit the list and the end, which most of the rules are about.
                let least = Bool.random(using: &numbers) ? 0 : archive.count / 2
                changed[Int.random(in: least..<archive.count, using: &numbers)] = .random(in: 0...255, using: &numbers)
            }
        }
        return changed
    }

    @Test("a changed archive is an error or has its bytes; nothing is written elsewhere", arguments: [UInt64](1...4))
    func changed(_ seed: UInt64) throws {
        let contents = try TestArchives.files(below: TestArchives.folder().file("small-contents"))
        let folder = try TemporaryFolder()
        var numbers = Numbers(state: seed)
        var errors: [String: Int] = [:]
        for name in try TestArchives.names(in: "small") {
            let archive = [UInt8](try Data(contentsOf: URL(fileURLWithPath: TestArchives.path(name))))
            for _ in 0..<250 {
                let bytes = change(archive, &numbers)
                try Data(bytes).write(to: URL(fileURLWithPath: folder.file("a.zip")))
                do {
                    try TestArchives.unpack(folder.file("a.zip"), into: folder.file("new"))
                    let found = try TestArchives.files(below: folder.file("new"))
                    #expect(found == contents, "seed \(seed), \(name): \(found.keys)")
                    try FileManager.default.removeItem(atPath: folder.file("new"))
                    errors["none", default: 0] += 1
                } catch let error as ArchiveError {
                    errors[error.code, default: 0] += 1
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.zip"])
            }
        }
        #expect(errors.count > 4 && (errors["none"] ?? 0) > 0, "\(errors)")
    }
}
