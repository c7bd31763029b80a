/// What the pages of a file say about its tables, without their rows: which tables there are, and how many pages of
/// their trees are in order. Two versions of a database can be compared by it.
package struct TreeCensus {
    /// The names of the tables in lower case, without SQLite's own.
    package private(set) var tables: Set<String> = []
    /// The pages of trees whose kind, header and row IDs are as the pointers to them require.
    package private(set) var soundPages = 0
    /// The pointers to pages that are missing, of another kind, in another tree too, or without the right row IDs.
    package private(set) var problems = 0
    /// The pages of the schema.
    let schemaPages: PageNumbers

    /// - Parameter mayContinue: called for each page, and throws to stop.
    package init(_ file: PageFile, _ mayContinue: @escaping () throws -> Void) throws {
        let schema = try SchemaTable(PageUsage(file), mayContinue)
        schemaPages = schema.pages
        var reached = schema.pages
        for object in schema.objects where object.kind == .table || object.kind == .index {
            if object.kind == .table, !object.name.lowercased().hasPrefix("sqlite_") {
                tables.insert(object.name.lowercased())
            }
            // A virtual table has no tree.
            if object.root > 0 { try count(object, file, &reached, mayContinue) }
        }
    }

    private mutating func count(
        _ object: SchemaObject, _ file: PageFile, _ reached: inout PageNumbers, _ mayContinue: () throws -> Void
    ) throws {
        // A table without row IDs has the pages of an index.
        let isTable = object.kind == .table && file.treePage(object.root)?.kind.isTable != false
        var steps = [(page: object.root, range: KeyRange.all, depth: 0)]
        while let step = steps.popLast() {
            try mayContinue()
            guard step.depth <= TreeScan.deepest, file.contains(step.page), reached.insert(step.page),
                let page = file.treePage(step.page), page.kind.isTable == isTable
            else {
                problems += 1
                continue
            }
            let ends = page.kind == .tableLeaf ? [0, page.cellCount - 1].compactMap { page.cell($0)?.rowID } : []
            if page.isSound, ends.allSatisfy(step.range.contains) { soundPages += 1 } else { problems += 1 }
            guard page.kind.isInterior else { continue }
            for child in page.children(in: step.range) { steps.append((child.page, child.range, step.depth + 1)) }
        }
    }
}

/// How many rows two versions of a database have in common.
package struct CommonRows {
    /// The rows of the first version on pages that the second one has too, without short rows and those of the schema.
    package private(set) var rows = 0
    /// Those of these rows that the second version has on a page with the same content, or on any new page.
    package private(set) var kept = 0
    /// The rows of the second version.
    package private(set) var rowsAfter = 0
    /// The pages of the second version that the first one does not have with the same content.
    package private(set) var newPages = 0

    /// Rows of fewer bytes may be equal in different databases.
    private static let leastBytes = 12

    /// - Parameters:
    ///   - schema: the pages of the schema, whose rows are the same in all databases of a version.
    ///   - mayContinue: called for each page, and throws to stop.
    package init(
        of first: PageFile, in second: PageFile, schema: [TreeCensus], _ mayContinue: () throws -> Void
    ) throws {
        var old: Set<Int> = []
        var new: Set<Int> = []
        var unchanged = 0
        guard first.layout.pageSize == second.layout.pageSize else { return }
        for page in second.pagesWithData where second.contains(page) {
            try mayContinue()
            let bytes = second.bytes(of: page)
            let other = page <= first.pageCount ? first.bytes(of: page) : nil
            let isOfSchema = schema.contains { $0.schemaPages.contains(page) }
            let found = isOfSchema ? [] : Self.rows(of: second.treePage(page))
            if bytes == other {
                unchanged += found.count
                continue
            }
            newPages += 1
            new.formUnion(found)
            if other != nil, !isOfSchema { old.formUnion(Self.rows(of: first.treePage(page))) }
        }
        rows = old.count + unchanged
        kept = old.intersection(new).count + unchanged
        rowsAfter = new.count + unchanged
    }

    /// Hashes of the rows of a page. Empty for a page that is not a sound leaf of a table.
    private static func rows(of page: BTreePage?) -> [Int] {
        guard let page, page.kind == .tableLeaf, page.isSound else { return [] }
        return (0..<page.cellCount).compactMap { index in
            guard let payload = page.cell(index)?.payload, payload.local >= leastBytes else { return nil }
            return page.view.slice(payload.start, payload.local)?.hashValue
        }
    }
}
