/// Suggestions for misspelt names.
enum DidYouMean {
    /// Longer than any typed name, and a bound on the work for each candidate.
    private static let longest = 100

    /// The candidates within a few typing mistakes: nearest first, then in the given order, each once. Ignores case.
    /// Empty if no candidate is near.
    static func suggestions(for name: String, among candidates: [String], atMost limit: Int = 3) -> [String] {
        let typed = Array(name.lowercased())
        guard !typed.isEmpty, typed.count <= longest else { return [] }
        var near: [(distance: Int, place: Int, name: String)] = []
        var seen: Set<String> = []
        for (place, candidate) in candidates.enumerated() where candidate.utf8.count <= 4 * longest {
            guard seen.insert(candidate).inserted else { continue }
            let letters = Array(candidate.lowercased())
            let allowed = slips(for: max(typed.count, letters.count))
            guard abs(letters.count - typed.count) <= allowed else { continue }
            let distance = distance(typed, letters)
            if distance <= allowed { near.append((distance, place, candidate)) }
        }
        return near.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.prefix(limit).map(\.name)
    }

    /// `did you mean "alice" or "alina"?`; nil without a suggestion. A folder, with a slash at its end, stands before
    /// each name.
    static func hint(for name: String, among candidates: [String], in folder: String = "") -> String? {
        question(about: suggestions(for: name, among: candidates).map { folder + $0 })
    }

    /// The same question about the candidates that begin with a part of a name; nil if none does, or more than three do.
    static func hint(forBeginning part: String, among candidates: [String]) -> String? {
        let names = Set(candidates.filter { $0.hasPrefix(part) })
        return part.isEmpty || names.count > 3 ? nil : question(about: names.sorted())
    }

    private static func question(about found: [String]) -> String? {
        let names = found.map { "\"\($0)\"" }
        guard let last = names.last else { return nil }
        let others = names.dropLast().joined(separator: ", ")
        return "did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }

    /// A third of the letters may be wrong, three at most; of two letters none, or everything would be similar.
    private static func slips(for length: Int) -> Int {
        min(length / 3, 3)
    }

    /// The number of missing, extra, wrong, or swapped letters (Damerau and Levenshtein, with each letter changed
    /// once).
    static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            for column in 0..<second.count {
                let change = previous[column] + (first[row] == second[column] ? 0 : 1)
                var best = min(change, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[second.count]
    }
}
