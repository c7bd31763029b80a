/// The table of a database of lost rows, which a salvage writes beside a new store. Its columns `c0`, `c1` and so on have
/// values of any table, and are as secret as the most secret of them.
package enum LostRowsTable {
    package static let name = "lost_and_found"
    /// The columns that say where a row was found.
    package static let places: Set<String> = ["id", "table", "source", "page", "row"]
}
