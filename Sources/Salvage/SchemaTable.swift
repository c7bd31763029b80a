/// A row of the table `sqlite_schema`: a table, an index, a view or a trigger of the file.
package struct SchemaObject: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case table, index, trigger, view
    }

    package let kind: Kind
    package let name: String
    /// The table to which the object belongs.
    package let table: String
    /// The first page of its tree; 0 for a view, a trigger or a virtual table, which have no tree.
    package let root: Int
    /// The statement that creates the object. It is nil for an index that SQLite creates for a constraint.
    package let sql: String?

    package init(kind: Kind, name: String, table: String, root: Int, sql: String?) {
        self.kind = kind
        self.name = name
        self.table = table
        self.root = root
        self.sql = sql
    }
}

/// Reads the schema of a damaged file.
package struct SchemaTable {
    /// The objects in the order of the file, each name once.
    package private(set) var objects: [SchemaObject] = []
    /// Whether all of the schema was read.
    package private(set) var isWhole = true
    /// The pages with rows of the schema.
    package private(set) var pages = PageNumbers()
    private var names: Set<String> = []

    /// Reads the tree of the schema, which begins on page 1. If a part of it is damaged, every page of the file is
    /// examined for rows of a schema.
    package init(_ usage: PageUsage, _ mayContinue: @escaping () throws -> Void) throws {
        let encoding = usage.file.layout.encoding
        var invalid = 0
        let outcome = try TreeScan(usage, mayContinue).walk(from: 1, tree: nil, isTable: true) { row in
            let object = Self.object(row.record, encoding)
            if let object {
                add(object)
                pages.insert(row.page)
            }
            // A definition may be readable although the row is damaged.
            if object == nil || !row.record.isSound { invalid += 1 }
        }
        isWhole = outcome.isWhole && invalid == 0
        if isWhole { return }
        for page in usage.file.pagesWithData where usage.isOrphan(page) {
            try mayContinue()
            guard let tree = usage.file.treePage(page), tree.kind == .tableLeaf, tree.cellCount > 0 else { continue }
            let found = usage.schemaRows(of: tree).compactMap { Self.object($0, encoding) }
            // Single rows of other tables may look like rows of a schema. A page counts only if most of its rows do.
            guard found.count * 2 > tree.cellCount else { continue }
            _ = usage.take(page)
            pages.insert(page)
            found.forEach { add($0) }
        }
    }

    private mutating func add(_ object: SchemaObject) {
        if names.insert("\(object.kind) \(object.name.lowercased())").inserted { objects.append(object) }
    }

    private static func object(_ record: StoredRecord, _ encoding: FileLayout.Encoding) -> SchemaObject? {
        let values = record.values
        guard values.count >= 5, let kind = text(values[0], encoding).flatMap(SchemaObject.Kind.init),
            let name = text(values[1], encoding), let table = text(values[2], encoding), !name.isEmpty
        else { return nil }
        var root = 0
        if case .integer(let number) = values[3] { root = Int(truncatingIfNeeded: number) }
        var sql: String?
        if case .text = values[4] {
            let text = readable(values[4], encoding)
            guard !record.isCut, text.uppercased().hasPrefix("CREATE") else { return nil }
            sql = text
        }
        return SchemaObject(kind: kind, name: name, table: table, root: root, sql: sql)
    }

    /// A value as a text. It is nil if the value is not a text, or if its bytes are invalid.
    package static func text(_ value: StoredValue, _ encoding: FileLayout.Encoding) -> String? {
        guard case .text(let bytes) = value else { return nil }
        if encoding == .utf8 { return String(validating: bytes, as: UTF8.self) }
        guard bytes.count % 2 == 0 else { return nil }
        return String(validating: units(bytes, encoding), as: UTF16.self)
    }

    /// A value as a text, with a replacement character for each invalid byte sequence.
    private static func readable(_ value: StoredValue, _ encoding: FileLayout.Encoding) -> String {
        if let text = text(value, encoding) { return text }
        guard case .text(let bytes) = value else { return "" }
        return encoding == .utf8
            ? String(decoding: bytes, as: UTF8.self) : String(decoding: units(bytes, encoding), as: UTF16.self)
    }

    private static func units(_ bytes: [UInt8], _ encoding: FileLayout.Encoding) -> [UInt16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second
        }
    }

    /// The encoding in which the first rows of the schema have their words. It is nil if no such row can be read.
    static func encoding(of file: RawFile, _ layout: FileLayout) -> FileLayout.Encoding? {
        func page(_ number: Int) -> BTreePage? {
            file.bytes(layout.pageSize, at: Int64(number - 1) * Int64(layout.pageSize)).flatMap {
                BTreePage($0, number: number, usable: layout.usable)
            }
        }
        guard let first = page(1), first.kind.isTable else { return nil }
        let leaves = first.kind.isInterior ? first.children(in: .all).prefix(8).compactMap { page($0.page) } : [first]
        return leaves.lazy.compactMap(encoding).first
    }

    /// The encoding of the words of the schema on a page. It is nil if the page has none of them.
    static func encoding(of page: BTreePage) -> FileLayout.Encoding? {
        guard page.kind == .tableLeaf else { return nil }
        for index in 0..<page.cellCount {
            guard let payload = page.cell(index)?.payload, let local = page.view.slice(payload.start, payload.local),
                let kind = StoredRecord(PageBytes(Array(local)), size: payload.size, encoding: .utf8)?.values.first
            else { continue }
            let encodings = FileLayout.Encoding.allCases.filter {
                text(kind, $0).flatMap(SchemaObject.Kind.init) != nil
            }
            if let encoding = encodings.first { return encoding }
        }
        return nil
    }
}

extension PageUsage {
    /// The records of a page that may be a page of the schema. Overflow pages are not marked as used.
    fileprivate func schemaRows(of page: BTreePage) -> [StoredRecord] {
        (0..<page.cellCount).compactMap { index in
            guard let payload = page.cell(index)?.payload, let local = page.view.slice(payload.start, payload.local),
                // The first value of such a row is the word for its kind.
                let beginning = StoredRecord(
                    PageBytes(Array(local)), size: payload.size, encoding: file.layout.encoding),
                beginning.values.count == 5,
                SchemaTable.text(beginning.values[0], file.layout.encoding).flatMap(SchemaObject.Kind.init) != nil
            else { return nil }
            let record = record(of: payload, in: page, isLook: true)
            return record?.isSound == true ? record : nil
        }
    }
}
