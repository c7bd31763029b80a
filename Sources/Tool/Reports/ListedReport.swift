import ChatDBKit

extension StoreSession {
    /// Reads the chat database for a list or a report that people read. The report leaves out and names the rows that
    /// cannot be read. Code that decides, exports or writes uses `read` or `readToWrite`, which throw for such a row.
    func list<Content: Report>(
        _ body: (any ReadTransaction) throws -> Content
    ) throws -> ListedReport<Content> {
        var report: ListedReport<Content> = try read(needsAgent: false) { store in
            try store.read { try ListedReport(of: $0, body) }
        }
        report.unreadableAgent = unreadableAgent
        if output.format == .csv, let sentence = report.leftOut.sentence { output.warn(sentence) }
        return report
    }
}
