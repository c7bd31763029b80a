package import ChatDBKit

/// One page about a store.
package struct InspectReport: Report {
    package let location: StoreLocation
    package let status: StoreStatus
    /// The files on the disk.
    package let files: [DatabaseName: InspectFile]
    /// The sizes of the databases, as far as they could be measured.
    package let spaces: [DatabaseName: DatabaseSpace]
    /// The names of the views of the databases that this build knows.
    package let views: [DatabaseName: [String]]
    /// The contents of the chat database; nil if it is missing, or of another program.
    package let contents: InspectContents?
    /// The number of differences from the version's schema; empty for one that cannot be compared.
    package let drift: [DatabaseName: Int]
    /// The databases that seem to be older, and whose list of migrations lost rows.
    package let lostMigrations: Set<DatabaseName>
    /// What happened last.
    package let timeline: StoreTimeline
    /// The folder of the migrations, for the next steps; nil for this build's own.
    package var migrationsDir: String?
    /// The option that gave the passphrase, for the next steps.
    package var passphrase: GivenPassphrase?

    package var document: Document {
        var blocks: [Block] = [.heading("Store \(location.prefix)"), .fields(fields), .table(databases)]
        blocks += InspectTables.largest(spaces)
        if let contents, let profiles = contents.profiles { blocks += sections(contents, profiles) }
        blocks += timeline.blocks
        let notes = self.notes.map { Note(kind: .note, text: $0, commands: [wayDown]) }
        blocks.append(.notes(warnings.map { .warning($0) } + notes))
        if !next.isEmpty { blocks += [.heading("Next"), .verbatim(next.joined(separator: "\n"), language: "sh")] }
        return Document(blocks)
    }

    private func sections(_ contents: InspectContents, _ profiles: [InspectContents.Profile]) -> [Block] {
        var blocks: [Block] = [.heading("Profiles"), .table(InspectTables.profiles(profiles, contents.operators))]
        if let hidden = contents.hiddenProfiles, hidden > 0 {
            blocks.append(.paragraph("and \(hidden) hidden", style: .dim))
        }
        if profiles.allSatisfy({ $0.servers != nil && $0.relays != nil }) {
            blocks += InspectTables.operators(profiles, contents.operators)
        }
        if profiles.allSatisfy({ $0.readiness != nil }) { blocks += InspectTables.readiness(profiles) }
        if profiles.allSatisfy({ $0.relays != nil }) { blocks += InspectTables.relays(profiles) }
        if profiles.allSatisfy({ $0.channels != nil }) {
            blocks += InspectTables.channels(profiles, unreached: contents.unreached)
        }
        if profiles.allSatisfy(\.isRelayServiceRead) { blocks += InspectTables.relayService(profiles) }
        return blocks + InspectTables.unfinished(profiles) + InspectTables.prepared(profiles)
    }

    private var fields: [Field] {
        let isAdopted = location.hasNamedFiles && status.readable.values.contains(where: \.isOfOtherMigrations)
        var fields = [
            Field("Made by", .text(isAdopted ? "another program, adopted by chatdb" : status.kind.program))
        ]
        let encrypted = DatabaseName.allCases.filter { files[$0]?.isEncrypted == true }
        if let first = encrypted.first {
            let isPair = encrypted.count == location.databases.count && encrypted.count > 1
            fields.append(Field("Encrypted", .text(isPair ? "both databases" : "the \(first) database")))
        }
        if !simplexVersions.isEmpty { fields.append(Field("Schema", .text(SimpleXText.schemas(simplexVersions)))) }
        if let identity {
            fields += [Field("Store id", .text(identity.storeID)), Field("Generation", .number(identity.generation))]
        }
        return fields
    }

    private var databases: Table {
        Table(
            [
                Column("Database"), Column("Size", key: "bytes", alignment: .right), Column("Journal"),
                Column("Version", shrinking: .end), Column("Applied", key: "migrations", alignment: .right),
                Column("State"),
            ],
            rows: DatabaseName.allCases.compactMap { database in
                guard let part = status.readable[database] else { return nil }
                let state = state(of: part)
                return [
                    .text(database.rawValue), .bytes(part.bytes), .text(files[database]?.shown),
                    .text(part.version), .count(part.applied.count), .text(state?.shown, state?.style),
                ]
            }, whenEmpty: "no database can be read")
    }

    /// The version of a database compared with this build's; nil for another program's.
    package func state(of part: FoundDatabase) -> InspectState? {
        guard part.kind == .chatdb else { return nil }
        if needsFolder(part) { return .otherMigrations }
        if lostMigrations.contains(part.name) { return .lostMigrations }
        if part.needsItsMigrations || part.isOfOtherHistory { return .otherHistory }
        if !part.unknown.isEmpty { return .newer }
        return part.pending.isEmpty ? .current : .older(part.pending.count)
    }

    /// Whether the migrations of a database are in a folder that was not named.
    func needsFolder(_ part: FoundDatabase) -> Bool { migrationsDir == nil && part.needsItsMigrations }
}

/// The version of a database compared with this build's.
package enum InspectState {
    case current
    case older(Int)
    /// Its list of migrations lost rows, so that it only seems to be older.
    case lostMigrations
    case newer
    case otherHistory
    case otherMigrations

    package var key: String {
        switch self {
        case .current: "current"
        case .older: "needsUpgrade"
        case .lostMigrations: "lostMigrations"
        case .newer: "newer"
        case .otherHistory: "differentHistory"
        case .otherMigrations: "otherMigrations"
        }
    }

    package var shown: String {
        switch self {
        case .current: "current"
        case .older(let count): "\(count) pending"
        case .lostMigrations: "list lost rows"
        case .newer: "newer"
        case .otherHistory: "other history"
        case .otherMigrations: "other migrations"
        }
    }

    package var style: CellStyle {
        switch self {
        case .current: .good
        case .otherMigrations: .dim
        case .older, .lostMigrations, .newer, .otherHistory: .bad
        }
    }
}
