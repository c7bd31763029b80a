import ChatDBEngine
import ChatDBSalvage

extension DatabaseSalvage {
    /// Decides to which tree each page belongs that several pointers lead to: to a table whose columns fit the rows of
    /// the page, and whose pointer has their row IDs in its range.
    func settleSharedPages() throws {
        let roots = objects.enumerated().compactMap { place, object in
            treeRoot(of: object, place)
        }
        let shared = try SharedPages(usage, roots, schema: schema.pages) { try checkStop() }
        usage.treePages = shared.pages
        for (page, claims) in shared.claims.sorted(by: { $0.key < $1.key }) {
            try checkStop()
            if schema.pages.contains(page) {
                usage.owners[page] = PageOwner(tree: nil, range: .all, isGuess: false)
            } else if let owner = owner(of: page, claims) {
                usage.owners[page] = owner
            }
        }
    }

    /// The tree of an object. It is nil if the object has none, or if its first page is no page of a tree.
    private func treeRoot(of object: SchemaObject, _ place: Int) -> TreeRoot? {
        guard [.table, .index].contains(object.kind), tree(of: object) == place, let page = root(of: object) else {
            return nil
        }
        guard object.kind == .table else { return TreeRoot(tree: place, page: page, isTable: false) }
        if let table = tables[object.name.lowercased()] {
            return TreeRoot(tree: place, page: page, isTable: table.hasRowID)
        }
        return usage.file.treePage(page).map { TreeRoot(tree: place, page: page, isTable: $0.kind.isTable) }
    }

    /// How well the rows of a page fit the tree of a pointer.
    private struct Claim {
        let tree: Int
        let range: KeyRange
        /// 2 if all row IDs are in the range of the pointer, 1 if not all are, and 0 if the columns do not fit.
        let rank: Int
        /// How well the columns fit; a half for a tree whose columns are unknown, such as that of an index.
        let fit: Double

        func isBetter(than other: Claim) -> Bool { (rank, fit) > (other.rank, other.fit) }
    }

    /// The owner of a shared page. It is nil for a page without claims.
    private func owner(of page: Int, _ claims: [SharedPages.Claim]) -> PageOwner? {
        guard let first = claims.first else { return nil }
        let rows = usage.sample(from: page, isTable: first.root.isTable).filter { $0.record.isSound }
        let records = rows.filter { !$0.record.isCut }.map(\.record)
        let found = claims.map { claim in
            let isInRange = rows.allSatisfy { $0.rowID.map(claim.range.contains) ?? true }
            var fit: Double? = 0.5
            if let table = table(ofTree: claim.root.tree), !records.isEmpty { fit = table.shape.fit(of: records) }
            return Claim(
                tree: claim.root.tree, range: claim.range, rank: fit == nil ? 0 : isInRange ? 2 : 1, fit: fit ?? 0)
        }
        guard let best = found.max(by: { $1.isBetter(than: $0) }) else { return nil }
        // Of equal claims, the first is taken.
        let chosen = found.first { $0.rank == best.rank && best.fit - $0.fit < Self.leastDifference } ?? best
        let equal = found.filter {
            $0.tree != chosen.tree && $0.rank == chosen.rank && abs($0.fit - chosen.fit) < Self.leastDifference
        }
        if !equal.isEmpty, !rows.isEmpty {
            for claim in equal + [chosen] { table(ofTree: claim.tree)?.isContested = true }
        }
        return PageOwner(tree: chosen.tree, range: chosen.range, isGuess: !equal.isEmpty && !rows.isEmpty)
    }

    /// The table of a tree. It is nil for an index, and for a table that was not created.
    private func table(ofTree tree: Int) -> NewTable? {
        objects[tree].kind == .table ? tables[objects[tree].name.lowercased()] : nil
    }

    /// Two tables whose fits differ by less fit equally well.
    static let leastDifference = 0.02
}
