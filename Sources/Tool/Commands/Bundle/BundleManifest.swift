import ChatDBKit

/// What is in a bundle, and what is not and why: the first thing in it.
struct BundleManifest {
    /// Something that was left out.
    struct LeftOut {
        let what: String
        let why: String
    }

    static let version: Int64 = 1

    /// When it was made, ISO 8601.
    let made: String
    let includesHosts: Bool

    /// Sections and what they hold, in the order of the document.
    static let contents: [(section: String, holds: String)] = [
        ("store", "kind, id, sizes, versions and migrations of the two databases, and whether they belong together"),
        ("rows", "how many rows each table has, including those of hidden profiles"),
        ("otherTables", "how many tables have names that this build does not know, and their rows"),
        ("states", "how many rows have which state"),
        ("profiles", "by number: how many relays, servers, channels, groups and contacts each has"),
        (
            "relays",
            "by number, soft-deleted ones too: kind, switches, last test, use, and the host when this build ships it"
        ),
        ("servers", "by number: protocol, kind, switches, last test, and the host when this build ships it"),
        ("channels", "by number: role, membership and how many relays are active"),
        ("inactiveRelays", "by number: the relays that are not active in a channel, and their status there"),
        ("relaysOff", "by number: the relays of channels that no new channel may use, and their status there"),
        ("incompleteRelays", "by number: the rows of channels that lack a relay or a member, and their status"),
        ("preparedGroups", "by number: the groups that were opened by a link and never joined"),
        ("unfinishedChannels", "by number: the channels whose creation is not finished, and what they lack"),
        ("relayService", "by number: what each profile does as a chat relay: groups, requests and queues, as counts"),
        ("unreadable", "the rows that are left out because a value cannot be read: table, number and column"),
        (
            "timeline",
            "times to the second: when the store was migrated and written, and messages were last received and sent"
        ),
        ("warnings", "problems, by kind"),
        (
            "findings",
            "what chatdb check finds, by kind and number, with rows by number, and columns that refer to missing rows"
        ),
        ("schema", "where tables, columns, indexes and triggers differ from those of the version"),
        ("notes", "what could not be read or decided"),
    ]

    var leftOut: [LeftOut] {
        var list = [
            LeftOut(what: "names of profiles, contacts, members, groups and channels", why: "they show who knows whom"),
            LeftOut(what: "texts of messages, names of files, pictures", why: "they are the contents of conversations"),
            LeftOut(what: "links and addresses", why: "anyone who has one can use it"),
            LeftOut(what: "keys, ratchets, passwords and their hashes", why: "they are secret"),
            LeftOut(
                what: "what hidden profiles have, and their numbers",
                why: "they are private; the numbers of rows include them, and so show that there are some"),
            LeftOut(
                what: "the path of the store and the names of its files", why: "a path often contains a person's name"),
            LeftOut(
                what: "texts within definitions of the schema, and names that this build does not know",
                why: "definitions that are not of chatdb can contain anything"),
        ]
        if !includesHosts {
            list.append(
                LeftOut(
                    what: "hosts of relays and servers that this build does not ship",
                    why: "a private server can identify its owner; --include hosts includes them"))
        }
        return list
    }

    var json: JSONValue {
        [
            "format": "chatdb-bundle", "version": .integer(Self.version), "made": .string(made),
            "chatdb": .string(Version.number), "text": .string(Version.text),
            "contents": .array(
                Self.contents.map { ["section": .string($0.section), "holds": .string(held($0.holds))] }),
            "leftOut": leftOutJSON,
        ]
    }

    /// What a section holds in this bundle.
    private func held(_ text: String) -> String {
        includesHosts ? text.replacing(" when this build ships it", with: "") : text
    }

    var leftOutJSON: JSONValue {
        .array(leftOut.map { ["what": .string($0.what), "why": .string($0.why)] })
    }
}

/// What is said when a bundle was written.
struct BundleReport: Report {
    let file: String
    let bytes: Int
    let manifest: BundleManifest

    var json: JSONValue {
        [
            "file": .string(file), "bytes": JSONValue(bytes), "leftOut": manifest.leftOutJSON,
            "includesHosts": .bool(manifest.includesHosts),
        ]
    }

    private var notes: [Note] {
        guard manifest.includesHosts else { return [] }
        return [
            .note(
                "the file also has the hosts of relays and servers that this build does not ship (--include hosts); a "
                    + "private server can identify its owner")
        ]
    }

    var document: Document {
        [
            .fields([Field("Written to", key: "file", .text(file)), Field("Size", key: "bytes", .bytes(bytes))]),
            .heading("Left out"),
            .table(
                Table(
                    [Column("What", shrinking: .wrapped), Column("Why", shrinking: .wrapped)],
                    rows: manifest.leftOut.map { [.text($0.what), .text($0.why)] }, whenEmpty: "nothing")),
            .notes(notes), .paragraph("Review the file before you send it."),
        ]
    }
}
