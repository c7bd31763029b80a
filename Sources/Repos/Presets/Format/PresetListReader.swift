import ChatDBReposKit
import ChatDBSchema

/// Reads a list of addresses, one on a line, as people share them. Blank lines are ignored, and comments: `#` at the
/// beginning of a line or after a blank begins a comment.
enum PresetListReader {
    private static let beginnings = ["smp://", "xftp://", "simplex:", "https://"]

    /// Whether the first line that is neither blank nor a comment begins as an address does.
    static func recognises(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.prefix(64 * 1024), as: UTF8.self)
        let first = Lines(text).first { !$0.isEmpty }
        return first.map { line in beginnings.contains { line.lowercased().hasPrefix($0) } } ?? false
    }

    /// All addresses are the user's own, enabled; relays have no name. Throws `invalidPreset`.
    static func read(_ bytes: [UInt8]) throws(PresetError) -> ReadPreset {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalidPreset(
                [PresetProblem("it is not valid UTF-8", at: TextPosition(ofNoUTF8In: bytes))], more: 0)
        }
        var entries = PresetEntries()
        var seen = PresetDuplicates()
        var (problems, warnings): ([PresetProblem], [PresetProblem]) = ([], [])
        var more = 0
        var places: [String: Int] = [:]
        for (index, line) in Lines(text).enumerated() where !line.isEmpty {
            if let first = places[line] {
                if warnings.count < 100 {
                    warnings.append(
                        PresetProblem("the same as line \(first)", at: TextPosition(line: index + 1, column: 1)))
                }
                continue
            }
            if let problem = read(line, at: JSONPath.root["line \(index + 1)"], into: &entries, &seen) {
                if problems.count < 100 {
                    problems.append(PresetProblem(problem, at: TextPosition(line: index + 1, column: 1)))
                } else {
                    more += 1
                }
            } else {
                places[line] = index + 1
            }
        }
        if !problems.isEmpty { throw .invalidPreset(problems, more: more) }
        entries.lists = []
        if !entries.smpServers.isEmpty { entries.lists.insert(.smpServers) }
        if !entries.xftpServers.isEmpty { entries.lists.insert(.xftpServers) }
        if !entries.relays.isEmpty { entries.lists.insert(.relays) }
        var file = PresetFile(custom: entries)
        file.hasAddressesOnly = true
        file.tellsOperators = false
        if entries.lists.isEmpty { warnings.append(PresetProblem("it has no addresses")) }
        return ReadPreset(file: file, format: .list, warnings: warnings)
    }

    /// Reads one address; returns its problem.
    private static func read(
        _ line: String, at path: JSONPath, into entries: inout PresetEntries, _ seen: inout PresetDuplicates
    ) -> String? {
        // Nothing of the line is repeated: it may be an address with a password, and a slip at its beginning.
        guard beginnings.contains(where: line.lowercased().hasPrefix) else {
            return "it is not the address of a server or a relay; expected one that begins with smp://, xftp://, "
                + "https:// or simplex:/, alone on its line"
        }
        let isServer = ["smp:", "xftp:"].contains { line.lowercased().hasPrefix($0) }
        guard isServer else {
            do throws(RelayAddressError) {
                let relay = PresetRelay(name: "", address: try RelayAddress(line))
                entries.relays.append(relay)
                return seen.note(relay, at: path).first?.message
            } catch {
                return error.message
            }
        }
        do throws(ServerAddressError) {
            let server = PresetServer(address: try ServerAddress(line))
            switch server.address.serverProtocol {
            case .smp: entries.smpServers.append(server)
            case .xftp: entries.xftpServers.append(server)
            }
            return seen.note(server, at: path).first?.message
        } catch {
            return error.message
        }
    }
}

/// The lines of a text without comments and without blanks at both ends. One is in memory at a time: of a list of
/// nothing else there are very many.
private struct Lines: Sequence, IteratorProtocol {
    private var rest: Substring?

    init(_ text: String) { rest = text[...] }

    mutating func next() -> String? {
        guard let text = rest else { return nil }
        let end = text.firstIndex(where: \.isNewline)
        rest = end.map { text[text.index(after: $0)...] }
        var kept = ""
        for character in text[..<(end ?? text.endIndex)] {
            if character == "#", kept.last?.isWhitespace ?? true { break }
            kept.append(character)
        }
        return NameRule.trimmed(kept)
    }
}
