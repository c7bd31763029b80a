import Foundation

/// A folder for one test, removed after it.
struct MigrationFolderFixture: ~Copyable {
    let path: String

    init(_ files: [String: String] = [:], databases: [String] = ["chat", "agent"]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chatdb-files-\(UUID().uuidString)")
        path = folder.path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for database in databases {
            try FileManager.default.createDirectory(atPath: path + "/" + database, withIntermediateDirectories: true)
        }
        for (name, text) in files { try write(Data(text.utf8), to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func read(_ name: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path + "/" + name), encoding: .utf8)
    }

    func names(_ database: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + database).sorted()
    }
}
