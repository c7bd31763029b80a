import ArgumentParser
import ChatDBKit

struct BundleDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two bundles, such as one from before a problem and one from after it.",
        discussion: """
            Shows each value that differs, section by section: versions, numbers of rows, states, findings. Warns if \
            the second bundle is the earlier one, and if the bundles are of two stores or of two programs. - reads one \
            of the two from standard input.

            Examples:
              chatdb bundle diff monday.json today.json
              chatdb bundle --preview | chatdb bundle diff monday.json -
              chatdb bundle diff monday.json today.json --exit-code
            """)

    @Argument(
        help: ArgumentHelp("The earlier bundle; - reads it from standard input.", valueName: "bundle"),
        completion: .file())
    var first: String

    @Argument(
        help: ArgumentHelp("The later bundle; - reads it from standard input.", valueName: "other-bundle"),
        completion: .file())
    var second: String

    @OptionGroup var output: OutputOptions

    @Flag(help: "Exit with 1 if there is a difference.")
    var exitCode = false

    func run() throws {
        let output = try output.output()
        let report = BundleDiffReport(from: try WrittenBundle(first), to: try WrittenBundle(second))
        try output.write(report)
        report.note(to: output)
        if exitCode, !report.differences.entries.isEmpty { throw Answer(status: .no) }
    }
}

/// A bundle in a file.
struct WrittenBundle {
    let file: String
    /// When it was made, in ISO 8601. It is nil if the bundle does not say it.
    let made: String?
    /// The version of chatdb that made it. It is nil if the bundle does not say it.
    let chatdb: String?
    let json: JSONValue

    /// The most bytes that are read. A bundle has at most a few megabytes.
    private static let longest = 64 << 20

    init(_ file: String) throws {
        self.file = InputFile.name(file)
        let bytes = try InputFile.read(file, upTo: Self.longest)
        do throws(JSONSyntaxError) {
            json = try JSONValue(parsing: bytes, limits: JSONLimits(bytes: Self.longest))
        } catch {
            throw NotABundle(file: self.file, reason: error.description)
        }
        let manifest = json["manifest"]
        guard manifest?["format"]?.stringValue == "chatdb-bundle" else {
            throw NotABundle(file: self.file, reason: "it has no manifest of a bundle")
        }
        guard manifest?["version"]?.integerValue == BundleManifest.version else {
            throw NotABundle(file: self.file, reason: "another version of chatdb wrote it in a newer form")
        }
        (made, chatdb) = (manifest?["made"]?.stringValue, manifest?["chatdb"]?.stringValue)
    }

    /// The id of the store, from the first of its databases that has one. It is nil if the bundle has no id, such as
    /// that of a store of SimpleX Chat.
    var storeID: String? {
        DatabaseName.allCases.lazy.compactMap { json["store"]?[$0.rawValue]?["storeId"]?.stringValue }.first
    }

    /// The program that made the store. It is nil if the bundle does not say it.
    var kind: String? { json["store"]?["kind"]?.stringValue }

    /// When the first migration of each database was applied, by the name of the database. A store keeps these times
    /// for ever.
    var origins: [String: String] {
        let events = (json["timeline"]?.arrayValue ?? []).filter { $0["event"]?.stringValue == "firstMigration" }
        let times = events.compactMap { event -> (String, String)? in
            guard let database = event["database"]?.stringValue, let at = event["at"]?.stringValue else { return nil }
            return (database, at)
        }
        return Dictionary(times) { first, _ in first }
    }

    /// The bundle itself, in the answer for programs.
    fileprivate var head: JSONValue {
        ["file": .string(file), "made": JSONValue(made), "chatdb": JSONValue(chatdb)]
    }
}

/// A file that was given as a bundle is something else.
struct NotABundle: Reportable {
    let file: String
    let reason: String

    var report: ErrorReport {
        ErrorReport(
            "notABundle", "\(file) is not a bundle: \(reason)", hint: "\(.bundleWrite, "FILE") writes a bundle",
            details: ["file": .string(file)], exit: .invalidData)
    }
}

/// The differences of two bundles.
struct BundleDiffReport: Report {
    let first: WrittenBundle
    let second: WrittenBundle
    let differences: BundleDifferences

    init(from first: WrittenBundle, to second: WrittenBundle) {
        (self.first, self.second) = (first, second)
        differences = BundleDifferences(from: first.json, to: second.json)
    }

    /// Whether both bundles are of one store. Without an id of a store, stores of two programs or with other beginnings
    /// are two stores. It is nil if nothing of this is known.
    private var isSameStore: Bool? {
        if let one = first.storeID, let other = second.storeID { return one == other }
        if hasOtherKinds { return false }
        let others = first.origins.filter { database, at in second.origins[database].map { $0 != at } == true }
        return others.isEmpty ? nil : false
    }

    private var hasOtherKinds: Bool {
        guard let one = first.kind, let other = second.kind else { return false }
        return one != other
    }

    /// Whether the first bundle was made after the second one. The times are in ISO 8601, of one form.
    private var isReversed: Bool {
        guard let one = first.made, let other = second.made else { return false }
        return one > other
    }

    private var warnings: [String] {
        var warnings: [String] = []
        if hasOtherKinds {
            let kinds = [first, second].map { Self.owner($0.kind ?? "") }
            warnings.append("the bundles are of stores of two programs: \(kinds.joined(separator: ", "))")
        } else if isSameStore == false {
            warnings.append("the bundles are of two different stores")
        }
        if isReversed { warnings.append("the second bundle is the earlier one: give the earlier one first") }
        return warnings
    }

    private static func owner(_ kind: String) -> String {
        switch FoundDatabase.Kind(rawValue: kind) {
        case .chatdb: "chatdb"
        case .simplex: "SimpleX Chat"
        case .unknown, nil: "an unknown program"
        }
    }

    var json: JSONValue {
        [
            "from": first.head, "to": second.head, "sameStore": JSONValue(isSameStore),
            "warnings": JSONValue(warnings),
            "differences": .array(
                differences.entries.map {
                    ["path": JSONValue($0.path), "from": $0.before ?? .null, "to": $0.after ?? .null]
                }),
        ]
    }

    var document: Document {
        var blocks: [Block] = [
            .fields([Field("From", .text(Self.shown(first))), Field("To", .text(Self.shown(second)))])
        ]
        if !warnings.isEmpty { blocks.append(.notes(warnings.map { .warning($0) })) }
        return Document(blocks + [.table(table)])
    }

    /// Writes the warnings to standard error, which do not fit into CSV.
    func note(to output: Output) {
        guard output.format == .csv else { return }
        for warning in warnings { output.note(warning) }
    }

    private static func shown(_ bundle: WrittenBundle) -> String {
        "\(bundle.file), made \(bundle.made ?? "at an unknown time") by chatdb \(bundle.chatdb ?? "?")"
    }

    private var table: Table {
        Table(
            [
                Column("Section"), Column("What", shrinking: .wrapped), Column("From", shrinking: .wrapped),
                Column("To", shrinking: .wrapped),
            ],
            rows: differences.entries.map { entry in
                [
                    .text(entry.path.first), .text(entry.path.dropFirst().joined(separator: " ")),
                    .text(entry.before.map(Self.shown)), .text(entry.after.map(Self.shown)),
                ]
            }, whenEmpty: "no differences")
    }

    /// A value as people read it: a list with commas, and an object as `name: value`.
    static func shown(_ value: JSONValue) -> String {
        if let text = value.stringValue { return text }
        if let list = value.arrayValue {
            return list.isEmpty ? "none" : list.map(shown).joined(separator: value.hasObjects ? "; " : ", ")
        }
        guard let members = value.members else { return value == .null ? "–" : value.text(.compact) }
        return members.map { "\($0.name): \(shown($0.value))" }.joined(separator: ", ")
    }
}

extension JSONValue {
    /// Whether it is a list with an object in it.
    fileprivate var hasObjects: Bool { arrayValue?.contains { $0.members != nil } == true }
}
