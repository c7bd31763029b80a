import ChatDBSchema
import Yams

/// Why a text is no YAML that is read here.
struct YAMLProblem: Error {
    let message: String
    var position: TextPosition?

    init(_ message: String) { self.message = message }

    init(_ message: String, at mark: Mark?) {
        self.message = message
        position = mark.map { TextPosition(line: $0.line, column: $0.column) }
    }

    init(_ message: String, at position: TextPosition?) {
        self.message = message
        self.position = position
    }
}

/// A YAML text as the values JSON has. A word that is not quoted is a number, `true`, `false` or `null` as in JSON, and
/// else a text: `no` is a text, as a name may be.
struct YAMLDocument {
    fileprivate static let deepest = 128

    let value: JSONValue
    private let root: Node

    init(_ bytes: [UInt8]) throws(YAMLProblem) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw YAMLProblem("it is not valid UTF-8", at: TextPosition(ofNoUTF8In: bytes))
        }
        if YAMLAliases.mayBe(in: bytes) { throw YAMLProblem("anchors and aliases are not supported") }
        if Self.mayHaveTooManyValues(bytes) { throw YAMLProblem("more than \(Self.mostValues) values") }
        do {
            guard let root = try Parser(yaml: text, encoding: .utf8).singleRoot() else {
                throw YAMLProblem("the text is empty")
            }
            self.root = root
        } catch let problem as YAMLProblem {
            throw problem
        } catch {
            throw YAMLProblem(error)
        }
        value = try Self.value(root, depth: 0)
    }

    /// The position where the value of a path begins; for a missing value, that of the innermost value around its
    /// place.
    func position(of path: JSONPath) -> TextPosition? {
        var node = root
        for step in path.steps {
            guard let next = Self.value(at: step, in: node) else { break }
            node = next
        }
        return node.mark.map { TextPosition(line: $0.line, column: $0.column) }
    }

    private static func value(at step: JSONPath.Step, in node: Node) -> Node? {
        switch step {
        case .member(let name): node.mapping?.first { $0.key.scalar?.string == name }?.value
        case .element(let index): node.sequence.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }

    private static func value(_ node: Node, depth: Int) throws(YAMLProblem) -> JSONValue {
        if depth > deepest { throw YAMLProblem("more than \(deepest) levels deep", at: node.mark) }
        switch node {
        case .scalar(let scalar): return value(scalar)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try value(element, depth: depth + 1)) }
            return .array(elements)
        case .mapping(let mapping):
            var members: [JSONValue.Member] = []
            for (key, element) in mapping {
                guard let name = key.scalar?.string else { throw YAMLProblem("a name is not text", at: key.mark) }
                members.append(.init(name, try value(element, depth: depth + 1)))
            }
            return .object(members)
        case .alias(let alias): throw YAMLProblem("anchors and aliases are not supported", at: alias.mark)
        }
    }

    private static func value(_ scalar: Node.Scalar) -> JSONValue {
        guard scalar.style == .plain else { return .string(scalar.string) }
        switch scalar.string {
        case "true": return true
        case "false": return false
        case "null", "~", "": return nil
        default:
            switch try? JSONValue(parsing: scalar.string) {
            case .integer(let number): return .integer(number)
            case .number(let number): return .number(number)
            default: return .string(scalar.string)
            }
        }
    }
}

extension YAMLProblem {
    /// The library's own problem, without the piece of the text it adds.
    fileprivate init(_ error: any Error) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            // What the library says of this names a function of its own.
            let isTooDeep = problem.contains("nesting level")
            self.init(isTooDeep ? "more than \(YAMLDocument.deepest) levels deep" : problem, at: mark)
        case .reader(let problem, _, _, _): self.init(problem)
        case .duplicatedKeysInMapping(_, let context): self.init("a name occurs twice", at: context.mark)
        default: self.init("it cannot be read")
        }
    }
}

extension YAMLDocument {
    /// The limit of values, the same as for JSON.
    static let mostValues = 1_000_000

    /// Whether the text has more places where a value can begin than it may have values. The library builds a tree of
    /// the whole text first, and each value takes memory, even with a short text. A comma or a line within quotes
    /// counts too: no preset has that many.
    static func mayHaveTooManyValues(_ bytes: [UInt8]) -> Bool {
        var count = 1
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                count += 1
            case UInt8(ascii: "-") where index + 1 < bytes.count && bytes[index + 1] <= 0x20: count += 1
            default: break
            }
        }
        return count > mostValues
    }
}

/// Whether a YAML text may have anchors and aliases. The library follows aliases while it parses, and a short text of
/// aliases can be a very long document. So the answer is yes in doubtful cases.
enum YAMLAliases {
    /// Whether a word begins with `&` and another with `*`, anywhere but in texts that are sure to be in quotes.
    static func mayBe(in bytes: [UInt8]) -> Bool {
        let bytes = withoutTexts(bytes) ?? bytes
        func hasWord(beginningWith mark: UInt8) -> Bool {
            bytes.indices.contains { index in
                guard bytes[index] == mark, index + 1 < bytes.count, bytes[index + 1] > 0x20 else { return false }
                return index == 0 || !isLetterOrDigit(bytes[index - 1])
            }
        }
        return hasWord(beginningWith: UInt8(ascii: "&")) && hasWord(beginningWith: UInt8(ascii: "*"))
    }

    /// The text without what is in double quotes; nil where quotes may be something else. The answer is certain for a
    /// text on one line that begins where a value does, in a document without other quotes, blocks of text, and lists
    /// in brackets over several lines. Exports write such documents, and most people do.
    private static func withoutTexts(_ bytes: [UInt8]) -> [UInt8]? {
        var kept: [UInt8] = []
        // The last byte of the line that is no blank, and whether only dashes were before it.
        var (last, isAtStart): (UInt8?, Bool) = (nil, true)
        var (depth, isInText, isEscaped) = (0, false, false)
        for byte in bytes {
            switch byte {
            case 0x0A, 0x0D:
                if isInText || depth != 0 { return nil }
                (last, isAtStart) = (nil, true)
                kept.append(byte)
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInText: isEscaped = true
            case UInt8(ascii: "\"") where isInText:
                isInText = false
                kept.append(byte)
                last = byte
            case _ where isInText: break
            case UInt8(ascii: "'"), UInt8(ascii: "|"), UInt8(ascii: ">"): return nil
            default:
                if byte == UInt8(ascii: "\"") {
                    guard isAtStart || mayPrecedeText(last, inBrackets: depth > 0) else { return nil }
                    isInText = true
                }
                if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
                kept.append(byte)
                if byte > 0x20 {
                    last = byte
                    isAtStart = isAtStart && byte == UInt8(ascii: "-")
                }
            }
        }
        return isInText || depth != 0 ? nil : kept
    }

    private static func mayPrecedeText(_ byte: UInt8?, inBrackets: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: ":"): true
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","): inBrackets
        default: false
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: byte >= 0x80
        }
    }
}

extension TextPosition {
    /// The offset of the first bytes that are not UTF-8; nil when all are.
    init?(ofNoUTF8In bytes: [UInt8]) {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var (line, column) = (1, 1)
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar) where scalar.first == UInt8(ascii: "\n"): (line, column) = (line + 1, 1)
            case .valid: column += 1
            case .error:
                self.init(line: line, column: column)
                return
            case .emptyInput: return nil
            }
        }
    }
}
