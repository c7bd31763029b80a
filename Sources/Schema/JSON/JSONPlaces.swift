/// Where parts of a JSON text are, for messages about them. The text is read a second time, once for all places.
package enum JSONPlaces {
    /// The position of each path's value. For what is not there: of the innermost value around its place that is.
    /// Empty for a text that is not JSON.
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

/// Paths to look for, those with the same beginning together.
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
    /// Reads a value and notes where it begins, and what is wanted in it.
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
