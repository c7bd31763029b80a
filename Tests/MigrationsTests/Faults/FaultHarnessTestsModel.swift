import Foundation
import TestKit
import Testing

/// The model of a power cut, on logs written by hand.
@Suite("The model of a power cut")
struct FaultHarnessModelTests {
    /// Every image of a cut after the last of these operations.
    private func images(_ operations: [FileOperation], initial: FolderImage = FolderImage()) throws -> Set<FolderImage>
    {
        var cut = try PowerCut(initial: initial, log: OperationLog(operations: operations))
        return Set(try cut.images(after: operations.count, variants: 200).map(\.content))
    }

    private func image(_ files: [String: String], folders: Set<String> = []) -> FolderImage {
        var image = FolderImage()
        image.files = files.mapValues { FileContent(Array($0.utf8)) }
        image.folders = folders
        return image
    }

    private func write(_ path: String, _ text: String, at offset: Int = 0, inode: UInt64 = 1) -> FileOperation {
        FileOperation(.write, path: path, inode: inode, offset: offset, bytes: Array(text.utf8))
    }
    private let syncFolder = FileOperation(.fsync, path: "", isFolder: true)
    private func create(_ path: String, inode: UInt64 = 1) -> FileOperation {
        FileOperation(.create, path: path, inode: inode)
    }
    private func sync(_ path: String, inode: UInt64 = 1) -> FileOperation {
        FileOperation(.fdatasync, path: path, inode: inode)
    }

    @Test("a synced file whose folder is not synced may be missing, and is whole if it is there")
    func newFile() throws {
        let found = try images([create("a"), write("a", "text"), sync("a")])
        #expect(found == [image([:]), image(["a": "text"])])
    }

    @Test("a file in a synced folder exists, but unsynced content may be missing or garbage")
    func newName() throws {
        let found = try images([create("a"), syncFolder, write("a", "text")])
        #expect(found.allSatisfy { $0.files.keys.sorted() == ["a"] })
        #expect(found.isSuperset(of: [image(["a": ""]), image(["a": "text"])]))
        #expect(found.contains { ![image(["a": ""]), image(["a": "text"])].contains($0) })
    }

    @Test("a synced file in a synced folder is in every image")
    func durable() throws {
        let found = try images([create("a"), write("a", "text"), sync("a"), syncFolder])
        #expect(found == [image(["a": "text"])])
    }

    @Test("the sync of a file makes its length durable, and nothing of another file")
    func lengths() throws {
        let initial = image(["a": "0123456789", "b": "0123456789"])
        let found = try images(
            [
                FileOperation(.truncate, path: "a", inode: 1, length: 4),
                FileOperation(.truncate, path: "b", inode: 2, length: 4), sync("a", inode: 1),
            ], initial: initial)
        #expect(found == [image(["a": "0123", "b": "0123456789"]), image(["a": "0123", "b": "0123"])])
    }

    @Test("an unsynced deletion or rename may be lost, a synced one is durable")
    func deletions() throws {
        let initial = image(["a": "a", "b": "b"])
        let unlink = FileOperation(.unlink, path: "a", inode: 1)
        let rename = FileOperation(.rename, path: "b", newPath: "c", inode: 2)
        // In order: the rename exists only if the deletion does.
        #expect(
            try images([unlink, rename], initial: initial) == [initial, image(["b": "b"]), image(["c": "b"])])
        #expect(try images([unlink, rename, syncFolder], initial: initial) == [image(["c": "b"])])
    }

    @Test("a file renamed into another folder is in one of the two, no matter which folder is synced")
    func renameAcross() throws {
        let initial = image(["d/a": "a"], folders: ["d", "e"])
        let rename = FileOperation(.rename, path: "d/a", newPath: "e/b", inode: 1)
        let moved = image(["e/b": "a"], folders: ["d", "e"])
        #expect(try images([rename], initial: initial) == [initial, moved])
        #expect(
            try images([rename, FileOperation(.fsync, path: "d", isFolder: true)], initial: initial) == [
                initial, moved,
            ])
        #expect(
            try images(
                [
                    create("d/x", inode: 2), FileOperation(.rename, path: "d/x", newPath: "e/x", inode: 2),
                    FileOperation(.fsync, path: "e", isFolder: true), FileOperation(.fsync, path: "d", isFolder: true),
                ], initial: initial) == [image(["d/a": "a", "e/x": ""], folders: ["d", "e"])])
    }

    @Test("a new folder is lost with all that is in it, unless the folder above it is synced")
    func newFolder() throws {
        let operations = [
            FileOperation(.makeFolder, path: "d"), create("d/a"), write("d/a", "x"), sync("d/a"),
            FileOperation(.fsync, path: "d", isFolder: true),
        ]
        #expect(try images(operations) == [image([:]), image(["d/a": "x"], folders: ["d"])])
        #expect(try images(operations + [syncFolder]) == [image(["d/a": "x"], folders: ["d"])])
    }

    @Test("writes are torn at sectors of 512 bytes, and garbage stays inside the written bytes")
    func sectors() throws {
        let initial = image(["a": String(repeating: "o", count: 2048)])
        let found = try images([write("a", String(repeating: "n", count: 1000), at: 200)], initial: initial)
        #expect(found.count > 20)
        for content in found.compactMap({ $0.files["a"]?.bytes }) {
            #expect(content.count == 2048)
            #expect((content[..<200] + content[1200...]).allSatisfy { $0 == UInt8(ascii: "o") })
        }
        let torn = found.compactMap { $0.files["a"]?.bytes }.filter {
            Set($0).isSubset(of: Array("on".utf8))
        }
        // Three sectors, each present or absent.
        #expect(torn.count == 8)
        for content in torn {
            for sector in [200..<512, 512..<1024, 1024..<1200] { #expect(Set(content[sector]).count == 1) }
        }
    }

    @Test("a file is followed through renaming and deletion while it is open")
    func openFile() throws {
        let operations = [
            create("a", inode: 7), FileOperation(.rename, path: "a", newPath: "b", inode: 7),
            write("b", "1", inode: 7), FileOperation(.link, path: "b", newPath: "c", inode: 7),
            FileOperation(.unlink, path: "b", inode: 7),
            FileOperation(.write, path: "b", inode: 7, isUnlinked: true, offset: 1, bytes: Array("2".utf8)),
            sync("c", inode: 7), syncFolder,
        ]
        #expect(try images(operations) == [image(["c": "12"])])
    }

    @Test("an operation that failed changes nothing")
    func failed() throws {
        let initial = image(["a": "a"])
        let failed = FileOperation(.unlink, path: "a", error: 5)
        #expect(try images([failed, syncFolder], initial: initial) == [initial])
    }

    @Test("the same seed gives the same images, another seed others")
    func seeds() throws {
        let operations = [create("a"), write("a", String(repeating: "x", count: 4000)), syncFolder]
        func all(_ seed: UInt64) throws -> [PowerCut.Image] {
            var cut = try PowerCut(initial: FolderImage(), log: OperationLog(operations: operations), seed: seed)
            return try cut.images(after: 3, variants: 20)
        }
        #expect(try all(1) == all(1))
        #expect(try all(1) != all(2))
        #expect(try Set(all(1).map(\.content)).count == all(1).count)
    }

    @Test("a log of another folder, and one that is cut short, are refused")
    func wrongLogs() throws {
        #expect(throws: FaultError.logDoesNotFit(operation: 0, path: "a")) { try images([write("a", "x")]) }
        #expect(throws: FaultError.self) { try OperationLog(Array("CFLOG".utf8)) }
        #expect(throws: FaultError.self) { try OperationLog(Array("CFLOG\0\0\u{1}then nothing of sense".utf8)) }
    }
}

@Suite("Samples and parallel cases")
struct FaultHarnessSampleTests {
    @Test("a sample has the first and the last case, and never more than requested")
    func samples() {
        #expect(FaultSample.every.pick([1, 2, 3]) == [1, 2, 3])
        #expect(FaultSample.stride(3).pick(Array(1...8)) == [1, 4, 7, 8])
        #expect(FaultSample.about(3).pick(Array(1...9)) == [1, 5, 9])
        #expect(FaultSample.about(1).pick([1, 2]) == [2])
        #expect(FaultSample.about(50).pick([1, 2]) == [1, 2])
        #expect(FaultSample.about(3).pick([Int]()) == [])
    }

    @Test("results are in the order of the cases, and no files are left behind, even after an error")
    func parallel() throws {
        try withFaultFolder { root in
            let cases = ParallelCases(root: root, workers: 3)
            let results = try cases.run(Array(0..<50)) { folder, number in
                try Data().write(to: folder.appendingPathComponent("\(number)"))
                return number * 2
            }
            #expect(results == (0..<50).map { $0 * 2 })
            #expect(throws: FaultError.unsupportedPlatform) {
                try cases.run(Array(0..<50)) { _, number in if number == 7 { throw FaultError.unsupportedPlatform } }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).isEmpty)
        }
    }
}
