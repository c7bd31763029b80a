import Foundation
import TestKit
import Testing

@Suite("a store of SimpleX Chat")
struct SimplexTests {
    @Test("print", arguments: SimplexStore.versions)
    func show(_ version: SimplexStore.Version) throws {
        let folder = try SimplexFolder(version)
        try? FileManager.default.removeItem(atPath: "/tmp/sx-\(version.chat)")
        try FileManager.default.copyItem(atPath: folder.run.folder.path, toPath: "/tmp/sx-\(version.chat)")
    }
}
