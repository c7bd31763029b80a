import ChatDBEngine
import ChatDBSchema

/// Finds the profile to which the rows of each table of a chat database belong, from the schema of the file itself. The
/// column `user_id` of a table names the profile. A table without it has the profile of the rows with which its rows
/// are deleted.
struct RowProfiles {
    let tables: [String: TableStructure]
    /// The SQL of the engine.
    let dialect: Dialect

    /// The most tables between a row and its profile.
    private static let farthest = 3

    /// A foreign key that stops the deletion of the row it refers to.
    struct Stop {
        let child: String
        let key: ForeignKeyStructure
        /// The columns of the parent.
        let parentColumns: [String]
    }

    /// The foreign keys that stop a deletion, sorted by table and then by columns.
    var stops: [Stop] {
        tables.sorted { $0.key < $1.key }.flatMap { child, table in
            table.foreignKeys.filter { $0.stopsDeletion(in: table) }.compactMap { key in
                columns(of: key).map { Stop(child: child, key: key, parentColumns: $0) }
            }
        }
    }

    /// Whether a foreign key of this column stops deletions.
    func stops(_ child: String, _ column: String, _ parent: String) -> Bool {
        guard let table = tables[child] else { return false }
        return table.foreignKeys.contains {
            $0.columns == [column] && $0.parent == parent && $0.stopsDeletion(in: table)
        }
    }

    /// The query for rows with this foreign key that refer to a row of another profile, with the numbers and the
    /// profiles of both rows. It is nil if the schema does not show to which profile the rows belong.
    func crossing(_ stop: Stop) -> Query? {
        let pairs = zip(stop.key.columns, stop.parentColumns)
        // The foreign key includes the profile, so both rows have the same one.
        if pairs.contains(where: { $0 == Self.profile && $1 == Self.profile }) { return nil }
        guard let childProfile = profile(of: stop.child, as: "child", without: stop.key),
            let parentProfile = profile(of: stop.key.parent, as: "parent")
        else { return nil }
        let condition = Query.joined(
            pairs.map { "parent.\(identifier: $1) = child.\(identifier: $0)" }, by: " AND ")
        return """
            SELECT \(number(of: stop.child, as: "child")) AS child_number,
                \(number(of: stop.key.parent, as: "parent")) AS parent_number,
                \(childProfile) AS child_profile, \(parentProfile) AS parent_profile
            FROM \(dialect.ofFile(stop.child)) AS child
            JOIN \(dialect.ofFile(stop.key.parent)) AS parent ON \(condition)
            WHERE \(childProfile) <> \(parentProfile) ORDER BY child_number
            """
    }

    private static let profile = "user_id"

    /// The profile of a row. It is nil if no column and no foreign key of the table leads to a profile.
    private func profile(
        of table: String, as alias: String, without key: ForeignKeyStructure? = nil, depth: Int = 0
    ) -> Query? {
        guard let structure = tables[table] else { return nil }
        let name: Query = "\(identifier: alias)"
        if structure.columnNames.contains(Self.profile), key?.columns != [Self.profile] {
            return "\(name).\(identifier: Self.profile)"
        }
        if depth == Self.farthest { return nil }
        let owners = structure.foreignKeys.filter { $0 != key && $0.onDelete == "CASCADE" && $0.columns.count == 1 }
        let profiles = owners.compactMap { owner -> Query? in
            let inner = "\(alias)\(depth)"
            guard let column = owner.columns.first, let target = columns(of: owner)?.first, owner.parent != table,
                let profile = profile(of: owner.parent, as: inner, depth: depth + 1)
            else { return nil }
            return """
                (SELECT \(profile) FROM \(dialect.ofFile(owner.parent)) AS \(identifier: inner)
                WHERE \(identifier: inner).\(identifier: target) = \(name).\(identifier: column))
                """
        }
        if profiles.isEmpty { return nil }
        return "coalesce(\(Query.joined(profiles, by: ", ")), NULL)"
    }

    /// The number of a row; NULL in a table whose rows have none.
    private func number(of table: String, as alias: String) -> Query {
        guard let number = tables[table].flatMap(dialect.rowNumber) else { return "NULL" }
        return "\(identifier: alias).\(number)"
    }

    /// The columns to which a foreign key refers. It is nil if their table is missing in the file.
    private func columns(of key: ForeignKeyStructure) -> [String]? {
        guard let parent = tables[key.parent] else { return nil }
        let columns = key.parentColumns.isEmpty ? parent.primaryKey : key.parentColumns
        return columns.count == key.columns.count && parent.columnNames.isSuperset(of: columns) ? columns : nil
    }
}

extension ForeignKeyStructure {
    /// Whether a row that refers to another row stops the deletion of that row. SET NULL does so where the column
    /// refuses NULL, and so does SET DEFAULT without a default (*measured*). With a default, it depends on the rows.
    fileprivate func stopsDeletion(in table: TableStructure) -> Bool {
        let columns = table.columns.filter { self.columns.contains($0.name) }
        return switch onDelete {
        case "NO ACTION", "RESTRICT": true
        case "SET NULL": columns.contains(where: \.notNull)
        case "SET DEFAULT": columns.contains { $0.notNull && ["NULL", nil].contains($0.defaultValue?.uppercased()) }
        default: false
        }
    }
}
