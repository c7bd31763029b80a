import ArgumentParser
import ChatDBKit

struct BundleDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two bundles, such as one from before a problem and one from after it.",
        discussion: """
            Shows each value that differs, section by section: versions, numbers of rows, states, findings. The second \
            bundle is usually the later one.

            Examples:
              chatdb bundle diff monday.json today.json
              chatdb bundle diff monday.json today.json --exit-code
            """)

    @Argument(help: ArgumentHelp("The first bundle.", valueName: "bundle"), completion: .file())
    var first: String

    @Argument(help: ArgumentHelp("The bundle to compare it with.", valueName: "other-bundle"), completion: .file())
    var second: String

    @OptionGroup var output: OutputOptions

    @Flag(help: "Exit with 1 if there is a difference.")
    var exitCode = false

    func run() throws {
        let output = try output.output()
        let report = BundleDiffReport(from: try WrittenBundle(first), to: try WrittenBundle(second))
        try output.write(report)
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
            "notABundle", "\(file) is not a bundle: \(reason)", state: "Nothing was changed.",
            hint: "\(.bundleWrite, "FILE") writes a bundle", details: ["file": .string(file)], exit: .invalidData)
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

    /// Whether both bundles are of one store. It is nil if one of them has no id of a store.
    private var isSameStore: Bool? {
        guard let one = first.storeID, let other = second.storeID else { return nil }
        return one == other
    }

    var json: JSONValue {
        [
            "from": first.head, "to": second.head, "sameStore": JSONValue(isSameStore),
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
        if isSameStore == false { blocks.append(.notes([.warning("the bundles are of two different stores")])) }
        return Document(blocks + [.table(table)])
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

    private static func shown(_ value: JSONValue) -> String { value.stringValue ?? value.text(.compact) }
}
