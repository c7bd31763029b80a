import ChatDBReposKit
import ChatDBSchema

/// A relay that is to have another name than it has, or that is new.
struct RelayNameClaim {
    /// The name it has; empty for one that is new.
    let now: String
    /// The name it is to have.
    let wanted: String
    /// Whether it gets the wanted name with a number, if that name is not free.
    var isNumbered = false
}

/// Decides which of a profile's relays get the names they are to have, so that no two are the same. Names are compared
/// as everywhere, and an empty name is no name. Rule: docs/domain.md, "Chat relays", No two alike.
enum RelayNames {
    /// The name each claim gets, in their order; nil for one that gets none and keeps what it has. `kept` are the names
    /// of the relays that stay as they are. Of two claims to one name the first counts.
    ///
    /// A relay that gets no new name keeps its old one, which no other may take then. Numbered, it gets the name it is
    /// to have with a number behind it instead.
    static func settle(_ claims: [RelayNameClaim], beside kept: [String]) -> [String?] {
        var taken = Set(kept.map(NameRule.key)).subtracting([""])
        let wanted = Dictionary(grouping: claims.indices, by: { NameRule.key(claims[$0].wanted) })
        var isLost = [Bool](repeating: false, count: claims.count)
        var news = Array(taken)
        func lose(_ index: Int) {
            if isLost[index] { return }
            isLost[index] = true
            let old = NameRule.key(claims[index].now)
            if !claims[index].isNumbered, !old.isEmpty, taken.insert(old).inserted { news.append(old) }
        }
        for (name, rivals) in wanted where !name.isEmpty { rivals.dropFirst().forEach(lose) }
        while let name = news.popLast() { wanted[name]?.forEach(lose) }

        for index in claims.indices where !isLost[index] { taken.insert(NameRule.key(claims[index].wanted)) }
        var numbers = NameNumbers(taken)
        return claims.indices.map { index in
            if !isLost[index] { return claims[index].wanted }
            return claims[index].isNumbered ? numbers.number(claims[index].wanted) : nil
        }
    }
}

/// Names with numbers behind them, so that no two are the same.
private struct NameNumbers {
    /// The part of a name that is kept when the name is too long to get a blank and a number of up to seven digits.
    private static let longest = NameRule.longest - 8

    private var taken: Set<String>
    /// The number that is tried next, by name.
    private var next: [String: Int] = [:]

    init(_ taken: Set<String>) { self.taken = taken }

    /// The name with the first number from 2 that makes it one of its own.
    mutating func number(_ name: String) -> String {
        let short = NameRule.trimmed(String(String.UnicodeScalarView(name.unicodeScalars.prefix(Self.longest))))
        let key = NameRule.key(short)
        var number = next[key] ?? 2
        while !taken.insert(NameRule.key("\(short) \(number)")).inserted { number += 1 }
        next[key] = number + 1
        return "\(short) \(number)"
    }
}
