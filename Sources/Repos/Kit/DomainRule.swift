package import ChatDBEngine
package import ChatDBSchema

/// The rule for a domain of a relay: a host name in visible ASCII, since the stored list is joined by commas.
package enum DomainRule {
    package static func checked(_ given: [String]) throws(InvalidDomain) -> [String] {
        var domains: [String] = []
        for text in given {
            guard let domain = checked(text) else { throw InvalidDomain(NameRule.trimmed(text).lowercased()) }
            if !domains.contains(domain) { domains.append(domain) }
        }
        return domains
    }

    /// The domain as it is stored, trimmed and in lower case; nil when the text is not a domain.
    package static func checked(_ given: String) -> String? {
        let domain = NameRule.trimmed(given).lowercased()
        return isDomain(domain) ? domain : nil
    }

    package static func isDomain(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy(isLetterDigitOrHyphen)
            }
    }

    private static func isLetterDigitOrHyphen(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

/// A text that is no domain.
package struct InvalidDomain: Error {
    /// The text, cut to what fits into a sentence.
    package let excerpt: String

    package init(_ text: String) { excerpt = text.count > 60 ? text.prefix(60) + "…" : text }
}

/// An error of a repository: a broken rule, with the names and ids in it, or a failure of the store.
package protocol RuleViolation: ChatDBError, Sendable, CustomStringConvertible {
    /// A failure of the database.
    static func store(_ error: StoreError) -> Self

    /// The failure of the database; nil for a broken rule.
    var storeError: StoreError? { get }
}

extension RuleViolation {
    /// The message.
    public var description: String { message }
}
