/// A row of a table or an entry of an index, as a page has it.
package struct ScannedRow: Sendable {
    package let page: Int
    /// The row ID. It is nil for an entry of an index, and for a row of a table without row IDs.
    package let rowID: Int64?
    package let record: StoredRecord
    /// Whether the row ID is in the range of the pointers that lead to this page.
    package let isInRange: Bool
    /// Whether the page belongs to the tree that was walked.
    package var standing = Standing.own

    package enum Standing: Int, Sendable {
        /// No other tree leads to the page.
        case own
        /// Another tree leads to the page too, and either may be the right one.
        case guessed
        /// The page belongs to another tree.
        case foreign
    }
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
    package private(set) var missing: [KeyRange] = []

    package init() {}

    /// Counts a page that is missing, and the row IDs that it had.
    fileprivate mutating func addLost(_ range: KeyRange) {
        lostPages += 1
        if missing.last != range { missing.append(range) }
    }

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
        var standing = ScannedRow.Standing.own
    }

    /// SQLite's largest depth of a tree is 20.
    static let deepest = 64

    /// Walks the tree from a page on, and gives each row to a visitor, in the order of the keys.
    ///
    /// - Parameters:
    ///   - tree: the number of the tree. It is nil for a tree to which nothing refers.
    ///   - isTable: whether its pages are those of a table with row IDs. Otherwise they are those of an index, or of a
    ///     table without row IDs.
    package func walk(
        from root: Int, tree: Int?, isTable: Bool, _ visit: (ScannedRow) throws -> Void
    ) throws -> TreeOutcome {
        var outcome = TreeOutcome()
        var visited = PageNumbers()
        var steps = [Step(page: root, range: .all, depth: 0)]
        while var step = steps.popLast() {
            try mayContinue()
            guard mark(&step, of: tree, &outcome), let page = page(at: step, isTable, &visited) else {
                outcome.addLost(step.range)
                continue
            }
            if !page.isSound { outcome.damagedPages += 1 }
            if page.kind.isInterior {
                for child in page.children(in: step.range).reversed() {
                    steps.append(
                        Step(page: child.page, range: child.range, depth: step.depth + 1, standing: step.standing))
                }
            }
            if page.kind != .tableInterior { try rows(of: page, step, &outcome, visit) }
        }
        return outcome
    }

    /// Notes to which tree a shared page belongs. The rows of a page that belongs to another tree are read too, and
    /// its own page is lost. Returns false if another pointer of this tree is the right one.
    private func mark(_ step: inout Step, of tree: Int?, _ outcome: inout TreeOutcome) -> Bool {
        guard let tree, let owner = usage.owners[step.page] else { return true }
        guard owner.tree == tree else {
            if step.standing != .foreign { outcome.addLost(step.range) }
            step.standing = .foreign
            return true
        }
        if owner.isGuess, step.standing == .own { step.standing = .guessed }
        return owner.range == step.range
    }

    private func page(at step: Step, _ isTable: Bool, _ visited: inout PageNumbers) -> BTreePage? {
        guard step.depth <= Self.deepest, usage.file.contains(step.page) else { return nil }
        if onlyOrphans, !usage.isOrphan(step.page) { return nil }
        guard visited.insert(step.page), let page = usage.file.treePage(step.page), page.kind.isTable == isTable,
            usage.take(step.page)
        else { return nil }
        return page
    }

    private func rows(
        of page: BTreePage, _ step: Step, _ outcome: inout TreeOutcome, _ visit: (ScannedRow) throws -> Void
    ) throws {
        for index in 0..<page.cellCount {
            guard let cell = page.cell(index), let payload = cell.payload,
                let record = usage.record(of: payload, in: page)
            else {
                outcome.lostCells += 1
                continue
            }
            outcome.rows += 1
            try visit(
                ScannedRow(
                    page: page.number, rowID: cell.rowID, record: record,
                    isInRange: cell.rowID.map(step.range.contains) ?? true, standing: step.standing))
        }
    }
}

extension PageUsage {
    /// The rows of a single page to which no tree leads. Empty for a page that is not a leaf of a table.
    package func rows(ofPage number: Int) -> [ScannedRow] {
        guard let page = file.treePage(number), page.kind == .tableLeaf, page.isSound else { return [] }
        return (0..<page.cellCount).compactMap { index in
            guard let cell = page.cell(index), let payload = cell.payload,
                let record = record(of: payload, in: page)
            else { return nil }
            return ScannedRow(page: number, rowID: cell.rowID, record: record, isInRange: true)
        }
    }
}
