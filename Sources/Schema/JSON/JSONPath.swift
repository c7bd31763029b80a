/// A place in a JSON document, shown as `custom.relays[3].address`; the whole document as an empty text.
package indirect enum JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// The whole document.
    case root
    /// What is one step below another place. Each holds the one above: a document has very many places.
    case below(JSONPath, Step)

    /// One step down.
    package enum Step: Sendable, Hashable {
        case member(String)
        case element(Int)
    }

    /// The value of a member.
    package subscript(_ name: String) -> JSONPath { .below(self, .member(name)) }

    /// An element, from 0.
    package subscript(_ index: Int) -> JSONPath { .below(self, .element(index)) }

    /// The steps from the whole document down.
    package var steps: [Step] {
        var steps: [Step] = []
        var place = self
        while case .below(let above, let step) = place {
            steps.append(step)
            place = above
        }
        return steps.reversed()
    }

    package var description: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += (text.isEmpty ? "" : ".") + Self.shown(name)
            case .element(let index): text += "[\(index)]"
            }
        }
    }

    /// Names are somebody else's, and as long as they like.
    private static func shown(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return name }
        return String(scalars[..<end]) + "…"
    }

    private static let longest = 60
}

/// A place in a text, both from 1; columns are Unicode scalars.
package struct TextPosition: Sendable, Hashable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
