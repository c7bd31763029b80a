import ArgumentParser
import ChatDBKit

/// The files of adopted databases on a command line: `chat=FILE`, `agent=FILE`, or both.
struct NamedFiles {
    /// The paths as they were given.
    let paths: [DatabaseName: String]

    /// Nil if the values name no database, so that they are paths of stores. Throws a `ValidationError` for values that
    /// are mixed, or that name a database twice.
    init?(_ values: [String]) throws {
        let named = values.compactMap(Self.parts)
        if named.isEmpty {
            try values.forEach(Self.refuseOtherName)
            return nil
        }
        guard named.count == values.count else {
            throw ValidationError("name either a store, or the files of its databases: chat=FILE, agent=FILE")
        }
        let paths = Dictionary(named, uniquingKeysWith: { first, _ in first })
        guard paths.count == named.count else {
            throw ValidationError("name each database once: chat=FILE, agent=FILE")
        }
        if let empty = paths.first(where: \.value.isEmpty) {
            throw ValidationError("the name of the file of the \(empty.key) database is empty")
        }
        self.paths = paths
    }

    /// Throws for `app=FILE` with a file that exists: people name their database, and a path with `=` would make a new
    /// store of that name.
    private static func refuseOtherName(_ value: String) throws {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].contains("/"), case .regular = FileState(at: parts[1]) else { return }
        throw ValidationError(
            "\"\(parts[0])\" is no name of a database; name the files of adopted databases chat=FILE and agent=FILE")
    }

    /// The values again, chat first.
    var arguments: [String] { DatabaseName.allCases.compactMap { name in paths[name].map { "\(name)=\($0)" } } }

    /// The database and the file of a value; nil for a path.
    static func parts(_ value: String) -> (DatabaseName, String)? {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let database = DatabaseName(rawValue: parts[0]) else { return nil }
        return (database, parts[1])
    }
}

extension StoreLocation {
    /// Whether the command line names the files of two databases.
    var isNamedPair: Bool { hasNamedFiles && databases.count == DatabaseName.allCases.count }

    /// Throws a `ValidationError` if `--only` names a database whose file was not named: no such file is missing.
    /// - Parameter option: the option or argument that names the files.
    func requireNamed(_ only: DatabaseName?, by option: String = "--database") throws {
        guard hasNamedFiles, let only, !databases.contains(only) else { return }
        throw ValidationError("--only names the \(only) database, and \(option) another one")
    }
}
