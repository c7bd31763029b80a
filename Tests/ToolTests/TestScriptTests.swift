import Foundation
import TestKit
import Testing

/// The programs that the tests find when scripts/test.sh runs them.
@Suite("the script of the tests", .timeLimit(.minutes(60)))
struct TestScriptTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../scripts/test.sh").standardizedFileURL.path

    @Test("a python3 that is a script is replaced by the one it starts, and no other program of its folder is found")
    func programs() throws {
        let run = try ToolRun().shell(
            #"""
            set -e
            python3 -m venv --without-pip own
            printf '#!/bin/sh\n' > own/bin/sqlite3
            mkdir script
            printf '#!/bin/sh\necho started >> "%s"\nexec "%s" "$@"\n' "$PWD/starts" "$PWD/own/bin/python3" > script/python3
            chmod 755 own/bin/sqlite3 script/python3
            PATH="$PWD/script:$PATH" "\#(Self.script)" \
                sh -c 'command -v sqlite3; python3 -c "import sys; print(sys.prefix)"'
            cat starts
            """#)
        #expect(run.code == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(!lines.contains { $0.hasSuffix("/own/bin/sqlite3") }, "\(run.output)")
        // The prefix is that of the environment, whose packages are found.
        #expect(lines.contains { $0.hasSuffix("/own") }, "\(run.output)")
        // Only the script of the tests asks it for its Python.
        #expect(lines.count { $0 == "started" } == 1, "\(run.output)")
    }
}
