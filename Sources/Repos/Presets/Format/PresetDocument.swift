import ChatDBSchema

/// A file that is a tree of values, and where in its text they are.
enum PresetDocument {
    case json(JSONValue, bytes: [UInt8])
    case yaml(YAMLDocument)

    /// Throws `invalidPreset` with the place for what is not JSON.
    init(json bytes: [UInt8], upTo limit: Int = PresetFile.largestFile) throws(PresetError) {
        do throws(JSONSyntaxError) {
            // A larger text may have more values as well: as many as a preset of that size has at most.
            var limits = JSONLimits(bytes: limit)
            limits.values = max(limits.values, limit > PresetFile.largestFile ? limit / 16 : 0)
            self = .json(try JSONValue(parsing: bytes, limits: limits), bytes: bytes)
        } catch {
            let place = TextPosition(line: error.line, column: error.column)
            throw .invalidPreset(
                [PresetProblem(error.isLimit ? error.sentence : "it is not JSON: \(error.sentence)", at: place)],
                more: 0)
        }
    }

    /// Throws `invalidPreset` with the place for what is not YAML.
    init(yaml bytes: [UInt8]) throws(PresetError) {
        do throws(YAMLProblem) {
            self = .yaml(try YAMLDocument(bytes))
        } catch {
            throw .invalidPreset([PresetProblem("it is not YAML: \(error.message)", at: error.position)], more: 0)
        }
    }

    var value: JSONValue {
        switch self {
        case .json(let value, _): value
        case .yaml(let document): document.value
        }
    }

    /// The positions of the values; for a missing value, that of the value around its place.
    func positions(of paths: [JSONPath]) -> [JSONPath: TextPosition] {
        switch self {
        case .json(_, let bytes): JSONPlaces.find(paths, in: bytes)
        case .yaml(let document):
            Dictionary(
                paths.compactMap { path in document.position(of: path).map { (path, $0) } },
                uniquingKeysWith: { first, _ in first })
        }
    }
}
