import Engine
import EngineSQLite
import Migrations
import Schema

/// One page about a store.
struct InspectReport: Report {
    let location: StoreLocation
    let status: StoreStatus
    let journalModes: [DatabaseName: DatabaseHeader.JournalMode]
    /// What the chat database holds; nil when it is not there, or not ours.
    let contents: InspectContents?

    // MARK: For programs

    var json: JSONValue {
        var store: [JSONValue.Member] = [
            .init("kind", .string(status.kind.rawValue)), .init("prefix", .string(location.prefix)),
            .init("storeId", JSONValue(identity?.storeID)), .init("generation", JSONValue(identity?.generation)),
        ]
        for database in DatabaseName.allCases { store.append(.init(database.rawValue, json(of: database))) }
        return [
            "store": .object(store),
            "users": JSONValue(profiles: contents?.profiles) { $0.json },
            "hiddenUsers": JSONValue(contents?.hiddenProfiles),
            "relays": list(\.relays) { ["userId": .integer($0.id.rawValue), "relay": $1.json] },
            "channels": list(\.channels) { ["userId": .integer($0.id.rawValue), "group": $1.json] },
            "warnings": JSONValue(warnings), "notes": JSONValue(notes), "next": JSONValue(next),
        ]
    }

    private var identity: StoreIdentity? {
        status.isMismatched ? nil : status.readable[.chat]?.identity ?? status.readable[.agent]?.identity
    }

    private func json(of database: DatabaseName) -> JSONValue {
        guard let part = status.readable[database] else { return .null }
        return [
            "path": .string(part.path), "bytes": .integer(part.bytes),
            "journalMode": JSONValue(journalModes[database]?.rawValue), "version": JSONValue(part.version),
            "migrations": JSONValue(part.applied.count), "state": JSONValue(state(of: part)?.key),
            "pending": JSONValue(part.pending), "unknown": JSONValue(part.unknown),
        ]
    }

    /// The entries of one section of all profiles; null when the section could not be read.
    private func list<Entry>(
        _ section: (InspectContents.Profile) -> [Entry]?, _ json: (User, Entry) -> JSONValue
    ) -> JSONValue {
        guard let profiles = contents?.profiles else { return .null }
        var values: [JSONValue] = []
        for profile in profiles {
            guard let entries = section(profile) else { return .null }
            values += entries.map { json(profile.user, $0) }
        }
        return .array(values)
    }

    // MARK: For people

    var document: Document {
        var blocks: [Block] = [.heading("Store \(location.prefix)"), .fields(fields), .table(files)]
        if let profiles = contents?.profiles {
            blocks += [.heading("Profiles"), .table(InspectTables.profiles(profiles))]
            if let hidden = contents?.hiddenProfiles, hidden > 0 {
                blocks.append(.paragraph("and \(hidden) hidden", style: .dim))
            }
            if profiles.allSatisfy({ $0.relays != nil }) {
                blocks += [.heading("Relays"), .table(InspectTables.relays(profiles))]
            }
            if profiles.allSatisfy({ $0.channels != nil }) {
                blocks += [.heading("Channels"), .table(InspectTables.channels(profiles))]
            }
        }
        blocks.append(.notes(warnings.map { .warning($0) } + notes.map { .note($0) }))
        if !next.isEmpty { blocks += [.heading("Next"), .verbatim(next.joined(separator: "\n"), language: "sh")] }
        return Document(blocks)
    }

    private var fields: [Field] {
        var fields = [Field("Made by", .text(status.kind.shown))]
        if !simplexVersions.isEmpty { fields.append(Field("Schema", .text(SimpleXText.schemas(simplexVersions)))) }
        if let identity {
            fields += [Field("Store id", .text(identity.storeID)), Field("Generation", .number(identity.generation))]
        }
        return fields
    }

    private var files: Table {
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
                    .text(database.rawValue), .bytes(part.bytes), .text(journalModes[database]?.rawValue),
                    .text(part.version), .count(part.applied.count), .text(state?.shown, state?.style),
                ]
            }, whenEmpty: "no database can be read")
    }

    /// Where a database stands; nil for one that is not ours.
    private func state(of part: StoreStatus.Part) -> InspectState? {
        guard part.kind == .chatdb else { return nil }
        if !part.unknown.isEmpty { return .newer }
        return part.pending.isEmpty ? .current : .older(part.pending.count)
    }
}

/// Where a database stands in relation to this build.
enum InspectState {
    case current
    case older(Int)
    case newer

    var key: String {
        switch self {
        case .current: "current"
        case .older: "needsUpgrade"
        case .newer: "newer"
        }
    }

    var shown: String {
        switch self {
        case .current: "current"
        case .older(let count): "\(count) pending"
        case .newer: "newer"
        }
    }

    var style: CellStyle {
        switch self {
        case .current: .good
        case .older, .newer: .bad
        }
    }
}

extension JSONValue {
    /// A list of profiles, or `null` when they could not be read.
    fileprivate init(
        profiles: [InspectContents.Profile]?, _ json: (InspectContents.Profile) -> JSONValue
    ) {
        self = profiles.map { .array($0.map(json)) } ?? .null
    }
}

extension StoreStatus.Kind {
    /// The program's name.
    fileprivate var shown: String {
        switch self {
        case .chatdb: "chatdb"
        case .simplex: "SimpleX Chat"
        case .unknown: "unknown"
        }
    }
}
