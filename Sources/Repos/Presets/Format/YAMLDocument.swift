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
        if YAMLAliases.mayBe(in: bytes) { throw YAMLProblem("anchors and aliases are not taken") }
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

    /// Where the value of a path begins; for one that is not there, the innermost value around its place.
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
                guard let name = key.scalar?.string else { throw YAMLProblem("a name is no text", at: key.mark) }
                members.append(.init(name, try value(element, depth: depth + 1)))
            }
            return .object(members)
        case .alias(let alias): throw YAMLProblem("anchors and aliases are not taken", at: alias.mark)
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
        case .duplicatedKeysInMapping(_, let context): self.init("a name is there twice", at: context.mark)
        default: self.init("it cannot be read")
        }
    }
}
