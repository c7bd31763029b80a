/// Why a text is not JSON that is read here, and where. It holds nothing of the text itself.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Problem: Sendable, Hashable {
        case tooLarge(limit: Int)
        case tooDeep(limit: Int)
        case tooMany(limit: Int)
        case invalidUTF8
        case unexpectedEnd
        case expected(String)
        case controlCharacterInString
        case invalidEscape
        case invalidNumber
        case numberOutOfRange
        case duplicateName
        case textAfterTheEnd
    }

    package let problem: Problem
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars.
    package let column: Int

    package init(_ problem: Problem, line: Int, column: Int) {
        self.problem = problem
        self.line = line
        self.column = column
    }

    /// Whether it is JSON, and more of it than is taken.
    package var isLimit: Bool {
        switch problem {
        case .tooLarge, .tooDeep, .tooMany, .numberOutOfRange: true
        default: false
        }
    }

    /// The sentence for people: `line 2, column 7: expected a value`.
    package var description: String { "line \(line), column \(column): \(sentence)" }

    /// The same without the place.
    package var sentence: String {
        switch problem {
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .tooDeep(let limit): "more than \(limit) levels deep"
        case .tooMany(let limit): "more than \(limit) values"
        case .invalidUTF8: "not valid UTF-8"
        case .unexpectedEnd: "the text ends too early"
        case .expected(let what): "expected \(what)"
        case .controlCharacterInString: "a control character in a string must be written as an escape"
        case .invalidEscape: "no such escape in JSON"
        case .invalidNumber: "no such number in JSON"
        case .numberOutOfRange: "the number is out of range"
        case .duplicateName: "the object has this name already"
        case .textAfterTheEnd: "text after the end of the document"
        }
    }
}
