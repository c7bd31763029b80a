import ChatDBEngine

/// The words of texts, as `search_words` of the first migration finds them, for the many texts of a copy.
///
/// The server takes 30 µs for a text (*measured*). It decides here too which characters separate words and how each is
/// folded: it is asked once for each character that is not ASCII.
struct PostgresSearchWords {
    /// What becomes of a character.
    private enum Folded {
        case separator
        /// It has no width of its own, such as an accent that follows its letter.
        case removed
        case character([UInt8])
    }

    private let transaction: PostgresTransaction
    private var folded: [UInt32: Folded] = [:]

    init(_ transaction: PostgresTransaction) { self.transaction = transaction }

    /// The limits of `search_words`: characters of a text and of a word, and the largest place.
    static let longestText = 50_000
    private static let (longestWord, lastPlace) = (500, 16_383)
    /// PostgreSQL's limit for the places of one word.
    private static let mostPlaces = 256

    /// Asks the server for the characters of these texts that are not known yet.
    mutating func learn(_ texts: [String]) throws(StoreError) {
        var unknown: Set<UInt32> = []
        for text in texts where !text.utf8.allSatisfy({ $0 < 0x80 }) {
            for scalar in text.unicodeScalars where scalar.value >= 0x80 && folded[scalar.value] == nil {
                unknown.insert(scalar.value)
            }
        }
        if unknown.isEmpty { return }
        let list = "{\(unknown.map(String.init).joined(separator: ","))}"
        let rows = try transaction.rows(
            """
            SELECT code::bigint AS code, search_folded(chr(code)) AS folded,
                search_folded(chr(code)) ~ ('^[' || search_separators() || ']$') AS is_separator
            FROM unnest(\(list)::int[]) AS code
            """)
        for row in rows {
            let (code, text): (Int64, String) = (try row.get("code"), try row.get("folded"))
            let isSeparator: Bool = try row.get("is_separator")
            let result: Folded =
                isSeparator ? .separator : text.isEmpty ? .removed : .character(Array(text.utf8))
            folded[UInt32(truncatingIfNeeded: code)] = result
        }
    }

    /// The words of a text of a profile in the binary form of `tsvector`: each has the number of the profile before it.
    func vector(of text: String, profile: Int64) -> [UInt8] {
        var words: [[UInt8]: [UInt16]] = [:]
        let prefix = Array("\(profile)/".utf8)
        var (word, length, place) = (prefix, 0, 0)
        func end() {
            guard length > 0 else { return }
            place += 1
            let number = UInt16(min(place, Self.lastPlace))
            var places = words[word] ?? []
            if places.count < Self.mostPlaces, places.last != number { places.append(number) }
            words[word] = places
            (word, length) = (prefix, 0)
        }
        for scalar in text.unicodeScalars.prefix(Self.longestText) {
            switch byte(of: scalar) {
            case .separator: end()
            case .removed: break
            case .character(let bytes):
                length += 1
                if length <= Self.longestWord { word += bytes }
            }
        }
        end()
        var vector: [UInt8] = []
        vector.append(bigEndian: Int32(words.count))
        // In PostgreSQL's order of words: the shorter of two comes first only if it is the beginning of the longer.
        for (word, places) in words.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            vector += word
            vector.append(0)
            vector.append(bigEndian: UInt16(places.count))
            for place in places { vector.append(bigEndian: place) }
        }
        return vector
    }

    private func byte(of scalar: Unicode.Scalar) -> Folded {
        guard scalar.value < 0x80 else { return folded[scalar.value] ?? .separator }
        return Self.ascii[Int(scalar.value)]
    }

    /// Letters become small; all but letters and digits separate words.
    private static let ascii: [Folded] = (0..<0x80).map { (code: UInt8) in
        switch code {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .character([code | 0x20])
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): .character([code])
        default: .separator
        }
    }
}

extension PostgresMigrationConnection {
    /// Fills the index of the search with the words of all messages, in constant memory.
    func fillSearchIndex(_ index: String, check: () throws -> Void) throws {
        let transaction = try transaction()
        let columns = [
            CopiedColumn(name: "chat_item_id", form: .bigInteger), CopiedColumn(name: "words", form: .bytes),
        ]
        var words = PostgresSearchWords(transaction)
        var (batch, bytes): ([(id: Int64, profile: Int64, text: String)], Int) = ([], 0)
        func send() throws {
            try check()
            try words.learn(batch.map(\.text))
            try fill(index, columns) { insert in
                for item in batch {
                    let vector = words.vector(of: item.text, profile: item.profile)
                    try vector.withUnsafeBytes { try insert([.integer(item.id), .bytes($0)]) }
                }
            }
            (batch, bytes) = ([], 0)
        }
        // Only what the index has of a text: others take up to 1 GiB.
        let question: Query = """
            SELECT chat_item_id, user_id, pg_catalog."left"(item_text, \(number: PostgresSearchWords.longestText))
                AS item_text
            FROM \(identifier: schema).chat_items
            """
        try transaction.forEach(question, fetching: 100) { row in
            let text: String = try row.get("item_text")
            batch.append((try row.get("chat_item_id"), try row.get("user_id"), text))
            bytes += text.utf8.count
            if batch.count >= Self.largestBatch || bytes >= Self.mostBytes { try send() }
        }
        if !batch.isEmpty { try send() }
    }

    /// How many messages, and bytes of their texts, are in memory together.
    private static let (largestBatch, mostBytes) = (10_000, 4 << 20)
}
