/// The pages to which nothing refers, as trees. An interior page whose own pointers are right leads to other pages of
/// the same table.
package struct OrphanTrees {
    /// The first page of each tree, and whether the tree is that of a table with row IDs.
    package private(set) var roots: [(page: Int, isTable: Bool)] = []

    package init(_ usage: PageUsage, _ mayContinue: () throws -> Void) throws {
        var found: [(page: Int, isTable: Bool)] = []
        var children = PageNumbers()
        for page in usage.file.pagesWithData where usage.isOrphan(page) {
            try mayContinue()
            guard let tree = usage.file.treePage(page), tree.cellCount > 0 || tree.kind.isInterior else { continue }
            found.append((page, tree.kind.isTable))
            guard tree.kind.isInterior else { continue }
            for index in 0..<tree.cellCount {
                if let child = tree.cell(index)?.child, child != page, usage.isOrphan(child) { children.insert(child) }
            }
            if let right = tree.rightChild, right != page, usage.isOrphan(right) { children.insert(right) }
        }
        roots = found.filter { !children.contains($0.page) }
        self.found = found.map(\.page)
    }

    /// All pages to which nothing refers. Pages whose pointers form a circle are in no tree of ``roots``.
    package let found: [Int]
}

extension PageUsage {
    /// The first rows of a tree, which show to which table the tree belongs. Its pages and the overflow pages of its
    /// rows are not marked as used.
    package func sample(from root: Int, isTable: Bool) -> [ScannedRow] {
        var rows: [ScannedRow] = []
        var pages = [root]
        var read = PageNumbers()
        var left = Self.sampledPages
        while let number = pages.popLast(), left > 0, rows.count < Self.sampledRows {
            guard read.insert(number), let page = file.treePage(number), page.kind.isTable == isTable else { continue }
            left -= 1
            for index in (0..<page.cellCount).reversed() {
                guard let cell = page.cell(index) else { continue }
                if let child = cell.child, isOrphan(child) { pages.append(child) }
                guard let payload = cell.payload, let record = record(of: payload, in: page, isLook: true) else {
                    continue
                }
                rows.append(ScannedRow(page: number, rowID: cell.rowID, record: record, isInRange: true))
            }
        }
        return rows
    }

    private static let sampledPages = 16
    private static let sampledRows = 200
}
