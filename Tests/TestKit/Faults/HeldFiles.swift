package import Foundation

/// The libraries that opened, locked and closed files during a run (`FaultPlan.watch`), and whether other code than
/// SQLite did so while SQLite had locks there: closing any descriptor of a file releases all locks that the process has
/// on it.
package struct HeldFiles {
    /// The files on which SQLite took a lock. Without any, the run proves nothing.
    package private(set) var locked: Set<String> = []
    /// The number of times that SQLite opened each file, by its path in the folder.
    package private(set) var opens: [String: Int] = [:]
    /// The violations, one sentence each, in the order of the run.
    package private(set) var intrusions: [String] = []

    /// Reads the log of a run.
    package init(contentsOf url: URL) throws {
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        var open: [Substring: Set<Substring>] = [:]
        // A descriptor belongs to the code that opened it. A close can be a tail call, which seems to come from the
        // caller of the function that closes.
        var owners: [Substring: Substring] = [:]
        var holding: Set<Substring> = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 4)
            guard parts.count == 5 else { throw FaultError.brokenLog(reason: "\"\(line)\" is no line of it") }
            let (what, descriptor, inode, name) = (parts[0], parts[1], parts[2], String(parts[4]))
            let owner = what == "open" ? parts[3] : owners[descriptor] ?? parts[3]
            owners[descriptor] = what == "close" ? nil : owner
            let isSQLite = owner.contains("sqlite3.so")
            if !isSQLite {
                guard holding.contains(inode), what != "lock" else { continue }
                intrusions.append("\(owner): \(what) of \(name), which SQLite has locked")
            } else if what == "open" {
                open[inode, default: []].insert(descriptor)
                opens[name, default: 0] += 1
            } else if what == "lock" {
                holding.insert(inode)
                locked.insert(name)
            } else {
                open[inode, default: []].remove(descriptor)
                if open[inode]?.isEmpty == true { holding.remove(inode) }
            }
        }
    }
}
