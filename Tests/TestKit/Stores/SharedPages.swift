/// Safety S01: pages that several other pages refer to. A walk over the table visits more pages than there is time for.
package enum SharedPages {
    private static let pageSize = 4_096

    /// Puts pages under the root of a table, each level one page all of whose children are the next one; the last level
    /// has the children that the root had. The root must be an inner page; pages have 4096 bytes.
    package static func lead(from root: Int, levels: Int = 8, in bytes: inout [UInt8]) {
        let place = (root - 1) * pageSize
        let inner = Array(bytes[place..<place + pageSize])
        precondition(inner[0] == 5, "the table is too small to have an inner page")
        let pages = bytes.count / pageSize
        for level in 0...levels {
            var page = inner
            if level < levels {
                let child = number(pages + level + 1)
                for cell in 0..<Int(inner[3]) << 8 | Int(inner[4]) {
                    let place = Int(inner[12 + cell * 2]) << 8 | Int(inner[13 + cell * 2])
                    page.replaceSubrange(place..<place + 4, with: child)
                }
                page.replaceSubrange(8..<12, with: child)
            }
            if level == 0 { bytes.replaceSubrange(place..<place + pageSize, with: page) } else { bytes += page }
        }
        bytes.replaceSubrange(28..<32, with: number(bytes.count / pageSize))
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
