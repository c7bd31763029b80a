/// A place in a JSON document, shown as `custom.relays[3].address`; the whole document as an empty text.
package indirect enum JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// The whole document.
    case root
    /// A place one step below another. Each holds the one above: a document has many places.
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

    /// Shortens a name: documents come from others, and a name may have any length.
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

/// The positions of parts of a JSON text, for messages about them. Parses the text a second time, once for all places.
package enum JSONPlaces {
    /// The position of each path's value. For a value that does not exist, the position of the innermost value around
    /// its place. Empty for a text that is not JSON.
    package static func find(_ paths: some Sequence<JSONPath>, in bytes: [UInt8]) -> [JSONPath: TextPosition] {
        var wanted = WantedPlaces()
        for path in paths { wanted.add(path) }
        do throws(JSONSyntaxError) {
            var parser = try JSONParser(bytes, JSONLimits(bytes: bytes.count))
            var offsets: [JSONPath: Int] = [:]
            try parser.locate(wanted, depth: 0, in: &offsets)
            return positions(of: offsets, in: bytes)
        } catch {
            return [:]
        }
    }

    private static func positions(of offsets: [JSONPath: Int], in bytes: [UInt8]) -> [JSONPath: TextPosition] {
        var (line, lineStart, scanned) = (1, 0, 0)
        var positions: [JSONPath: TextPosition] = [:]
        for (path, offset) in offsets.sorted(by: { $0.value < $1.value }) {
            while scanned < offset {
                if bytes[scanned] == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, scanned + 1) }
                scanned += 1
            }
            let column = bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 } + 1
            positions[path] = TextPosition(line: line, column: column)
        }
        return positions
    }
}

/// The paths to look for, as a tree by their steps.
struct WantedPlaces {
    private(set) var here: [JSONPath] = []
    private(set) var below: [JSONPath.Step: WantedPlaces] = [:]

    mutating func add(_ path: JSONPath) { add(path, path.steps[...]) }

    private mutating func add(_ path: JSONPath, _ steps: ArraySlice<JSONPath.Step>) {
        if let step = steps.first {
            below[step, default: WantedPlaces()].add(path, steps.dropFirst())
        } else {
            here.append(path)
        }
    }

    /// All paths here and below.
    var all: [JSONPath] { here + below.values.flatMap(\.all) }
}

extension JSONParser {
    /// Reads a value and stores its offset, and the offsets of the wanted values in it.
    fileprivate mutating func locate(
        _ wanted: WantedPlaces, depth: Int, in offsets: inout [JSONPath: Int]
    ) throws(JSONSyntaxError) {
        skipSpace()
        for path in wanted.all { offsets[path] = position }
        guard !wanted.below.isEmpty, depth < limits.depth else {
            _ = try value(depth: depth)
            return
        }
        switch try peek() {
        case UInt8(ascii: "{"): try locateInObject(wanted, depth: depth + 1, in: &offsets)
        case UInt8(ascii: "["): try locateInArray(wanted, depth: depth + 1, in: &offsets)
        default: _ = try value(depth: depth)
        }
    }

    private mutating func locateInObject(
        _ wanted: WantedPlaces, depth: Int, in offsets: inout [JSONPath: Int]
    ) throws(JSONSyntaxError) {
        position += 1
        skipSpace()
        if take("}") { return }
        while true {
            skipSpace()
            let name = try string()
            skipSpace()
            try require(":", orSay: "\":\"")
            try locate(wanted.below[.member(name)] ?? WantedPlaces(), depth: depth, in: &offsets)
            skipSpace()
            if take("}") { return }
            try require(",", orSay: "\",\" or \"}\"")
        }
    }

    private mutating func locateInArray(
        _ wanted: WantedPlaces, depth: Int, in offsets: inout [JSONPath: Int]
    ) throws(JSONSyntaxError) {
        position += 1
        skipSpace()
        if take("]") { return }
        var index = 0
        while true {
            try locate(wanted.below[.element(index)] ?? WantedPlaces(), depth: depth, in: &offsets)
            index += 1
            skipSpace()
            if take("]") { return }
            try require(",", orSay: "\",\" or \"]\"")
        }
    }
}
