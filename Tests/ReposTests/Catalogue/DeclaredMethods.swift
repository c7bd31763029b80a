import Foundation

/// The public methods that the sources of the repositories declare.
enum DeclaredMethods {
    /// As `ChatRelaysRepo.find(_:of:includingDeleted:)`, in the order of the files.
    static func read() throws -> [String] {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Repos").standardizedFileURL
        let files =
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path } ?? []
        return try files.flatMap { try methods(in: String(contentsOf: $0, encoding: .utf8)) }
    }

    private static func methods(in source: String) -> [String] {
        var type: String?
        var methods: [String] = []
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let match = line.firstMatch(of: #/^(?:public |package )?(?:struct|extension|enum|class) (\w+)/#) {
                type = String(match.1)
            }
            guard let type, type.hasSuffix("Repo") || type.hasSuffix("Writer"), line.contains("public "),
                let match = line.firstMatch(of: #/^ +public (?:static )?func (\w+)/#)
            else { continue }
            // No declaration is longer; the whole rest of a file would cost time for each method.
            let rest = lines[index...].prefix(12).joined(separator: " ")
            methods.append("\(type).\(match.1)(\(labels(of: rest)))")
        }
        return methods
    }

    /// The labels of the first parameter list in a text.
    private static func labels(of text: String) -> String {
        var depth = 0
        var parameters: [String] = []
        for character in text.drop(while: { $0 != "(" }) {
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]", ">": depth -= 1
            default: break
            }
            if depth == 0 { break }
            if depth == 1, character == "(" || character == "," {
                parameters.append("")
            } else {
                parameters[parameters.count - 1].append(character)
            }
        }
        return parameters.filter { $0.contains(":") }
            .map { $0.trimmingCharacters(in: .whitespaces).prefix { $0 != " " && $0 != ":" } + ":" }.joined()
    }
}
