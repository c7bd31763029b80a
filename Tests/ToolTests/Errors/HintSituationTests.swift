import Foundation
import Testing

@testable import ChatDBTool

/// Every hint of the tool works as written. A test runs it in the situation that shows it.
@Suite("every hint, in the situation that shows it", .timeLimit(.minutes(60)))
struct HintSituationTests {
    @Test("the command of each hint works", arguments: HintSituation.all)
    func works(_ situation: HintSituation) throws { try situation.check() }

    @Test("every hint in the sources has a situation")
    func complete() throws {
        let templates = try HintTemplate.all()
        try #require(templates.count > 100, "\(templates.count)")
        for template in templates where Self.elsewhere[template.text] == nil {
            // The advice of these findings is for the app.
            if template.file == "HintsForFindings.swift", !template.text.contains(#/\\\((\.|fix\))/#) { continue }
            if template.file == "HintsForSimpleXFindings.swift", !template.text.contains("\\(.") { continue }
            let regex = try template.regex()
            #expect(
                HintSituation.all.contains { $0.hint.contains(regex) },
                "\(template.file): there is no situation for \(template.text)")
        }
        let texts = Set(templates.map(\.text))
        for text in Self.elsewhere.keys {
            #expect(texts.contains(text), "there is no such hint: \(text)")
        }
    }
}

/// A hint as the sources have it, with its interpolations.
private struct HintTemplate {
    let file: String
    let text: String

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources").standardizedFileURL

    /// The hints of all sources. In the files of hints every text with a blank is one, elsewhere a text that follows
    /// the word `hint`.
    static func all() throws -> [HintTemplate] {
        let all = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        let paths = all.filter { $0.hasPrefix("Tool/") || $0.hasPrefix("Reports/Checks/") }
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().flatMap { path -> [HintTemplate] in
            let source = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            let file = (path as NSString).lastPathComponent
            let isTable = file.hasPrefix("HintsFor") || file == "MigrationHint.swift"
            var found: [HintTemplate] = []
            for (before, text) in literals(in: source) {
                let isHint = before.contains(#/(hint:|hint =|hint: \S+ \?\?)\s*$/#)
                let isOther = before.contains(
                    #/(message:|state:|contains\(|hasPrefix\(|hasSuffix\(|areAll\(|message: [^,]*)\s*$/#)
                if isHint
                    || isTable && !isOther && text.contains(" ") && text.count > 3
                        && text != "Nothing was changed."
                {
                    found.append(HintTemplate(file: file, text: text))
                }
            }
            guard isTable else { return found }
            return found
                + source.matches(of: #/\.command\(\.[a-zA-Z]+/#).map { HintTemplate(file: file, text: $0.0 + ")") }
        }
    }

    /// The hints that this one can become.
    func regex() throws -> Regex<AnyRegexOutput> {
        if text.hasPrefix(".command(.") {
            return try Regex("^" + words(String(text.dropFirst(".command(.".count).dropLast())))
        }
        var pattern = ""
        var rest = Substring(text)
        while let start = rest.range(of: "\\(") {
            pattern += NSRegularExpression.escapedPattern(for: String(rest[..<start.lowerBound]))
            let inner = Self.interpolation(rest[start.upperBound...])
            rest = rest[rest.index(start.upperBound, offsetBy: inner.count + 1)...]
            pattern +=
                inner == "fix" ? "chatdb check --fix" : inner.hasPrefix(".") ? words(String(inner.dropFirst())) : ".+"
        }
        return try Regex(pattern + NSRegularExpression.escapedPattern(for: String(rest)))
    }

    /// `userList, "x"` as the words of the command, and anything after them.
    private func words(_ command: String) -> String {
        let name = command.prefix { $0.isLetter }
        return (CommandName.allCases.first { "\($0)" == name }?.words.joined(separator: " ") ?? "no command") + ".*"
    }

    /// The text up to the closing parenthesis.
    private static func interpolation(_ text: Substring) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text
    }

    /// The literals of a source, each with the text before it.
    private static func literals(in source: String) -> [(before: String, text: String)] {
        var found: [(String, String)] = []
        let scalars = Array(source)
        var index = 0
        while index < scalars.count {
            if scalars[index] == "/", index + 1 < scalars.count, scalars[index + 1] == "/" {
                while index < scalars.count, scalars[index] != "\n" { index += 1 }
            } else if scalars[index] == "\"" {
                let isLong = index + 2 < scalars.count && scalars[index + 1] == "\"" && scalars[index + 2] == "\""
                let start = index + (isLong ? 3 : 1)
                let end = self.end(of: scalars, from: start, isLong: isLong)
                let text = String(scalars[start..<end]).replacing(#/\\\n\s*/#, with: "").replacing("\\\"", with: "\"")
                found.append(
                    (String(scalars[max(0, index - 80)..<index]), text.trimmingCharacters(in: .whitespacesAndNewlines)))
                index = end + (isLong ? 3 : 1)
            } else {
                index += 1
            }
        }
        return found
    }

    private static func end(of scalars: [Character], from start: Int, isLong: Bool) -> Int {
        var index = start
        while index < scalars.count {
            if scalars[index] == "\\", scalars[index + 1] == "(" {
                var depth = 1
                index += 2
                while depth > 0 {
                    if scalars[index] == "\"" {
                        index = end(of: scalars, from: index + 1, isLong: false) + 1
                        continue
                    }
                    if scalars[index] == "(" { depth += 1 }
                    if scalars[index] == ")" { depth -= 1 }
                    index += 1
                }
            } else if scalars[index] == "\\" {
                index += 2
            } else if scalars[index] == "\"", !isLong || scalars[index + 1] == "\"" && scalars[index + 2] == "\"" {
                return index
            } else {
                index += 1
            }
        }
        return index
    }
}
