import ChatDBKit
import Foundation
import TestKit
import Testing

/// An error of the disk is neither damage nor a matter of permissions, and a lock has a name.
@Suite("failing disks and locks", .enabled(if: FaultShimLibrary.isSupported)) struct FailingDiskTests {
    /// Runs chatdb while reading a file of the store fails.
    private func run(
        _ store: ToolRun, _ arguments: [String], errno: CInt, from byte: Int = 0, file: String = "x_chat.db"
    ) throws -> ToolRun.Outcome {
        try store(
            arguments,
            environment: [
                "LD_PRELOAD": try FaultShimLibrary.find().path, "CF_DIR": store.folder.path, "CF_SECONDS": "60",
                "CF_READ_FAIL": file, "CF_READ_FROM": "\(byte)", "CF_ERRNO": "\(errno)",
            ])
    }

    @Test(
        "each error of the system has its own words",
        arguments: [
            (EIO, "the disk failed, which is no damage of the database"), (ESTALE, "the disk is no longer there"),
            (ENOTCONN, "the disk is no longer there"), (EACCES, "check its permissions"),
            (EMFILE, "too many files are open"),
        ])
    func words(_ errno: CInt, _ words: String) throws {
        let store = try DemoStore.make()
        for from in [0, 8_192] {
            let run = try run(store, ["relay", "list", "--format", "json"], errno: errno, from: from)
            let error = try run.refusal()
            // SQLite reports EIO with a code of its own, and the others with the number of the system.
            #expect(run.code == 74 && error["code"] == "ioError", "\(from): \(run.errors)")
            #expect(error["message"]?.stringValue?.contains(words) == true, "\(from): \(run.errors)")
            #expect(!run.errors.contains("damaged") && !run.errors.contains("free space"), "\(run.errors)")
            if words.contains("disk") { #expect(!run.errors.contains("permission")) }
        }
    }

    @Test("check does not call a store damaged, or in order, when the disk fails", arguments: [0, 100_000])
    func check(_ from: Int) throws {
        let store = try DemoStore.finished()
        let run = try run(store, ["check", "--format", "json"], errno: EIO, from: from)
        #expect(run.code == 74, "\(run.output)\(run.errors)")
        #expect(try run.refusal()["code"] == "ioError")
        #expect(run.errors.contains("the disk failed") && !run.errors.contains("restore"))
    }

    @Test("a lock: the error names the program that holds it, in every command")
    func lock() throws {
        let store = try DemoStore.finished()
        try store.sql("PRAGMA journal_mode = delete")
        let shell = try HeldShell(store)
        try shell.run("BEGIN EXCLUSIVE;")
        for command in [
            ["relay", "list"], ["check"], ["query", "SELECT 1"], ["backup"], ["relay", "disable", "mine"],
        ] {
            let error = try store(command + ["--format", "json"]).refusal()
            #expect(error["code"] == "storeLocked", "\(command): \(error)")
            #expect(
                error["message"]?.stringValue?.hasSuffix("the database is locked by sqlite3 (\(shell.pid))") == true,
                "\(command): \(error)")
        }
        shell.crash()
        #expect(try store("relay", "list").code == 0)
    }

    @Test("a command that writes while a program writes in WAL mode names the program")
    func lockInWALMode() throws {
        let store = try DemoStore.finished()
        try store.sql("PRAGMA journal_mode = wal")
        let shell = try HeldShell(store)
        try shell.run("BEGIN IMMEDIATE;")
        let error = try store("relay", "disable", "mine", "--format", "json").refusal()
        #expect(error["message"]?.stringValue?.contains("sqlite3 (\(shell.pid))") == true, "\(error)")
        shell.crash()
    }

    @Test(
        "a command waits for the locks of both databases as long as for one",
        arguments: ["user list", "check"])
    func bothLocked(_ command: String) throws {
        let store = try DemoStore.finished()
        // With the file of the lock, chatdb looks again whether a run of migrations has ended.
        #expect(try store.shell("touch x.lock; chmod 600 x.lock").code == 0)
        var shells: [HeldShell] = []
        var times: [Duration] = []
        // The shell of SQLite waits as long as one connection of chatdb.
        var peer = Duration.zero
        for file in ["x_chat.db", "x_agent.db"] {
            try store.sql("PRAGMA journal_mode = delete", in: file)
            let shell = try HeldShell(store, file)
            try shell.run("BEGIN EXCLUSIVE;")
            shells.append(shell)
            let start = ContinuousClock.now
            let run = try store(command.split(separator: " ").map(String.init))
            times.append(ContinuousClock.now - start)
            #expect(run.code == 75, "\(run.output) \(run.errors)")
            guard times.count == 1 else { continue }
            let asking = ContinuousClock.now
            let asked = try store.shell("sqlite3 -cmd '.timeout 5000' \(file) 'SELECT count(*) FROM sqlite_master'")
            peer = ContinuousClock.now - asking
            #expect(asked.code != 0, "\(asked.output)")
        }
        #expect(times[0] < peer * 1.7 && times[1] < peer * 1.7, "\(times) \(peer)")
        shells.forEach { $0.crash() }
    }
}
