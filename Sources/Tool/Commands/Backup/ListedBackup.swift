import ChatDBKit
import Foundation

/// A backup in a list.
struct ListedBackup {
    let backup: FoundBackup
    /// Whether it is a backup of the store of the command. It is nil if the id of the store or of the backup is unknown.
    let isOfStore: Bool?
    /// The command that restores it. It is nil if chatdb would not restore it into the store.
    let restore: String?
    /// Whether that command needs a passphrase that was not given.
    let lacksPassphrase: Bool
    /// The command that restores a plain backup if the passphrase of the store is lost. It is nil for an encrypted one.
    let restoreWithoutPassphrase: String?
    /// Whether it has another passphrase than the given one. It is nil if that is unknown, because no passphrase was
    /// given.
    let isOfOtherPassphrase: Bool?
    /// Whether a database of it is encrypted. It is nil if no database says so, and not all of them can be looked at.
    let isEncrypted: Bool?
    /// Whether it was made before databases of another program were adopted. Its restore undoes the adoption.
    let isBeforeAdoption: Bool
    /// Its database, if it lacks the other one of the store.
    let onlyDatabase: DatabaseName?
    /// Whether the adoption of the store made it, as far as the id of the store is known.
    let isOfThisAdoption: Bool

    /// - Parameters:
    ///   - isLocked: whether the given passphrase does not open the store.
    ///   - interrupted: an interrupted restore or change of the passphrase, which only its own command completes.
    init(
        _ backup: FoundBackup, storeID: String?, _ passphrases: BackupPassphrases, isLocked: Bool,
        interrupted: RestoreRecord?, _ context: StoreContext
    ) {
        (self.backup, isOfOtherPassphrase) = (backup, passphrases.isOther(backup))
        let id = backup.manifest?.identity?.storeID
        isOfStore = storeID.flatMap { store in id.map { $0 == store } }
        let isSimplex = backup.manifest?.isSimplex ?? false
        isBeforeAdoption = context.location.hasNamedFiles && backup.isBeforeAdoption
        onlyDatabase =
            isOfStore == true
            ? backup.onlyDatabase(of: context.location)
            : isOfStore == nil ? backup.onlyDatabase(at: context.location) : nil
        isOfThisAdoption = isBeforeAdoption && backup.isBeforeAdoption(as: storeID)
        let isRestorable =
            backup.state == .complete && isOfStore != false && interrupted?.isOf(backup.path) != false
            && backup.manifest?.objection(isSimplex: isSimplex, at: context.location) == nil
        // With a passphrase that opens neither, a restore of a plain backup would end.
        let isEncrypted = backup.databases.contains(where: SQLiteEngine().looksEncrypted)
        self.isEncrypted = isEncrypted || backup.state == .complete ? isEncrypted : nil
        var command = RestoreCommandLine(
            folder: backup.path, store: context.location.withOtherFile(of: backup),
            versions: isSimplex ? [:] : backup.manifest?.parts.mapValues(\.version) ?? [:], build: context.build,
            passphrase: isLocked && !isEncrypted ? nil : .ofCommandLine)
        command.isLocked =
            isLocked
            || passphrases.isEncrypted(context.location)
                && (isOfOtherPassphrase ?? passphrases.hasOtherSalt(backup, than: context.location))
        // Without a passphrase, a restore of a plain backup needs that of the store.
        command.lacksPassphrase = isOfOtherPassphrase != false || passphrases.isMissing(of: context.location)
        lacksPassphrase = command.lacksPassphrase
        restore = isRestorable ? command.text : nil
        command.isLocked = passphrases.isEncrypted(context.location)
        (command.passphrase, command.lacksPassphrase) = (nil, false)
        restoreWithoutPassphrase = isRestorable && !isEncrypted ? command.text : nil
    }

    static var fields: [FieldSpec<ListedBackup>] {
        [
            .text("path") { $0.backup.path }, .text("state") { $0.backup.state.rawValue },
            .time("createdAt") { $0.created }, .number("bytes") { $0.bytes },
            .text("storeId") { $0.backup.manifest?.identity?.storeID },
            .number("generation") { $0.backup.manifest?.identity?.generation },
            .flag("ofThisStore") { $0.isOfStore }, .flag("beforeAdoption") { $0.isBeforeAdoption },
            .flag("interrupted") { $0.backup.isOfInterrupted },
            .flag("encrypted") { $0.isEncrypted }, .flag("otherPassphrase") { $0.isOfOtherPassphrase },
        ]
            + DatabaseName.allCases.flatMap { name -> [FieldSpec<ListedBackup>] in
                [
                    .json(name.rawValue) { $0.backup.manifest?.parts[name]?.json ?? .null },
                    .csv("\(name)Version") { .text($0.backup.manifest?.parts[name]?.version) },
                ]
            } + [.text("restore") { $0.restore }]
    }

    /// The columns for people.
    static var shown: [FieldSpec<ListedBackup>] {
        [
            // Never shortened: other commands need it.
            .shown("Backup") { .text(fileName(of: $0.backup.path)) },
            .time("createdAt", "Made") { $0.created }, .bytes("bytes", "Size") { $0.bytes },
            .shown("State") { Cell(.text($0.shownState), $0.backup.state == .complete ? nil : .bad) },
            .flag("ofThisStore", "Of this store") { $0.isOfStore },
        ]
    }

    private var shownState: String {
        let secrecy = isOfOtherPassphrase == true ? "other passphrase" : isEncrypted == true ? "encrypted" : nil
        let moment = backup.isOfInterrupted ? "in the middle of a migration" : nil
        let part = onlyDatabase.map { "\($0) only" }
        return [backup.state.rawValue, secrecy, moment, part].compactMap(\.self).joined(separator: ", ")
    }

    /// The size; nil for the empty folder of an unfinished backup.
    private var bytes: Int64? { backup.bytes == 0 ? nil : backup.bytes }

    private var created: StoredTime? { backup.manifest.flatMap { StoredTime(iso8601: $0.createdAt) } }
}

/// Tells which backups the passphrase of a command opens. Derives no key for a plain file, and one for the files with a
/// salt that it opens. Two files with the same salt can have two passphrases: SQLCipher and the app keep the salt when
/// they change the passphrase.
struct BackupPassphrases {
    private let engine: SQLiteEngine

    /// - Parameter engine: the engine with the passphrase.
    init(_ engine: SQLiteEngine) { self.engine = engine }

    /// Whether a database of the store has another passphrase; false if no passphrase was given.
    func isOther(_ store: StoreLocation) -> Bool {
        engine.hasPassphrase && isOther(store.databases.map(store.path(of:)).filter(engine.looksEncrypted))
    }

    /// Whether a database of the store is encrypted, and no passphrase was given.
    func isMissing(of store: StoreLocation) -> Bool {
        !engine.hasPassphrase && isEncrypted(store)
    }

    /// Whether a backup has another passphrase; nil if that is unknown.
    func isOther(_ backup: FoundBackup) -> Bool? {
        guard backup.state == .complete else { return nil }
        let encrypted = backup.databases.filter(engine.looksEncrypted)
        return encrypted.isEmpty ? false : engine.hasPassphrase ? isOther(encrypted) : nil
    }

    /// Whether a database of the store is encrypted.
    func isEncrypted(_ store: StoreLocation) -> Bool {
        store.databases.map(store.path(of:)).contains(where: engine.looksEncrypted)
    }

    /// Whether the given passphrase opens an encrypted database of the store.
    func opensOne(of store: StoreLocation) -> Bool {
        store.databases.map(store.path(of:)).filter(engine.looksEncrypted).contains {
            engine.examine($0).problem == nil
        }
    }

    /// Whether an encrypted database of a backup has a salt that no database of the store has. Without a passphrase,
    /// this shows that the two may have different ones: chatdb changes the salt with the passphrase.
    func hasOtherSalt(_ backup: FoundBackup, than store: StoreLocation) -> Bool {
        let salts = store.databases.map(store.path(of:)).map(Self.salt)
        return backup.databases.filter(engine.looksEncrypted).contains { !salts.contains(Self.salt($0)) }
    }

    /// The salt of an encrypted file. SQLite has none of these files open: without a passphrase, it cannot.
    private static func salt(_ path: String) -> Data? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        return try? file.read(upToCount: 16)
    }

    private func isOther(_ encrypted: [String]) -> Bool {
        encrypted.contains { engine.examine($0).problem?.kind == .wrongPassphrase }
    }
}

extension FoundBackup {
    /// Its database, if it lacks the other one of a store of two. The place of the store is known, and not its id: a
    /// backup of a file with another name and without chatdb's own migrations can be of a single database.
    func onlyDatabase(at store: StoreLocation) -> DatabaseName? {
        guard let database = onlyDatabase(of: store), let part = manifest?.parts[database] else { return nil }
        let isOwn = part.version.map(MigrationSource.ownNames.contains) == true
        return isOwn || part.file == fileName(of: store.path(of: database)) ? database : nil
    }

    /// What a backup of one database of two is for, a clause.
    static let restoredByHand =
        "no restore accepts a backup without the other database; to put this one back, close all programs that use the "
        + "store, move its file away with those beside it (-wal, -shm and -journal), and copy the file of the backup to "
        + "its place"

    /// The sentence about an unfinished backup, with the command that removes it.
    var unfinished: String {
        """
        unfinished: a program makes this backup now, or was stopped while it made it; if no chatdb runs, \
        rm -r \(ShellWord.quoted(path)) removes it
        """
    }
}

extension BackupManifest {
    /// The reason why chatdb would not restore it as this store, a clause; nil if it would.
    /// - Parameter isOurs: whether it is known to be a backup of databases of chatdb. Without an identity, these have lost
    ///   their row of `store`.
    func objection(isSimplex: Bool, isOurs: Bool = false, at store: StoreLocation) -> String? {
        if parts.count < store.databases.count { return "it has one database only" }
        if identity != nil || isSimplex { return nil }
        if store.hasNamedFiles, !isOurs {
            // Only databases that are not adopted have no list of migrations.
            return parts.values.allSatisfy { $0.version == nil } ? nil : "its table store has no row"
        }
        if store.databases.count == 1 { return "the table store of the database has no row" }
        return "it does not contain two databases of chatdb that belong together"
    }

    /// Whether its versions are SimpleX Chat's, as far as this build knows them.
    var isSimplex: Bool {
        identity == nil
            && parts.allSatisfy { database, part in
                part.version.map { SimpleXVersion.knows($0, in: database) } ?? false
            }
    }

    /// A line per database.
    var table: Table {
        Table(
            [
                Column("Database"), Column("Version"),
                Column("Size", key: "bytes", alignment: .right), Column("Tables", alignment: .right),
                Column("Rows", alignment: .right),
            ],
            rows: DatabaseName.allCases.compactMap { database in
                guard let part = parts[database] else { return nil }
                return [
                    .text(database.rawValue), .text(part.version), .bytes(part.bytes), .count(part.counts.count),
                    .count(part.rows),
                ]
            }, whenEmpty: "no database")
    }
}

extension BackupManifest.Part {
    /// Rows of all tables.
    var rows: Int { counts.values.reduce(0, +) }

    var json: JSONValue {
        [
            "file": .string(file), "bytes": .integer(bytes), "sha256": .string(sha256), "version": JSONValue(version),
            "tables": JSONValue(counts.count), "rows": JSONValue(rows),
        ]
    }
}
