import Foundation

/// A folder for one test, which only the owner can read. It is removed with the object.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "/chatdb-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A path in the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// The bytes and the time of every file, by path. They are equal when nothing was written. Lock files are left out,
    /// because they are no part of a store.
    package func fingerprint() throws -> [String: [String]] {
        var prints: [String: [String]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) where !name.hasSuffix(".lock") {
            let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
            let content = FileManager.default.contents(atPath: file(name)) ?? Data()
            prints[name] = [
                "\(attributes[.modificationDate] ?? "")", "\(content.count)",
                "\(FileContent([UInt8](content)).hashValue)",
            ]
        }
        return prints
    }
}
