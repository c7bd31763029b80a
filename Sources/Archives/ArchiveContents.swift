package import ChatDBSchema

/// What an archive of a store has in it, found out from the list of its entries.
package struct ArchiveContents: Sendable, Hashable {
    /// A number of entries, and the size of their contents in bytes.
    package struct Amount: Sendable, Hashable {
        package var count = 0
        package var bytes: Int64 = 0
    }

    /// The databases that are in the archive.
    package let databases: [DatabaseName: ArchiveEntry]
    /// The files of chats.
    package let files: Amount
    /// The pictures of the app's settings.
    package let assets: Amount
    /// Everything else, except for folders. It is never unpacked.
    package let others: Amount
    /// The first names of everything else, escaped and shortened.
    package let otherNames: [String]

    /// The number of names of everything else.
    private static let mostNames = 10

    /// The databases that are not in the archive, chat first.
    package var missing: [DatabaseName] { DatabaseName.allCases.filter { databases[$0] == nil } }

    /// The size of both databases in bytes.
    package var databaseBytes: Int64 { databases.values.reduce(0) { $0 + $1.size } }

    /// The size of all that can be unpacked in bytes.
    package var bytes: Int64 { databaseBytes + files.bytes + assets.bytes }

    /// The contents of an open archive. Throws when neither database is there: then it is another program's archive.
    /// Throws for a journal or a log of a database too: without it, the database is an older one, or damaged.
    package init(of reader: ArchiveReader) throws(ArchiveError) {
        var databases: [DatabaseName: ArchiveEntry] = [:]
        var (files, assets, others) = (Amount(), Amount(), Amount())
        var names: [String] = []
        var otherDatabase: String?
        for entry in reader.directory.entries {
            switch entry.kind {
            case .chat: databases[.chat] = entry
            case .agent: databases[.agent] = entry
            case .file: files.add(entry)
            case .asset: assets.add(entry)
            case .folder: break
            case .other:
                let (name, shown) = (reader.directory.name(of: entry), reader.directory.shownName(of: entry))
                if let journal = ArchiveName.journal(name), entry.size > 0 {
                    throw ArchiveError(reader.path, .journal(journal))
                }
                others.add(entry)
                if names.count < Self.mostNames { names.append(shown) }
                if otherDatabase == nil, ArchiveName.isOtherDatabase(name) { otherDatabase = shown }
            }
        }
        if databases.isEmpty { throw ArchiveError(reader.path, .noDatabases(other: otherDatabase)) }
        self.databases = databases
        (self.files, self.assets, self.others) = (files, assets, others)
        otherNames = names
    }
}

extension ArchiveContents.Amount {
    fileprivate mutating func add(_ entry: ArchiveEntry) {
        count += 1
        bytes += entry.size
    }
}
