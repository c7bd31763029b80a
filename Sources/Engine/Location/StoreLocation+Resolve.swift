import ChatDBSchema

extension StoreLocation {
    /// The store that a person means by a path.
    ///
    /// The path is, in this order: the prefix of databases that are there; the path of one of the two files, there
    /// or not; a folder with exactly one pair, or, without any pair, exactly one lone database; otherwise the
    /// prefix of a store that is still to be made. A lone database is a store: see ``missing``.
    public static func resolve(_ given: String) throws(StoreLocationError) -> StoreLocation {
        let asPrefix = try StoreLocation(prefix: given)
        if DatabaseName.allCases.contains(where: { asPrefix.state(of: $0) != .missing }), !given.hasSuffix("/") {
            return asPrefix
        }
        for database in DatabaseName.allCases where asPrefix.prefix.hasSuffix(suffix(of: database)) {
            return try StoreLocation(prefix: String(asPrefix.prefix.dropLast(suffix(of: database).count)))
        }
        switch FileState(at: asPrefix.prefix) {
        case .notRegular(.directory):
            return try onlyStore(in: asPrefix.prefix)
        case .missing:
            if given.hasSuffix("/") { throw .noSuchFolder(asPrefix.prefix) }
            return asPrefix
        case .empty, .regular, .notRegular:
            throw .notAStore(asPrefix.prefix)
        case .unreachable(let reason):
            throw .unreadable(asPrefix.prefix, errno: reason)
        }
    }

    private static func onlyStore(in folder: String) throws(StoreLocationError) -> StoreLocation {
        let path = folder.hasSuffix("/") ? folder : folder + "/"
        var found: [String: Int] = [:]
        do throws(FolderError) {
            for name in try folderNames(folder) {
                for database in DatabaseName.allCases where name.hasSuffix(suffix(of: database)) {
                    guard FileState(at: path + name) != .notRegular(.directory) else { continue }
                    found[String(name.dropLast(suffix(of: database).count)), default: 0] += 1
                }
            }
        } catch {
            throw .unreadable(folder, errno: error.errno)
        }
        let pairs = found.filter { $0.value == 2 }.keys.sorted()
        let candidates = pairs.isEmpty ? found.keys.sorted() : pairs
        guard let only = candidates.first else { throw .noStoreInFolder(folder) }
        if candidates.count > 1 { throw .severalStores(folder, prefixes: candidates.map { path + $0 }) }
        return try StoreLocation(prefix: path + only)
    }
}
