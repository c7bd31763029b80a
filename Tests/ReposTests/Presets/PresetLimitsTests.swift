import ChatDBKit
import Testing

/// Files that are made to waste the time and memory of their readers.
@Suite struct PresetLimitsTests {
    private func problem(_ text: String, named name: String) -> String? {
        do {
            _ = try PresetFile.read(text.utf8, named: name)
            return nil
        } catch PresetError.invalidPreset(let problems, _) {
            return problems.map(\.description).joined(separator: "; ")
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "a file of very many values is refused before they fill the memory",
        arguments: [
            ("[", "[],", "0]", "json"), ("[", "a,", "a]", "yaml"), ("[", "{},", "{}]", "yaml"),
            ("", "- a\n", "", "yaml"),
            ("", "a:\n", "", "yaml"), ("- ", "\r", "a", "yaml"), ("", "- ", "a", "yaml"),
        ])
    func tooManyValues(begin: String, part: String, end: String, ending: String) throws {
        let text = begin + String(repeating: part, count: 1_000_001) + end
        let message = try #require(problem(text, named: "x.\(ending)"))
        #expect(message.hasSuffix("more than 1000000 values"), "\(message.prefix(200))")
    }

    @Test("a name in a file is shown shortened")
    func longName() throws {
        let name = String(repeating: "x", count: 2_000_000)
        let text = #"{"format": "chatdb-preset", "version": 1, "custom": {"\#(name)": 1}}"#
        let message = try #require(problem(text, named: "x.json"))
        #expect(message.contains("custom.xxxx") && message.contains("x…: unknown field") && message.utf8.count < 300)
    }
}
