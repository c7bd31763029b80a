import ChatDBEngine

/// The words of texts, as `search_words` of the first migration finds them, for the many texts of a copy.
///
/// The server takes 30 µs for a text (*measured*). It decides here too which characters separate words and how each is
/// folded: it is asked once for each block of characters that is not ASCII.
struct PostgresSearchWords {
    /// What becomes of a character.
    private enum Folded {
        case separator
        /// It has no width of its own, such as an accent that follows its letter.
        case removed
        case character([UInt8])
    }

    /// A word in the text that was read last.
    private struct Word {
        /// Where it is among the folded bytes.
        let bytes: Range<Int>
        let place: UInt16
    }

    private let transaction: PostgresTransaction
    /// The characters by their code without its last 8 bits.
    private var blocks: [UInt32: [Folded]] = [:]
    private var bytes: [UInt8] = []
    private var words: [Word] = []

    init(_ transaction: PostgresTransaction) { self.transaction = transaction }

    /// The limits of `search_words`: characters of a text and of a word, and the largest place.
    private static let (longestText, longestWord, lastPlace) = (50_000, 500, 16_383)
    /// PostgreSQL's limit for the places of one word.
    private static let mostPlaces = 256

    // MARK: Characters

    /// The blocks of characters of a text that are not known yet.
    func unknownBlocks(in text: UnsafeRawBufferPointer) -> Set<UInt32> {
        if TextBytes.isPlain(text) { return [] }
        var unknown: Set<UInt32> = []
        for scalar in Self.scalars(text) where scalar.value >= 0x80 && blocks[scalar.value >> 8] == nil {
            unknown.insert(scalar.value >> 8)
        }
        return unknown
    }

    /// Asks the server for the characters of a block.
    mutating func learn(_ block: UInt32) throws(StoreError) {
        let codes = (block << 8..<(block + 1) << 8).filter { $0 > 0 && Unicode.Scalar($0) != nil }
        var folded = [Folded](repeating: .separator, count: 256)
        let list = "{\(codes.map(String.init).joined(separator: ","))}"
        let rows = try transaction.rows(
            """
            SELECT code::bigint AS code, search_folded(chr(code)) AS folded,
                search_folded(chr(code)) ~ ('^[' || search_separators() || ']$') AS is_separator
            FROM unnest(\(list)::int[]) AS code
            """)
        for row in rows {
            let (code, text): (Int64, String) = (try row.get("code"), try row.get("folded"))
            let isSeparator: Bool = try row.get("is_separator")
            folded[Int(code & 0xFF)] = isSeparator ? .separator : text.isEmpty ? .removed : .character(Array(text.utf8))
        }
        blocks[block] = folded
    }

    private static func scalars(_ text: UnsafeRawBufferPointer) -> String.UnicodeScalarView {
        String(decoding: text, as: UTF8.self).unicodeScalars
    }

    /// Letters become small; 0 is for a separator, which all but letters and digits are.
    private static let ascii: [UInt8] = (0..<0x80).map { (code: UInt8) in
        switch code {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): code | 0x20
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): code
        default: 0
        }
    }

    // MARK: Words

    /// Appends the words of a text of a profile in the binary form of `tsvector`: each has the number of the profile
    /// before it.
    mutating func append(_ text: UnsafeRawBufferPointer, profile: Int64, to buffer: CopyBuffer) {
        bytes.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
        if TextBytes.isPlain(text) { divide(plain: text) } else { divide(Self.scalars(text)) }
        bytes.withUnsafeBytes { bytes in
            // In PostgreSQL's order of words: the shorter of two comes first only if it is the beginning of the longer.
            words.sort { first, second in
                let order = Self.order(bytes[first.bytes], bytes[second.bytes])
                return order == 0 ? first.place < second.place : order < 0
            }
            let starts = words.indices.filter {
                $0 == 0 || Self.order(bytes[words[$0 - 1].bytes], bytes[words[$0].bytes]) != 0
            }
            buffer.append(Int32(starts.count))
            let prefix = Array("\(profile)/".utf8)
            prefix.withUnsafeBytes { prefix in
                for (index, start) in starts.enumerated() {
                    let end = index + 1 < starts.count ? starts[index + 1] : words.count
                    let word = UnsafeRawBufferPointer(rebasing: bytes[words[start].bytes])
                    Self.append(prefix, word, at: words[start..<end], to: buffer)
                }
            }
        }
    }

    /// Appends a word with its places, each of them once.
    private static func append(
        _ prefix: UnsafeRawBufferPointer, _ word: UnsafeRawBufferPointer, at found: ArraySlice<Word>,
        to buffer: CopyBuffer
    ) {
        // The word ends with a zero, and the number of the places stands before them.
        buffer.append(atMost: prefix.count + word.count + 3 + 2 * found.count) { start in
            var (count, last): (UInt16, UInt16) = (0, 0)
            let places = start.put(prefix).put(word).put(UInt8(0))
            var end = places + 2
            for word in found where count < mostPlaces && word.place != last {
                (count, last) = (count + 1, word.place)
                end = end.put(word.place.bigEndian)
            }
            _ = places.put(count.bigEndian)
            return end
        }
    }

    private static func order(_ first: Slice<UnsafeRawBufferPointer>, _ second: Slice<UnsafeRawBufferPointer>) -> Int {
        let common = min(first.count, second.count)
        for index in 0..<common {
            let (one, other) = (first.base[first.startIndex + index], second.base[second.startIndex + index])
            if one != other { return Int(one) - Int(other) }
        }
        return first.count - second.count
    }

    /// Finds the words of a text that is ASCII.
    private mutating func divide(plain text: UnsafeRawBufferPointer) {
        let ascii = Self.ascii
        var length = 0
        for byte in text.prefix(Self.longestText) {
            let folded = ascii[Int(byte & 0x7F)]
            if folded == 0 {
                endWord(&length)
            } else {
                length += 1
                if length <= Self.longestWord { bytes.append(folded) }
            }
        }
        endWord(&length)
    }

    /// Finds the words of a text.
    private mutating func divide(_ text: String.UnicodeScalarView) {
        var length = 0
        for scalar in text.prefix(Self.longestText) {
            switch folded(scalar) {
            case .separator: endWord(&length)
            case .removed: break
            case .character(let character):
                length += 1
                if length <= Self.longestWord { bytes += character }
            }
        }
        endWord(&length)
    }

    private func folded(_ scalar: Unicode.Scalar) -> Folded {
        guard scalar.value < 0x80 else {
            return blocks[scalar.value >> 8]?[Int(scalar.value & 0xFF)] ?? .separator
        }
        let byte = Self.ascii[Int(scalar.value)]
        return byte == 0 ? .separator : .character([byte])
    }

    /// Ends a word of this many characters, if there is one.
    private mutating func endWord(_ length: inout Int) {
        guard length > 0 else { return }
        length = 0
        words.append(
            Word(
                bytes: (words.last?.bytes.upperBound ?? 0)..<bytes.count,
                place: UInt16(min(words.count + 1, Self.lastPlace))))
    }
}

extension PostgresMigrationConnection {
    /// Fills the index of the search with the words of all messages, in constant memory.
    func fillSearchIndex(
        _ index: String,
        _ read: (_ table: String, _ columns: [String], _ body: ([CopiedValue]) throws -> Void) throws -> Void
    ) throws {
        let columns = [
            CopiedColumn(name: "chat_item_id", form: .bigInteger), CopiedColumn(name: "words", form: .bytes),
        ]
        var words = PostgresSearchWords(try transaction())
        let vector = CopyBuffer()
        var copy = try PostgresRowCopy(into: index, columns, schema: schema, session)
        var isCopying = true
        do {
            try read("chat_items", ["chat_item_id", "user_id", "item_text"]) { values in
                guard values.count == 3, case .integer(let id) = values[0], case .integer(let profile) = values[1],
                    case .text(let text) = values[2]
                else { throw StoreError(.unexpectedRow, "a message has no text") }
                let unknown = words.unknownBlocks(in: text)
                if !unknown.isEmpty {
                    // The server answers no question during a COPY.
                    isCopying = false
                    try copy.finish()
                    for block in unknown.sorted() { try words.learn(block) }
                    copy = try PostgresRowCopy(into: index, columns, schema: schema, session)
                    isCopying = true
                }
                vector.removeAll()
                words.append(text, profile: profile, to: vector)
                try copy.add([.integer(id), .bytes(vector.bytes)])
            }
        } catch {
            if isCopying { copy.stop() }
            throw error
        }
        try copy.finish()
    }
}
