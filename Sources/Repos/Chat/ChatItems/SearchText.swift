import ChatDBEngine

/// What somebody typed to look for.
///
/// Words are what blanks separate; each must be in the text, in any order, with accents or without. Nothing in them is
/// an operator. The last one also finds what begins with it, unless a blank follows. What has neither letter nor digit
/// is passed over. Rule: docs/domain.md, "Searching".
struct SearchText {
    /// In bytes. Nobody types more, and every word costs a look into the index.
    static let longest = 1_000

    let words: [SearchWord]

    init(_ text: String) throws(ChatsError) {
        guard text.utf8.count <= Self.longest else { throw .searchTextTooLong(longest: Self.longest) }
        let pieces = text.unicodeScalars.split { Self.separates($0) }.map { String(String.UnicodeScalarView($0)) }
        let isOpen = text.unicodeScalars.last.map { !Self.separates($0) } ?? false
        var words: [SearchWord] = []
        for (index, piece) in pieces.enumerated() where piece.unicodeScalars.contains(where: Self.isOfWords) {
            let word = SearchWord(piece, isPrefix: isOpen && index == pieces.count - 1)
            // The same word again finds nothing else and costs as much.
            if !words.contains(word) { words.append(word) }
        }
        self.words = words
    }

    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }

    /// As the index has it: letters, digits and what is for private use. A word that the index takes to have none is
    /// found nowhere.
    private static func isOfWords(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }
}
