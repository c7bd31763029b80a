package import Foundation

/// The bytes of a file, with a digest that makes comparing cheap.
package struct FileContent: Hashable, Sendable {
    package let bytes: [UInt8]
    private let digest: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        digest = hasher.finalize()
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The content of a folder: regular files and folders, by path relative to it. Links and modes are left out.
package struct FolderImage: Hashable, Sendable {
    package var files: [String: FileContent] = [:]
    package var folders: Set<String> = []

    package init() {}

    package init(of folder: URL) throws(FaultError) {
        try add(folder, path: "")
    }

    private mutating func add(_ folder: URL, path: String) throws(FaultError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw .cannotRead(path: folder.path, reason: "not a readable folder")
        }
        for name in names {
            let item = folder.appendingPathComponent(name)
            let relative = path.isEmpty ? name : "\(path)/\(name)"
            let type = try? FileManager.default.attributesOfItem(atPath: item.path)[.type] as? FileAttributeType
            if type == .typeDirectory {
                folders.insert(relative)
                try add(item, path: relative)
            } else if type == .typeRegular, let data = try? HarnessFiles.open({ try Data(contentsOf: item) }) {
                files[relative] = FileContent([UInt8](data))
            } else {
                throw .cannotRead(path: item.path, reason: "neither a readable file nor a folder")
            }
        }
    }

    /// Gives `folder` exactly this content, and creates the folder if it does not exist. Files get mode 0600.
    package func materialise(into folder: URL) throws {
        let manager = FileManager.default
        let private0700: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        if manager.fileExists(atPath: folder.path) {
            for name in try manager.contentsOfDirectory(atPath: folder.path) {
                try manager.removeItem(at: folder.appendingPathComponent(name))
            }
        } else {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true, attributes: private0700)
        }
        for path in folders.sorted() {
            try manager.createDirectory(
                at: folder.appendingPathComponent(path), withIntermediateDirectories: true, attributes: private0700)
        }
        for (path, content) in files {
            let place = folder.appendingPathComponent(path).path
            let isMade = HarnessFiles.open {
                manager.createFile(
                    atPath: place, contents: Data(content.bytes), attributes: [.posixPermissions: 0o600])
            }
            guard isMade else { throw FaultError.cannotRead(path: place, reason: "it cannot be written") }
        }
    }
}
