package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension GroupProfile: RowRecord {
    static let columns: Query = """
        group_profiles.display_name, group_profiles.full_name, group_profiles.short_descr, group_profiles.description,
        group_profiles.image, group_profiles.preferences
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            displayName: row.get("display_name"), fullName: row.get("full_name"),
            shortDescription: row.get("short_descr"), welcome: row.get("description"), image: row.get("image"),
            preferences: row.get("preferences"))
    }
}
