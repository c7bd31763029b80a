#if os(Linux)
    import ChatDBEngine
    @testable import ChatDBEngineSQLite
    import Foundation
    import Testing

    @Suite struct FileHoldersTests {
        private let scratch: DatabaseFolder

        init() throws {
            scratch = try DatabaseFolder()
        }

        /// A shell that has the file open as its descriptor 9, and nothing else to do.
        private func holder(of path: String) throws -> HelperProcess {
            let process = try HelperProcess("sh", ["-c", "exec 9<\"$1\"; echo ready; read end", "sh", path])
            try process.wait(for: "ready")
            return process
        }

        @Test("a process that has the file open is named, as long as it has it open")
        func openFile() throws {
            let path = try scratch.write("x_chat.db", [1])
            #expect(try #require(FileHolders.of(databaseAt: path)).holders.isEmpty)
            let process = try holder(of: path)
            let found = try #require(FileHolders.of(databaseAt: path)).holders
            #expect(found.map(\.pid) == [process.pid])
            #expect(found.map(\.program).allSatisfy { !$0.isEmpty })
            process.say("")
            try process.end()
            #expect(try #require(FileHolders.of(databaseAt: path)).holders.isEmpty)
        }

        @Test(
            "holders of the side files, and holders under another name of the file, count",
            arguments: ["-wal", "-shm", "-journal"])
        func sideFiles(_ suffix: String) throws {
            let path = try scratch.write("x_chat.db", [1])
            let side = try holder(of: try scratch.write("x_chat.db" + suffix, [1]))
            try FileManager.default.linkItem(atPath: path, toPath: scratch.file("hard"))
            let link = try scratch.link("link", to: "x_chat.db")
            let hard = try holder(of: scratch.file("hard"))
            let other = try holder(of: try scratch.write("y_chat.db", [1]))
            for name in [path, link] {
                let found = try #require(FileHolders.of(databaseAt: name)).holders.map(\.pid)
                #expect(found == [side.pid, hard.pid].sorted())
                #expect(!found.contains(other.pid))
            }
        }

        @Test("each of several databases has its own holders")
        func severalDatabases() throws {
            let paths = try ["x_chat.db", "x_agent.db"].map { try scratch.write($0, [1]) } + [scratch.file("no")]
            #expect(FileHolders.of(databasesAt: paths).map { $0?.holders } == [[], [], []])
            let process = try holder(of: paths[1])
            #expect(FileHolders.of(databasesAt: paths).map { $0?.holders.map(\.pid) } == [[], [process.pid], []])
        }

        @Test("this process is not among the holders")
        func ownProcess() throws {
            let path = try scratch.write("x_chat.db", [1])
            let file = try #require(FileHandle(forReadingAtPath: path))
            #expect(try #require(FileHolders.of(databaseAt: path)).holders.isEmpty)
            try file.close()
        }

        @Test("a file that is not there has no holders")
        func missing() throws {
            #expect(
                try #require(FileHolders.of(databaseAt: scratch.file("no")))
                    == FileHolders(holders: [], unaskedProcesses: 0))
        }

        @Test(
            "R10: an idle application is found in both journal modes, and nothing changes",
            .enabled(if: HelperProcess.hasSQLiteShell), arguments: ["delete", "wal"])
        func idleApplication(_ mode: String) throws {
            let path = try scratch.database("x_chat.db", "PRAGMA journal_mode = \(mode);" + sampleTables)
            let shell = try HelperProcess("sqlite3", ["-batch", path])
            shell.say("SELECT count(*) || ' rows' FROM t;")
            try shell.wait(for: "500 rows")
            let before = try scratch.names()
            let found = try #require(FileHolders.of(databaseAt: path))
            #expect(found.holders == [FileHolder(pid: shell.pid, program: "sqlite3")])
            #expect("\(found.holders[0])" == "sqlite3 (\(shell.pid))")
            #expect(try scratch.names() == before)
            try shell.end()
        }

        @Test("the holder of a lock is found in the system's table", .enabled(if: HelperProcess.hasSQLiteShell))
        func lock() throws {
            let path = try scratch.database("x_chat.db")
            let shell = try HelperProcess("sqlite3", ["-batch", path])
            shell.say("BEGIN IMMEDIATE; SELECT 're' || 'ady';")
            try shell.wait(for: "ready")
            let table = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
            #expect(ProcessFiles.lockers(of: FileIdentity.all(ofDatabaseAt: path), table: table) == [shell.pid])
            try shell.end()
        }

        @Test("a process whose descriptors cannot be seen is found by its lock")
        func lockTable() throws {
            var info = stat()
            let path = try scratch.write("x_chat.db", [1])
            stat(path, &info)
            let file = FileIdentity(info)
            let id = lockField(file)
            let table = """
                1: POSIX  ADVISORY  WRITE 4711 \(id) 1073741824 1073742335
                1: -> POSIX  ADVISORY  READ 4712 \(id) 0 EOF
                2: OFDLCK ADVISORY  WRITE -1 \(id) 0 EOF
                3: FLOCK  ADVISORY  WRITE 4713 \(id)9 0 EOF
                4: POSIX  ADVISORY  WRITE x \(id) 0 EOF
                5: POSIX

                """
            #expect(ProcessFiles.lockers(of: [file], table: table) == [4711, 4712])
            #expect(ProcessFiles.lockers(of: [], table: table).isEmpty)

            for folder in ["proc", "proc/self", "proc/4711", "proc/12", "proc/12/fd"] { _ = try scratch.folder(folder) }
            // No folder, so it cannot be examined.
            try scratch.write("proc/4711/fd", [])
            try scratch.write("proc/locks", table.utf8)
            try scratch.write("proc/4711/comm", "simplex\n".utf8)
            _ = try scratch.link("proc/12/fd/3", to: path)
            let found = try #require(ProcessFiles.holders(of: [file], proc: scratch.file("proc")))
            #expect(found.holders.map(\.description) == ["process 12", "simplex (4711)", "process 4712"])
            #expect(found.unaskedProcesses == 1)
        }

        @Test(
            "processes that cannot be inspected are counted, so that an empty list of holders is not taken as proof",
            .enabled(if: access("/proc/1/fd", R_OK) != 0))
        func unaskedProcesses() throws {
            let path = try scratch.write("x_chat.db", [1])
            #expect(try #require(FileHolders.of(databaseAt: path)).unaskedProcesses > 0)
        }

        @Test("without /proc the holders are unknown, not none")
        func noProc() throws {
            #expect(ProcessFiles.holders(of: [], proc: scratch.path) == nil)
            #expect(ProcessFiles.holders(of: [], proc: scratch.file("no")) == nil)
        }

        @Test("large device numbers are read as the system spreads them")
        func deviceNumbers() {
            #expect(FileIdentity(lockField: "08:01:77")?.device == 0x801)
            #expect(FileIdentity(lockField: "fff:fffff:1")?.device == 0xFFFF_FFFF)
            #expect(FileIdentity(lockField: "103:12345:1")?.device == 0x1231_0345)
            for text in ["", "08:01", "08:01:x", "8:1:2:3", "zz:01:1"] { #expect(FileIdentity(lockField: text) == nil) }
        }

        private func lockField(_ file: FileIdentity) -> String {
            let major = file.device >> 8 & 0xFFF
            let minor = file.device & 0xFF | file.device >> 12 & 0xFFF00
            return "\(String(major, radix: 16)):\(String(minor, radix: 16)):\(file.inode)"
        }
    }
#endif
