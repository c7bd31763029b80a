import ChatDBKit
import Foundation

/// The user's configuration file: settings for commands that neither their options nor the environment give.
/// Rule: docs/configuration.md.
struct ConfigurationFile: Equatable {
    let path: String
    var exists = false
    /// The path of the store, absolute.
    var store: String?
    var format: OutputFormat?
    var color: ColorChoice?
    var wide: Bool?

    /// The file of this process, read once. Without a file, it has no settings.
    static let current = Result<ConfigurationFile, ConfigurationFileError> { () throws(ConfigurationFileError) in
        try ConfigurationFile(environment: ProcessEnvironment.variables, home: ProcessEnvironment.home)
    }

    /// The settings of the file, for texts that must be written even if the file is wrong; none then.
    static var valid: ConfigurationFile? { try? current.get() }

    /// The file in the folder of `XDG_CONFIG_HOME`, or in `.config` of the home folder.
    init(environment: [String: String], home: String) throws(ConfigurationFileError) {
        // The specification of XDG ignores a relative path.
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
        path = folder + "/chatdb/config.toml"
        switch FileState(at: path) {
        case .missing: return
        case .empty: exists = true
        case .regular:
            exists = true
            try read(home: home)
        case .notRegular: throw .init(path: path, reason: "it is not a regular file")
        case .unreachable(let reason): throw .init(path: path, reason: StandardStreams.sentence(for: reason))
        }
    }

    private static let largest = 64 << 10

    private mutating func read(home: String) throws(ConfigurationFileError) {
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            data = try file.read(upToCount: Self.largest + 1) ?? Data()
        } catch {
            throw refused("it cannot be read")
        }
        if data.count > Self.largest { throw refused("it is larger than \(Self.largest) bytes") }
        guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
            throw refused("it is not a text in UTF-8")
        }
        var seen: Set<Substring> = []
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let match = line.wholeMatch(of: Self.setting) else {
                throw refused("line \(index + 1) is no setting, such as store = \"/chats/me\"")
            }
            let name = match.name
            if !seen.insert(name).inserted { throw refused("line \(index + 1) sets \(name) again") }
            let text =
                match.quoted.map { String($0).replacing(#/\\(.)/#, with: { String($0.1) }) }
                ?? match.literal.map(String.init)
            switch name {
            case "store": store = try folder(text, home: home)
            case "format": format = try word(name, text)
            case "color": color = try word(name, text)
            case "wide":
                guard let flag = match.flag else { throw refused("wide is neither true nor false") }
                wide = flag == "true"
            default: throw refused("\(name) is not one of the settings store, format, color and wide")
            }
        }
    }

    /// A setting is written as in TOML. Tables, lists and other values of TOML have no meaning here.
    private static var setting:
        Regex<(Substring, name: Substring, quoted: Substring?, literal: Substring?, flag: Substring?)>
    {
        #/
        (?<name> [A-Za-z0-9_\-]+) \h* = \h*
        (?: "(?<quoted> (?: [^"\\] | \\["\\] )* )" | '(?<literal> [^']* )' | (?<flag> true | false) )
        \h* (?: \#.* )?
        /#
    }

    /// A shell expands `~` only on its own command line.
    private func folder(_ text: String?, home: String) throws(ConfigurationFileError) -> String {
        guard let text else { throw refused("store is not a text") }
        if text.hasPrefix("~/") { return home + text.dropFirst() }
        if !text.hasPrefix("/") { throw refused("store is a relative path; it begins with / or ~/") }
        return text
    }

    private func word<Word: WordArgument>(_ name: Substring, _ text: String?) throws(ConfigurationFileError) -> Word {
        guard let word = text.flatMap(Word.init(word:)) else {
            throw refused("\(name) is not one of \(Word.allValueStrings.joined(separator: ", "))")
        }
        return word
    }

    private func refused(_ reason: String) -> ConfigurationFileError { .init(path: path, reason: reason) }
}

/// The store of commands for which neither an option, nor the environment, nor the configuration file names one.
enum DefaultStore {
    static var prefix: String { folder + "/chatdb" }

    /// The folder of chatdb's data.
    static var folder: String {
        let data = ProcessEnvironment.variables["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (data ?? ProcessEnvironment.home + "/.local/share") + "/chatdb"
    }
}

/// The configuration file is wrong. Every command ends with this, because it would otherwise use another store or
/// format than the user has configured.
struct ConfigurationFileError: Reportable, Equatable {
    let path: String
    let reason: String

    var report: ErrorReport {
        ErrorReport(
            "configurationInvalid", "the configuration file \(path) cannot be used: \(reason)",
            state: "Nothing was done.", hint: "correct the file, or remove it", details: ["path": .string(path)],
            exit: .invalidData)
    }
}
