public import ChatDBEngine
import ChatDBMigrationFiles
public import ChatDBSchema

/// A source of migrations.
public enum MigrationSource: Sendable {
    /// The migrations of this build. Their texts are validated at first use, which never happens for a current store; a
    /// test validates all of them.
    case build
    /// Files embedded in a program: their paths, `sqlite/chat/<name>.up.sql`, `postgres/chat/<name>.up.sql` and so on,
    /// and their content. Those of the other engine are left out.
    case embedded([(path: String, content: String)])
    /// A folder that contains the folders `chat` and `agent`, with migrations for one engine. One of the two may be
    /// missing.
    case folder(String)

    /// The migrations of each database for an engine, sorted by name. Both databases are present; a list may be empty.
    ///
    /// An error lists all problems in all files; nothing is loaded then. Hidden files and `README…` are skipped, and in a
    /// folder also copies of an editor or a merge, and notes: `…~`, `….bak`, `….orig`, `….rej`, `….swp`, `….txt`.
    public func load(
        for syntax: SQLSyntax = .sqlite
    ) throws(MigrationFileError) -> [DatabaseName: [Migration]] {
        switch self {
        case .build: return try Self.load(ownFiles: Self.ownFiles, for: syntax)
        case .embedded(let embedded): return try Self.load(embedded, into: MigrationFileSet(for: syntax))
        case .folder(let path):
            var files = MigrationFileSet(for: syntax)
            try files.addFolder(path)
            return try files.migrations().permittingNames(syntax)
        }
    }

    /// The same for a command that runs none of the migrations, or whose plan validates those that it needs: also loads
    /// those whose SQL is invalid, such as one that is still being written, and returns their problems; nil without any.
    package func loadForReading(for syntax: SQLSyntax = .sqlite) throws(MigrationFileError) -> (
        migrations: [DatabaseName: [Migration]], problems: MigrationFileError?
    ) {
        do {
            return (try load(for: syntax), nil)
        } catch {
            guard case .folder(let path) = self, case .invalid = error else { throw error }
            var files = MigrationFileSet(for: syntax, lookingThrough: false)
            try files.addFolder(path)
            return (try files.migrations().permittingNames(syntax), error)
        }
    }

    /// The files of this build's own migrations, for both engines.
    static var ownFiles: [(path: String, content: String)] {
        EmbeddedFiles.all.filter { syntax(ofFile: $0.path) != nil }
    }

    /// The engine that an embedded file is for, which is the first folder of its path; nil for other folders.
    static func syntax(ofFile path: String) -> SQLSyntax? {
        SQLSyntax.allCases.first { path.hasPrefix($0.rawValue + "/") }
    }

    /// The names of this build's own migrations, of both databases and for both engines.
    package static let ownNames = Set(
        ownFiles.compactMap { file in
            file.path.hasSuffix(MigrationFileSet.upSuffix)
                ? String(fileName(of: file.path).dropLast(MigrationFileSet.upSuffix.count)) : nil
        })

    /// This build's own migrations for each engine, loaded once: others are compared with them.
    static let own: [SQLSyntax: [DatabaseName: [Migration]]] = Dictionary(
        uniqueKeysWithValues: SQLSyntax.allCases.map { ($0, (try? load(ownFiles: ownFiles, for: $0)) ?? [:]) })

    /// The checksums of this build's own migrations, of both databases and for both engines.
    static let ownChecksums = Set(own.values.flatMap { $0.values.joined() }.map(\.checksum))

    /// Files that were validated when the program was built.
    static func load(
        ownFiles files: [(path: String, content: String)], for syntax: SQLSyntax = .sqlite
    ) throws(MigrationFileError) -> [DatabaseName: [Migration]] {
        try load(files, into: MigrationFileSet(for: syntax, lookingThrough: false))
    }

    private static func load(
        _ embedded: [(path: String, content: String)], into files: consuming MigrationFileSet
    ) throws(MigrationFileError) -> [DatabaseName: [Migration]] {
        for (path, content) in embedded.sorted(by: { $0.path < $1.path }) { files.addEmbedded(path, content) }
        return try files.migrations()
    }
}

extension [DatabaseName: [Migration]] {
    /// The same. From now on, errors show the names of their tables and columns: the user wrote them.
    fileprivate func permittingNames(_ syntax: SQLSyntax) -> Self {
        EngineMessage.permit(namesIn: values.joined().map(\.up.text), syntax: syntax)
        return self
    }
}

extension MigrationFileSet {
    fileprivate mutating func addEmbedded(_ path: String, _ content: String) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard let fileName = parts.last, !Self.isPassedOver(fileName) else { return }
        guard parts.count == 3, let folder = SQLSyntax(rawValue: parts[0]),
            let database = DatabaseName(rawValue: parts[1])
        else {
            refuse(path, "a migration lies in sqlite/chat, sqlite/agent, postgres/chat or postgres/agent")
            return
        }
        guard folder == syntax else { return }
        if let place = place(fileName, database: database, source: path) { add(content, at: place) }
    }

    fileprivate mutating func addFolder(_ path: String) throws(MigrationFileError) {
        guard let parent = try MigrationFolder.open(path) else { throw .noFolder(path: path) }
        var isEmpty = true
        for database in DatabaseName.allCases {
            guard let folder = try MigrationFolder.open(parent.pathOf(database.rawValue)) else { continue }
            isEmpty = false
            for fileName in try folder.names() where !Self.isPassedOver(fileName) && !Self.isCopyOrNote(fileName) {
                let source = folder.pathOf(fileName)
                if !Self.isMigration(fileName), (try? MigrationFolder.open(source)) ?? nil != nil {
                    refuse(source, "a folder, where only files of migrations may be")
                    continue
                }
                guard let place = place(fileName, database: database, source: source) else { continue }
                switch try folder.read(fileName) {
                case .text(let text): add(text, at: place)
                case .refused(let reason): refuse(place, reason)
                }
            }
        }
        guard !isEmpty else { throw .noMigrationFolders(path: path) }
        for fileName in try parent.names() where fileName.hasSuffix(".sql") {
            refuse(parent.pathOf(fileName), "a migration lies in the folder chat or agent")
        }
        refuseNested(in: parent)
    }

    /// Refuses migrations in a folder `sqlite` beside `chat` and `agent`: this build's own are in such a folder, so
    /// they could be meant, and a run would pass them over.
    private mutating func refuseNested(in parent: MigrationFolder) {
        let nested = MigrationFolder(path: parent.pathOf("sqlite"))
        for database in DatabaseName.allCases {
            guard let folder = try? MigrationFolder.open(nested.pathOf(database.rawValue)) else { continue }
            let place = parent.pathOf(database.rawValue)
            for fileName in (try? folder.names()) ?? [] where fileName.hasSuffix(".sql") {
                refuse(folder.pathOf(fileName), "a migration lies in \(place), not below sqlite")
            }
        }
    }

    /// Whether a file is a copy that an editor or a merge left, or a note. A migration that was saved as text is neither:
    /// its author would take it for a migration.
    private static func isCopyOrNote(_ fileName: String) -> Bool {
        let name = fileName.lowercased()
        if name.hasSuffix(".txt") { return !name.hasSuffix(".sql.txt") }
        return ["~", ".bak", ".orig", ".rej", ".swp"].contains { name.hasSuffix($0) }
    }

    private static func isPassedOver(_ fileName: String) -> Bool {
        fileName.hasPrefix(".") || fileName.hasPrefix("README")
    }
}

/// The names of tables, columns, indexes and triggers in this build's migrations. An error may show only these: other
/// names come from the file, and a person may have written them.
package enum KnownNames {
    /// The texts, with `other` in the place of each name that this build does not know. Numbers of pages and rows stay.
    package static func shown(_ texts: [String]) -> [String] {
        texts.map { EngineMessage.shown($0, known: names, numbersAreIDs: true) }
    }

    /// The clauses about damaged parts, with `other` in the place of each name of a part that this build does not know.
    package static func shown(_ parts: [DatabaseDamage]) -> [String] {
        parts.map { part in
            part.renamed { isKnown($0) ? $0 : part.kind == .schema ? nil : "other" }.sentence
        }
    }

    /// Whether a name is of this build, or is the name that the engine makes from one: that of an index of a UNIQUE, or
    /// of a table behind a search index.
    private static func isKnown(_ name: String) -> Bool {
        let name = name.lowercased()
        if names.contains(name) || EngineMessage.isPermitted(name) { return true }
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        let isAutomatic = name.hasPrefix("sqlite_autoindex_") && parts.last.map { Int($0) != nil } == true
        let isShadow = ["config", "content", "data", "docsize", "idx"].contains(parts.last.map(String.init))
        let base = parts.dropFirst(isAutomatic ? 2 : 0).dropLast()
        return (isAutomatic || isShadow) && names.contains(base.joined(separator: "_"))
    }

    /// In lower case.
    private static let names: Set<String> = {
        var names: Set<String> = []
        for file in MigrationSource.ownFiles where file.path.hasSuffix(".sql") {
            let syntax = MigrationSource.syntax(ofFile: file.path) ?? .sqlite
            names.formUnion(EngineMessage.names(in: file.content, syntax: syntax))
        }
        return names
    }()
}
