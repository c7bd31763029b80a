import Foundation

/// Archives of the stores of tests, as the app would write them.
extension ToolRun {
    /// Makes `archive.zip` in the folder, of the store there. The databases are deflated.
    /// - Parameters:
    ///   - store: the prefix of the store.
    ///   - more: further lines of Python, which write to `archive`.
    func archive(of store: String = "x", _ more: String = "") throws {
        let run = try shell(
            """
            python3 - <<'END'
            import os, zipfile
            with zipfile.ZipFile('archive.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
                for database in 'chat', 'agent':
                    if os.path.exists('\(store)_' + database + '.db'):
                        archive.write('\(store)_' + database + '.db', 'simplex_v1_' + database + '.db')
            \(more.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
            END
            """)
        guard run.code == 0 else { throw Failure(description: run.errors) }
    }
}
