import ChatDBPOSIX
package import ChatDBSchema

/// A search for stores by the names of their files. It lists folders, and opens no file.
///
/// It follows no symbolic link below the folder where it begins: a link can lead out of the folder, or back into it.
/// Limits end a search in a folder that is too large, and the result says so.
package struct StoreSearch {
    /// A store that was found.
    package struct Found: Sendable, Hashable {
        /// Where it was found.
        package let place: StorePlace
        /// The location of its files.
        package let location: StoreLocation
        /// Its databases that are symbolic links, which the search does not follow.
        package let links: Set<DatabaseName>
    }

    /// A folder, or a file, that the search could not look at.
    package struct Unreadable: Sendable, Hashable {
        /// Its path.
        package let path: String
        /// The number of the system's error.
        package let errno: Int32

        /// A clause about it.
        package var message: String { "\(path) cannot be read: \(systemMessage(errno))" }
    }

    /// What ends a search.
    package struct Limits: Sendable {
        /// Levels of folders below the one where the search begins.
        package var depth = 64
        /// Names in all folders together.
        package var names = 2_000_000
        /// Stores.
        package var stores = 1_000
        /// The time for all folders.
        package var time = Duration.seconds(60)

        /// The usual limits.
        package init() {}
    }

    /// The limit that ended a search.
    package enum Limit: String, Sendable, Hashable {
        case names, stores, time, depth
    }

    /// The stores, in the order in which they were found.
    package private(set) var found: [Found] = []
    /// What could not be read: the first ``mostUnreadable`` of them.
    package private(set) var unreadable: [Unreadable] = []
    /// The number of all that could not be read.
    package private(set) var unreadableCount = 0
    /// The number of folders whose names are not UTF-8. A `String` cannot hold such a path.
    package private(set) var foldersWithoutText = 0
    /// The limits that were reached, in that order.
    package private(set) var reached: [Limit] = []
    /// The number of names that were read.
    package private(set) var names = 0

    /// The number of unreadable paths that are kept.
    package static let mostUnreadable = 10
    /// Folders of the system in which no user keeps files, and which have many.
    private static let systemFolders: Set<String> = ["/proc", "/sys", "/dev"]

    private let limits: Limits
    private let progress: (Int) -> Void
    private let start = ContinuousClock.now
    private var prefixes: Set<String> = []

    /// A search that has found nothing yet.
    /// - Parameter progress: receives the number of names after each folder.
    package init(_ limits: Limits = Limits(), progress: @escaping (Int) -> Void = { _ in }) {
        self.limits = limits
        self.progress = progress
    }

    /// Whether a limit ended the search. Folders that are too deep do not end it.
    private var isOver: Bool { reached.contains { $0 != .depth } }

    /// Looks for one store. Symbolic links are followed: the user or a program has chosen this path.
    package mutating func look(at prefix: String, as place: StorePlace) {
        guard let location = try? StoreLocation(prefix: prefix) else { return }
        look(at: location, as: place)
    }

    /// Looks for one store, which may be databases with names of their own.
    package mutating func look(at location: StoreLocation, as place: StorePlace) {
        for database in location.databases {
            switch location.state(of: database) {
            case .empty, .regular:
                return add(Found(place: place, location: location, links: []))
            case .unreachable(let reason):
                return note(FolderError(errno: reason), of: location.path(of: database))
            case .missing, .notRegular:
                continue
            }
        }
    }

    /// Looks for stores in a folder and all folders below it, level by level. Throws when the folder itself cannot be
    /// read; folders below it that cannot be read are in ``unreadable``.
    /// - Parameter name: the only name that is looked for; nil for every name.
    package mutating func look(below folder: String, as place: StorePlace, name: String? = nil) throws(FolderError) {
        var seen: Set<FileIdentity> = []
        var level = try list(folder, as: place, name, isFirst: true, &seen)
        var depth = 0
        while !level.isEmpty, !isOver {
            depth += 1
            if depth > limits.depth { return reach(.depth) }
            var next: [String] = []
            for path in level where !isOver {
                do throws(FolderError) {
                    next += try list(path, as: place, name, isFirst: false, &seen)
                } catch {
                    note(error, of: path)
                }
            }
            level = next
        }
    }

    /// Lists a folder, adds the stores in it, and returns the paths of the folders in it.
    private mutating func list(
        _ folder: String, as place: StorePlace, _ name: String?, isFirst: Bool, _ seen: inout Set<FileIdentity>
    ) throws(FolderError) -> [String] {
        let contents = try contents(of: folder, isFirst: isFirst, &seen)
        for store in contents.stores.keys.sorted() where name == nil || store == name {
            let links = contents.stores[store] ?? [:]
            guard let location = try? StoreLocation(prefix: contents.path(of: store)) else { continue }
            add(Found(place: place, location: location, links: Set(links.filter(\.value).keys)))
        }
        return contents.folders
    }

    /// Keeps a path that cannot be read, unless it has been removed since.
    mutating func note(_ error: FolderError, of path: String) {
        if error.errno == ENOENT || error.errno == ENOTDIR { return }
        unreadableCount += 1
        if unreadable.count < Self.mostUnreadable { unreadable.append(Unreadable(path: path, errno: error.errno)) }
    }

    private mutating func reach(_ limit: Limit) {
        if !reached.contains(limit) { reached.append(limit) }
    }

    private mutating func add(_ store: Found) {
        guard prefixes.insert(store.location.prefix).inserted else { return }
        if found.count == limits.stores { return reach(.stores) }
        found.append(store)
    }
}

// MARK: - Folders

extension StoreSearch {
    /// What a folder has in it, as far as the search needs it.
    private struct Contents {
        let folder: String
        /// For each name of a store its databases, and whether each is a symbolic link.
        var stores: [String: [DatabaseName: Bool]] = [:]
        /// The paths of the folders in it, sorted.
        var folders: [String] = []

        /// The path of a name in the folder.
        func path(of name: String) -> String { folder.hasSuffix("/") ? folder + name : folder + "/" + name }
    }

    private enum Kind {
        case file, folder, link, other
    }

    /// Lists a folder; one that was listed before has nothing in it.
    private mutating func contents(
        of folder: String, isFirst: Bool, _ seen: inout Set<FileIdentity>
    ) throws(FolderError) -> Contents {
        var contents = Contents(folder: folder)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isFirst ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw FolderError(errno: errno) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, seen.insert(FileIdentity(info)).inserted else {
            close(descriptor)
            return contents
        }
        guard let stream = fdopendir(descriptor) else {
            let reason = errno
            close(descriptor)
            throw FolderError(errno: reason)
        }
        defer { closedir(stream) }
        while !isOver, let entry = readdir(stream) {
            names += 1
            if names >= limits.names { reach(.names) }
            if names % 1_024 == 0, ContinuousClock.now - start > limits.time { reach(.time) }
            let name: String? = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            let store = name.flatMap(Self.database)
            let kind = Self.kind(of: entry, in: stream)
            guard let name else {
                if kind == .folder { foldersWithoutText += 1 }
                continue
            }
            switch kind {
            case .folder:
                let path = contents.path(of: name)
                if !Self.systemFolders.contains(path) { contents.folders.append(path) }
            case .file, .link:
                if let store { contents.stores[store.name, default: [:]][store.database] = kind == .link }
            case .other: break
            }
        }
        if ContinuousClock.now - start > limits.time { reach(.time) }
        contents.folders.sort()
        progress(names)
        return contents
    }

    /// The store and the database that a file's name means. A name that is only the ending means no store that chatdb
    /// can open.
    private static func database(_ name: String) -> (name: String, database: DatabaseName)? {
        for database in DatabaseName.allCases {
            let suffix = StoreLocation.suffix(of: database)
            if name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count {
                return (String(name.dropLast(suffix.count)), database)
            }
        }
        return nil
    }

    /// The kind of a name in a folder. Some file systems do not say it in the list of names.
    private static func kind(of entry: UnsafeMutablePointer<dirent>, in stream: OpaquePointer) -> Kind {
        switch entry.pointee.d_type {
        case UInt8(DT_DIR): return .folder
        case UInt8(DT_REG): return .file
        case UInt8(DT_LNK): return .link
        case UInt8(DT_UNKNOWN): break
        default: return .other
        }
        var info = stat()
        let isThere = withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                fstatat(dirfd(stream), $0, &info, AT_SYMLINK_NOFOLLOW) == 0
            }
        }
        guard isThere else { return .other }
        switch info.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .file
        case S_IFLNK: return .link
        default: return .other
        }
    }
}
