/// What is left of the schema and the history of a damaged database. It shows which program made the database, and in
/// which version.
package struct SchemaRemains: Sendable {
    /// The names of the tables in lower case.
    package let tables: Set<String>
    /// The application id. It is nil if the header is lost.
    package let applicationID: Int32?
    /// The names of the applied migrations that can be read. The index of the list has also those of lost rows.
    package private(set) var migrations: Set<String> = []

    package init(_ file: PageFile, _ schema: SchemaTable, _ mayContinue: @escaping () throws -> Void) throws {
        tables = Set(schema.objects.filter { $0.kind == .table }.map { $0.name.lowercased() })
        applicationID = file.layout.hasMarks ? file.layout.applicationID : nil
        // The pages are read again later, so they are marked in a usage of their own.
        let scan = TreeScan(PageUsage(file), mayContinue)
        var names: Set<String> = []
        for object in schema.objects where [.table, .index].contains(object.kind) && object.table == "migrations" {
            guard object.root > 1, let page = file.treePage(object.root) else { continue }
            _ = try scan.walk(from: object.root, tree: nil, isTable: page.kind.isTable) { row in
                guard row.record.isSound, let value = row.record.values.first else { return }
                if let name = SchemaTable.text(value, file.layout.encoding) { names.insert(name) }
            }
        }
        migrations = names
    }
}
