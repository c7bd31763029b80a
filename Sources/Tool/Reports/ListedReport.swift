import ChatDBKit

extension StoreSession {
    /// Reads the chat database for a list or a report that people read. The report leaves out and names the rows that
    /// cannot be read. Code that decides, exports or writes uses `read` or `readToWrite`, which throw for such a row.
    func list<Content: Report>(
        _ body: (any ReadTransaction) throws -> Content
    ) throws -> ListedReport<Content> {
        try listed { store in try store.read { try ListedReport(of: $0, body) } }
    }

    /// The same with the agent database, which is nil if it is missing or cannot be read.
    func listBoth<Content: Report>(
        _ body: (_ chat: any ReadTransaction, _ agent: (any ReadTransaction)?) throws -> Content
    ) throws -> ListedReport<Content> {
        try listed { store in
            if store.missing.contains(.agent) {
                return try store.read { chat in try ListedReport(of: chat) { try body($0, nil) } }
            }
            return try store.readBoth { chat, agent in try ListedReport(of: chat) { try body($0, agent) } }
        }
    }

    private func listed<Content: Report>(
        _ make: (Store) throws -> ListedReport<Content>
    ) throws -> ListedReport<Content> {
        var report: ListedReport<Content> = try read(needsAgent: false, make)
        report.unreadableAgent = unreadableAgent
        if output.format == .csv, let sentence = report.leftOut.sentence { output.warn(sentence) }
        return report
    }
}
