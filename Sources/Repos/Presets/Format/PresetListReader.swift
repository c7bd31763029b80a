import ChatDBReposKit
import ChatDBSchema

/// Reads a list of addresses as people share them: one or more on a line, with blanks or commas between them, and with
/// the bullet or the number of a list before them. As in a mail, they may be in brackets or quotes, and followed by a
/// full stop or a comma. Blank lines are ignored, and comments: `#` at the beginning of a line or after a blank begins a
/// comment.
enum PresetListReader {
    fileprivate static let beginnings = ["smp://", "xftp://", "simplex:", "https://"]

    /// Whether the first line that is neither blank nor a comment begins as an address does.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.prefix(64 * 1024), as: UTF8.self)
        let first = Lines(text).lazy.compactMap { $0.first?.text }.first { _ in true }
        return first.map { word in beginnings.contains { word.lowercased().hasPrefix($0) } } ?? false
    }

    /// Whether any line begins as an address does, such as one of a mail with addresses.
    static func hasLine(in bytes: [UInt8]) -> Bool {
        Lines(String(decoding: bytes.prefix(64 * 1024), as: UTF8.self)).contains { words in
            words.first.map { word in beginnings.contains { word.text.lowercased().hasPrefix($0) } } == true
        }
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
        for (index, words) in Lines(text).enumerated() {
            for word in words {
                let position = TextPosition(line: index + 1, column: word.column)
                if let first = places[word.text] {
                    if warnings.count < 100 {
                        warnings.append(PresetProblem("the same as line \(first)", at: position))
                    }
                } else if let problem = read(word.text, at: JSONPath.root["line \(index + 1)"], into: &entries, &seen) {
                    if problems.count < 100 { problems.append(PresetProblem(problem, at: position)) } else { more += 1 }
                    // The rest of the line is no address either, and would only repeat the problem.
                    break
                } else {
                    places[word.text] = index + 1
                }
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
        _ word: String, at path: JSONPath, into entries: inout PresetEntries, _ seen: inout PresetDuplicates
    ) -> String? {
        // Nothing of the word is repeated: it may be an address with a password, and a slip at its beginning.
        guard beginnings.contains(where: word.lowercased().hasPrefix) else {
            return "it is not the address of a server or a relay; expected one that begins with smp://, xftp://, "
                + "https:// or simplex:/, with nothing else on its line but other addresses; delete other lines, or "
                + "begin them with #"
        }
        let isServer = ["smp:", "xftp:"].contains { word.lowercased().hasPrefix($0) }
        guard isServer else {
            do throws(RelayAddressError) {
                let relay = PresetRelay(name: "", address: try RelayAddress(word))
                entries.relays.append(relay)
                return seen.note(relay, at: path).first?.message
            } catch {
                return error.message
            }
        }
        do throws(ServerAddressError) {
            let server = PresetServer(address: try ServerAddress(word))
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

/// A word of a line, and the column at which it begins.
private struct Word {
    let text: String
    let column: Int
}

/// The words of the lines of a text, without comments, bullets, numbers of lists, and marks around addresses. One line is
/// in memory at a time: of a list of nothing else there are very many.
private struct Lines: Sequence, IteratorProtocol {
    private var rest: Substring?

    init(_ text: String) { rest = text[...] }

    mutating func next() -> [Word]? {
        guard let text = rest else { return nil }
        let end = text.firstIndex(where: \.isNewline)
        rest = end.map { text[text.index(after: $0)...] }
        var words: [Word] = []
        var word = ""
        var column = 0
        func take() {
            let (kept, marks) = Self.withoutMarks(word)
            if !kept.isEmpty, !(words.isEmpty && Self.isBullet(kept)) {
                words.append(Word(text: kept, column: column - word.count + marks + 1))
            }
            word = ""
        }
        for character in text[..<(end ?? text.endIndex)] {
            if character.isWhitespace {
                take()
            } else if character == "#", word.isEmpty {
                break
            } else {
                word.append(character)
            }
            column += 1
        }
        take()
        return words
    }

    /// The marks before an address in a text, and those behind it. An address contains some of them, but ends in none.
    private static let (opening, closing): (Set<Character>, Set<Character>) = (
        ["<", ">", "(", "\"", "'", "`", "“", "„", "‘", "‚", "«", "»"],
        [">", ")", "\"", "'", "`", "”", "“", "’", "‘", "»", "«", ".", ",", ";", ":", "!", "?"]
    )

    /// An address without the marks around it, and the number of those before it. Any other word stays, without a comma
    /// behind it.
    private static func withoutMarks(_ word: String) -> (text: String, before: Int) {
        let inner = word.drop { opening.contains($0) }
        guard PresetListReader.beginnings.contains(where: inner.lowercased().hasPrefix) else {
            return (word.last == "," || word.last == ";" ? String(word.dropLast()) : word, 0)
        }
        let end = inner.lastIndex { !closing.contains($0) } ?? inner.startIndex
        return (String(inner[...end]), word.count - inner.count)
    }

    /// Whether a word marks an element of a list: `-`, `*`, `•`, `1.` or `1)`, or a line that a mail quotes: `>`.
    private static func isBullet(_ word: String) -> Bool {
        if ["-", "*", "+", "•", "–"].contains(word) || word.allSatisfy({ $0 == ">" }) { return true }
        let number = word.dropLast()
        return (word.hasSuffix(".") || word.hasSuffix(")")) && !number.isEmpty
            && number.allSatisfy { $0.isASCII && $0.isNumber }
    }
}
