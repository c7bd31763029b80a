/// The first page of the tree of a table or an index of the schema.
package struct TreeRoot: Sendable, Hashable {
    /// The number of the tree, which its caller chooses.
    package let tree: Int
    package let page: Int
    /// Whether its pages are those of a table with row IDs.
    package let isTable: Bool

    package init(tree: Int, page: Int, isTable: Bool) {
        (self.tree, self.page, self.isTable) = (tree, page, isTable)
    }
}

/// The pages to which several pointers lead. A sound file has no such page: at most one of the pointers is right.
package struct SharedPages: Sendable {
    /// A pointer that leads to a shared page.
    package struct Claim: Sendable, Hashable {
        package let root: TreeRoot
        /// The row IDs that the page has if the pointer is right.
        package let range: KeyRange
    }

    /// The pointers to each shared page, at most ``mostClaims`` for a page.
    package private(set) var claims: [Int: [Claim]] = [:]
    /// All pages of the trees.
    package let pages: PageNumbers

    private static let mostClaims = 16

    /// Walks all trees without reading their rows.
    ///
    /// - Parameter schema: the pages of the schema, which are shared as soon as one pointer leads to them.
    package init(
        _ usage: PageUsage, _ roots: [TreeRoot], schema: PageNumbers, _ mayContinue: () throws -> Void
    ) throws {
        var walk = Walk(file: usage.file, schema: schema)
        var shared = PageNumbers()
        var hasShared = false
        try walk.follow(roots, mayContinue) { page, _, isNew in
            guard !isNew || schema.contains(page) else { return }
            shared.insert(page)
            hasShared = true
        }
        pages = walk.reached
        guard hasShared else { return }
        walk = Walk(file: usage.file, schema: schema)
        try walk.follow(roots, mayContinue) { page, claim, _ in
            if shared.contains(page), claims[page, default: []].count < Self.mostClaims {
                claims[page, default: []].append(claim)
            }
        }
    }

    /// A walk through all trees that reads each page once.
    private struct Walk {
        let file: PageFile
        let schema: PageNumbers
        var reached = PageNumbers()
        /// The pages that were read, and those among them that are pages of such trees.
        private var read = PageNumbers()
        private var ofTables = PageNumbers()
        private var ofIndexes = PageNumbers()

        init(file: PageFile, schema: PageNumbers) { (self.file, self.schema) = (file, schema) }

        mutating func follow(
            _ roots: [TreeRoot], _ mayContinue: () throws -> Void,
            _ visit: (_ page: Int, _ claim: Claim, _ isNew: Bool) -> Void
        ) throws {
            for root in roots {
                var steps = [(page: root.page, range: KeyRange.all, depth: 0)]
                while let step = steps.popLast() {
                    try mayContinue()
                    let claim = Claim(root: root, range: step.range)
                    if read.contains(step.page) {
                        guard (root.isTable ? ofTables : ofIndexes).contains(step.page) else { continue }
                        if reached.contains(step.page) {
                            visit(step.page, claim, false)
                            continue
                        }
                    }
                    read.insert(step.page)
                    guard let page = file.treePage(step.page) else { continue }
                    if page.kind.isTable { ofTables.insert(step.page) } else { ofIndexes.insert(step.page) }
                    guard page.kind.isTable == root.isTable else { continue }
                    reached.insert(step.page)
                    visit(step.page, claim, true)
                    guard page.kind.isInterior, step.depth < TreeScan.deepest, !schema.contains(step.page) else {
                        continue
                    }
                    for child in page.children(in: step.range).reversed() where file.contains(child.page) {
                        steps.append((child.page, child.range, step.depth + 1))
                    }
                }
            }
        }
    }
}

/// The tree to which a shared page belongs.
package struct PageOwner: Sendable, Hashable {
    /// The number of the tree. It is nil if the page belongs to the schema.
    package let tree: Int?
    /// The row IDs of the pointer that is right. Another pointer of the same tree is wrong.
    package let range: KeyRange
    /// Whether another tree may as well be the owner.
    package let isGuess: Bool

    package init(tree: Int?, range: KeyRange, isGuess: Bool) {
        (self.tree, self.range, self.isGuess) = (tree, range, isGuess)
    }
}
