import ChatDBKit

extension Passphrase {
    /// The hint if the file or the line of a passphrase that opens nothing has bytes that an editor does not show; nil
    /// without such bytes. It never has a part of the passphrase.
    ///
    /// - Parameter source: the file, or the line on standard input.
    func hint(of source: String) -> Hint? {
        if hasByteOrderMark {
            return """
                \(source) begins with a byte order mark, which counts; remove it, or save the file as UTF-8 without one
                """
        }
        if hasLineEnd {
            return "\(source) has several lines, and all of them count; leave only the line of the passphrase"
        }
        return blankEnds.map {
            "\(source) \($0) with a blank, which counts; remove it if it is not part of the passphrase"
        }
    }

    /// The verbs for the ends that have a blank; nil if neither end has one.
    var blankEnds: String? {
        let ends = [beginsWithBlank ? "begins" : nil, endsWithBlank ? "ends" : nil].compactMap(\.self)
        return ends.isEmpty ? nil : ends.joined(separator: " and ")
    }
}
