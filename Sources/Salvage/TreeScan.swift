/// The range of row IDs in the part of a tree to which a pointer leads: larger than `after`, and at most `upTo`.
package struct KeyRange: Sendable, Hashable {
    /// The number that all row IDs exceed. It is nil if the range has no lower limit.
    package let after: Int64?
    package let upTo: Int64

    package static let all = KeyRange(after: nil, upTo: .max)

    package func contains(_ key: Int64) -> Bool { key <= upTo && after.map { key > $0 } ?? true }
}

/// A row of a table or an entry of an index, as a page has it.
package struct ScannedRow: Sendable {
    package let page: Int
    /// The row ID. It is nil for an entry of an index, and for a row of a table without row IDs.
    package let rowID: Int64?
    package let record: StoredRecord
    /// Whether the row ID is in the range of the pointers that lead to this page.
    package let isInRange: Bool
}

/// The parts of a tree that could not be read.
package struct TreeOutcome: Sendable, Hashable {
    /// The number of rows that were given to the visitor.
    package var rows = 0
    /// The number of cells from which no row could be read.
    package var lostCells = 0
    /// The number of pages of the tree that are missing, or that are not pages of such a tree.
    package var lostPages = 0
    /// The number of pages whose header is damaged.
    package var damagedPages = 0
    /// The row IDs that the lost pages had.
    package var missing: [KeyRange] = []

    package init() {}

    /// Whether every page and every cell was read.
    package var isWhole: Bool { lostCells == 0 && lostPages == 0 && damagedPages == 0 }
}

/// Walks the tree of a table or an index, and continues after pages that cannot be read.
package struct TreeScan {
    private let usage: PageUsage
    private let onlyOrphans: Bool
    private let mayContinue: () throws -> Void

    /// - Parameters:
    ///   - onlyOrphans: for a tree to which nothing refers: leaves out pages that are used elsewhere, or free.
    ///   - mayContinue: called for each page, and throws to stop the walk.
    package init(_ usage: PageUsage, onlyOrphans: Bool = false, _ mayContinue: @escaping () throws -> Void) {
        self.usage = usage
        self.onlyOrphans = onlyOrphans
        self.mayContinue = mayContinue
    }

    /// A pointer that is still to follow.
    private struct Step {
        let page: Int
        let range: KeyRange
        let depth: Int
    }

    /// SQLite's largest depth of a tree is 20.
    private static let deepest = 64

    /// Walks the tree from a page on, and gives each row to a visitor, in the order of the keys.
    ///
    /// - Parameter isTable: whether its pages are those of a table with row IDs. Otherwise they are those of an index,
    ///   or of a table without row IDs.
    package func walk(
        from root: Int, isTable: Bool, _ visit: (ScannedRow) throws -> Void
    ) throws -> TreeOutcome {
        var outcome = TreeOutcome()
        var visited = PageNumbers()
        var steps = [Step(page: root, range: .all, depth: 0)]
        while let step = steps.popLast() {
            try mayContinue()
            guard let page = page(at: step, isTable, &visited) else {
                outcome.lostPages += 1
                outcome.missing.append(step.range)
                continue
            }
            if !page.isSound { outcome.damagedPages += 1 }
            if page.kind.isInterior { steps += children(of: page, step).reversed() }
            if page.kind != .tableInterior { try rows(of: page, step.range, &outcome, visit) }
        }
        return outcome
    }

    private func page(at step: Step, _ isTable: Bool, _ visited: inout PageNumbers) -> BTreePage? {
        guard step.depth <= Self.deepest, usage.file.contains(step.page) else { return nil }
        if onlyOrphans, !usage.isOrphan(step.page) { return nil }
        guard visited.insert(step.page), let page = usage.file.treePage(step.page), page.kind.isTable == isTable,
            usage.take(step.page)
        else { return nil }
        return page
    }

    /// The pointers of an interior page in their order, each with its range of row IDs. If the keys of the page do not
    /// ascend, or are outside the range of the page, every pointer has the range of the page.
    private func children(of page: BTreePage, _ step: Step) -> [Step] {
        var children: [(page: Int, key: Int64?)] = []
        var keys: [Int64] = []
        for index in 0..<page.cellCount {
            guard let cell = page.cell(index) ?? pointer(page, index), let child = cell.child else { continue }
            children.append((child, cell.rowID))
            if let key = cell.rowID { keys.append(key) }
        }
        if let right = page.rightChild { children.append((right, nil)) }
        let isAscending =
            keys.count == children.count - 1 && zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
            && keys.allSatisfy(step.range.contains)
        guard page.kind == .tableInterior, isAscending, page.isSound else {
            return children.map { Step(page: $0.page, range: step.range, depth: step.depth + 1) }
        }
        var last = step.range.after
        return children.map { child in
            defer { last = child.key }
            let range = KeyRange(after: last, upTo: child.key ?? step.range.upTo)
            return Step(page: child.page, range: range, depth: step.depth + 1)
        }
    }

    /// A cell with its pointer alone, for a cell of an interior page whose content is damaged.
    private func pointer(_ page: BTreePage, _ index: Int) -> BTreePage.Cell? {
        guard let offset = page.cellOffset(index), let child = page.view.word(offset) else { return nil }
        return BTreePage.Cell(child: child)
    }

    private func rows(
        of page: BTreePage, _ range: KeyRange, _ outcome: inout TreeOutcome, _ visit: (ScannedRow) throws -> Void
    ) throws {
        for index in 0..<page.cellCount {
            guard let cell = page.cell(index), let payload = cell.payload,
                let record = StoredRecord(
                    usage.content(of: payload, in: page), size: payload.size, encoding: usage.file.layout.encoding)
            else {
                outcome.lostCells += 1
                continue
            }
            outcome.rows += 1
            try visit(
                ScannedRow(
                    page: page.number, rowID: cell.rowID, record: record,
                    isInRange: cell.rowID.map(range.contains) ?? true))
        }
    }
}

extension PageUsage {
    /// The rows of a single page to which no tree leads. Empty for a page that is not a leaf of a table.
    package func rows(ofPage number: Int) -> [ScannedRow] {
        guard let page = file.treePage(number), page.kind == .tableLeaf, page.isSound else { return [] }
        return (0..<page.cellCount).compactMap { index in
            guard let cell = page.cell(index), let payload = cell.payload,
                let record = StoredRecord(
                    content(of: payload, in: page), size: payload.size, encoding: file.layout.encoding)
            else { return nil }
            return ScannedRow(page: number, rowID: cell.rowID, record: record, isInRange: true)
        }
    }
}
