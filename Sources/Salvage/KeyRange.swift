/// The range of row IDs in the part of a tree to which a pointer leads: larger than `after`, and at most `upTo`.
package struct KeyRange: Sendable, Hashable {
    /// The number that all row IDs exceed. It is nil if the range has no lower limit.
    package let after: Int64?
    package let upTo: Int64

    package static let all = KeyRange(after: nil, upTo: .max)

    package init(after: Int64?, upTo: Int64) { (self.after, self.upTo) = (after, upTo) }

    package func contains(_ key: Int64) -> Bool { key <= upTo && after.map { key > $0 } ?? true }
}

/// Several ranges of row IDs, such as those of the lost pages of a table. The ranges ascend and do not overlap, so a
/// search halves them.
package struct KeyRanges: Sendable, Hashable {
    private var ranges: [KeyRange] = []

    package init(_ all: [KeyRange] = []) {
        let sorted = all.sorted { one, other in
            guard let second = other.after else { return false }
            return one.after.map { $0 < second } ?? true
        }
        for range in sorted {
            if let last = ranges.last, range.after.map({ $0 <= last.upTo }) ?? true {
                ranges[ranges.count - 1] = KeyRange(after: last.after, upTo: max(last.upTo, range.upTo))
            } else {
                ranges.append(range)
            }
        }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    /// The range that has a row ID. It is nil if no range has it.
    package func range(of key: Int64) -> KeyRange? {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upTo < key { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(key) ? ranges[low] : nil
    }
}
