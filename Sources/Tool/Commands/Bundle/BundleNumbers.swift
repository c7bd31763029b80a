import ChatDBKit

/// Numbers of rows and of states, by database.
struct BundleNumbers {
    let rows: JSONValue
    /// The tables whose names are not known, which may be anybody's words: how many, and their rows.
    let otherTables: JSONValue
    let states: JSONValue

    /// A database whose schema cannot be read is left out, with a note.
    static func read(_ status: StoreStatus, with engine: any StorageEngine, _ notes: inout [String]) -> BundleNumbers {
        let engine = engine.limited(queryTimeLimit: .seconds(10), budget: .seconds(60))
        var rows: [JSONValue.Member] = []
        var others: [JSONValue.Member] = []
        var states: [JSONValue.Member] = []
        for database in DatabaseName.allCases {
            guard let part = status.readable[database] else { continue }
            do {
                let connection = try engine.open(part.path, as: .untrusted)
                defer { try? connection.close() }
                let numbers = StoreNumbers(of: database, tables: try connection.tableNames(), reading: connection)
                let known = numbers.rows.filter { KnownTables.contains($0.table, of: database) }
                let unknown = numbers.rows.filter { !KnownTables.contains($0.table, of: database) }
                let sum = unknown.map(\.count).reduce(Int64?(0)) { sum, count in
                    sum.flatMap { s in count.map { s + $0 } }
                }
                rows.append(.init(database.rawValue, .object(known.map { .init($0.table, JSONValue($0.count)) })))
                others.append(
                    .init(database.rawValue, ["tables": JSONValue(unknown.count), "rows": JSONValue(sum)]))
                states.append(.init(database.rawValue, .object(numbers.states.map(member))))
            } catch {
                notes.append("rows of the \(database) database were not counted: \(ErrorReport(error).code)")
            }
        }
        return BundleNumbers(rows: .object(rows), otherTables: .object(others), states: .object(states))
    }

    private static func member(_ states: StoreNumbers.States) -> JSONValue.Member {
        .init(
            "\(states.table).\(states.column)",
            .array(states.counts.map { ["state": json($0.state), "rows": .integer($0.rows)] }))
    }

    private static func json(_ state: StoreNumbers.States.State?) -> JSONValue {
        switch state {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        case nil: .null
        }
    }
}

/// The tables whose names a bundle may contain: those of this build, and those of SimpleX Chat.
enum KnownTables {
    static func contains(_ table: String, of database: DatabaseName) -> Bool {
        Catalogue.tableOfAnyProgram(table, of: database) != nil || simplex[database]?.contains(table) == true
    }

    /// The tables that only SimpleX Chat has, beside those that the catalogue describes.
    private static let simplex: [DatabaseName: Set<String>] = [
        .chat: words(
            """
            calls chat_item_messages chat_item_moderations commands contact_profiles extra_xftp_file_descriptions \
            group_member_intros group_member_status_predicates group_snd_item_statuses known_servers \
            msg_delivery_events pending_group_messages protocol_servers rcv_file_chunks received_probes \
            remote_controllers remote_hosts sent_probe_hashes sent_probes smp_servers snd_file_chunks
            """),
        .agent: words(
            """
            client_notices deleted_snd_chunk_replicas encrypted_rcv_message_hashes inv_short_links \
            ntf_tokens_to_delete processed_ratchet_key_hashes rcv_file_chunk_replicas servers_stats \
            snd_file_chunk_replica_recipients snd_file_chunk_replicas snd_message_bodies
            """),
    ]

    private static func words(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}

/// What `chatdb check` says of the store: ids and numbers, and between which tables references are broken.
/// docs/checks.md explains the ids. Samples are left out, because their texts may come from the file.
enum BundleFindings {
    /// Null when the store cannot be checked; the notes say why.
    static func json(
        _ store: Store, _ status: StoreStatus, _ context: StoreContext, _ output: Output, _ notes: inout [String]
    ) -> JSONValue {
        do {
            let found = try CheckedStore.check(store, status, context, output)
            notes += found.checkup.leftOut.compactMap(\.undecided)
            return .array(found.checkup.findings.map(\.withoutSamples))
        } catch {
            notes.append("findings: the store cannot be checked (\(ErrorReport(error).code))")
            return .null
        }
    }
}

extension Finding {
    fileprivate var withoutSamples: JSONValue {
        [
            "id": .string(id), "severity": .string(severity.rawValue), "count": JSONValue(count),
            "fixable": .bool(isFixable), "references": .array(knownReferences.map { .string($0) }),
            "rows": .array(rows.filter { $0.userID != nil }.prefix(FoundRows.mostShown).map(\.inBundle)),
        ]
    }

    /// The references to missing rows as `check` names them, each once: `group_relays.chat_relay_id in chat_relays`. A
    /// name that is not known may be anybody's word, and is `other`.
    private var knownReferences: [String] {
        guard let database = StoreCheck.all.first(where: { $0.id == id })?.databases.first else { return [] }
        func table(_ name: String) -> String { KnownTables.contains(name, of: database) ? name : "other" }
        return references.reduce(into: []) { texts, reference in
            let known = Catalogue.tableOfAnyProgram(reference.table, of: database)?.columns.map(\.name) ?? []
            let columns = reference.columns.map { known.contains($0) ? $0 : "other" }
            let text = "\(table(reference.table)).\(columns.joined(separator: ", ")) in \(table(reference.parent))"
            if !texts.contains(text) { texts.append(text) }
        }
    }
}

extension FoundRow {
    /// The numbers of a row. A row without a profile may belong to a hidden one, and is left out.
    fileprivate var inBundle: JSONValue {
        [
            "table": .string(table), "row": .integer(row), "userId": JSONValue(userID), "groupId": JSONValue(groupID),
            "missing": JSONValue(missing),
        ]
    }
}
