import ChatDBKit

/// The stores that `find` has found.
struct FindReport: Report {
    let stores: [ListedStore]
    let search: StoreSearch
    /// The folders of `--below`.
    let below: [String]

    var json: JSONValue {
        [
            "stores": .array(stores.map(ListedStore.fields.json)),
            "reached": JSONValue(search.reached.map(\.rawValue)), "unreadable": JSONValue(search.unreadableCount),
            "notes": JSONValue(notes.map(\.text)),
        ]
    }

    var document: Document {
        [
            .table(ListedStore.listed.table(stores, whenEmpty: whenEmpty.text())),
            .notes(notes + (next.map { [.note($0.text())] } ?? [])),
        ]
    }

    var csvTable: Table { ListedStore.fields.csv(stores) }

    private var whenEmpty: Hint {
        below.isEmpty
            ? "no stores at the usual places; \(.find, "--below", "FOLDER") searches a folder"
            : "no stores below \(below.joined(separator: ", ")); \(.find) looks at the usual places"
    }

    /// The next command: the only store, or any.
    private var next: Hint? {
        guard let readable = stores.first(where: { $0.isEncrypted == false }) else { return nil }
        if stores.count > 1 { return "\(.inspect, "-d", "STORE") shows a store" }
        return "\(HintedCommand(.inspect, readable.location.words)) shows a store"
    }

    private var notes: [Note] {
        stores.flatMap(\.notes) + search.unreadable.map { .note($0.message) } + leftOut
            + search.reached.map { .warning("\($0.sentence); --below with a smaller folder finds more") }
    }

    /// Counts of what the notes do not name.
    private var leftOut: [Note] {
        var notes: [Note] = []
        let more = search.unreadableCount - search.unreadable.count
        if more > 0 { notes.append(.note("\(more) more cannot be read")) }
        switch search.foldersWithoutText {
        case 0: break
        case 1: notes.append(.note("1 folder was left out, because its name is not UTF-8"))
        case let count: notes.append(.note("\(count) folders were left out, because their names are not UTF-8"))
        }
        return notes
    }
}

extension StoreSearch.Limit {
    /// What the search left out.
    fileprivate var sentence: String {
        let limits = StoreSearch.Limits()
        return switch self {
        case .names: "the search stopped after \(CellText.grouped(Int64(limits.names))) names"
        case .stores: "the search stopped after \(CellText.grouped(Int64(limits.stores))) stores"
        case .time: "the search stopped after \(limits.time.components.seconds) seconds"
        case .depth: "the search left out folders that are more than \(limits.depth) levels deep"
        }
    }
}

extension ListedStore {
    /// The columns for programs and spreadsheets.
    fileprivate static var fields: [FieldSpec<ListedStore>] {
        [
            .text("prefix") { $0.prefix }, .text("place") { $0.place.rawValue }, .text("kind") { $0.kind.rawValue },
            .flag("encrypted") { $0.isEncrypted }, .json("backup") { .bool($0.role == .backup) },
            .json("role") { .string($0.role.rawValue) },
            .json("chat") { $0.json(of: .chat) }, .json("agent") { $0.json(of: .agent) },
        ]
            + DatabaseName.allCases.flatMap { name -> [FieldSpec<ListedStore>] in
                [
                    .csv("\(name)State") { .text($0.databases[name]?.state.rawValue) },
                    .csv("\(name)Version") { .text($0.databases[name]?.version) },
                    .csv("\(name)Bytes") { .bytes($0.databases[name]?.bytes) },
                ]
            } + [
                .csv("heldBy") { .text($0.shownHolders) }, .csv("backup") { .yesNo($0.role == .backup) },
                .csv("role") { .text($0.role.rawValue) },
            ]
    }

    /// The columns for people.
    fileprivate static var listed: [FieldSpec<ListedStore>] {
        [
            // Never shortened: other commands need it.
            .shown("Store") { .text($0.prefix) }, .shown("Made by") { .text($0.shownKind) },
            .shown("Version", shrinking: .end) { .text($0.version) },
            .flag("encrypted", "Encrypted") { $0.isEncrypted },
            .bytes("bytes", "Size") { $0.bytes }, .shown("Open in", shrinking: .end) { .text($0.shownHolders) },
        ]
    }

    private var shownKind: String {
        if isAdopted { return "another program, adopted by chatdb" }
        return role == .store ? kind.program : "\(kind.program) (\(role.rawValue))"
    }

    private var shownHolders: String? {
        guard let holders, !holders.isEmpty else { return nil }
        return holders.map(\.description).joined(separator: ", ")
    }

    private func json(of name: DatabaseName) -> JSONValue {
        guard let database = databases[name] else { return .null }
        let holders = database.holders.map { holders in
            JSONValue.array(holders.map { ["pid": .integer(Int64($0.pid)), "program": .string($0.program)] })
        }
        return [
            "state": .string(database.state.rawValue), "bytes": JSONValue(database.bytes),
            "version": JSONValue(database.version), "heldBy": holders ?? .null, "problem": JSONValue(database.problem),
        ]
    }

    /// What is unusual about it.
    fileprivate var notes: [Note] {
        var notes: [Note] = []
        switch role {
        case .store, .backup: break
        case .replaced:
            notes.append(
                .note("\(prefix) has files that a restore or a change of the passphrase of \(keptBeside) has replaced"))
        case .prepared:
            notes.append(
                .note("\(prefix) has files that a restore or a change of the passphrase of \(keptBeside) has prepared"))
        }
        for name in DatabaseName.allCases {
            guard let database = databases[name] else { continue }
            if let problem = database.problem {
                notes.append(database.state == .link ? .note(problem) : .warning(problem))
            }
            if database.state == .missing {
                notes.append(.warning("the \(name) database of \(prefix) is missing"))
            }
            let other = DatabaseName.allCases.first { $0 != name }.flatMap { databases[$0]?.state }
            if database.state == .encrypted, other == .plain {
                notes.append(.warning("only the \(name) database of \(prefix) is encrypted"))
            }
        }
        return notes + problems.map { .warning("\(prefix): \($0)") }
    }
}
