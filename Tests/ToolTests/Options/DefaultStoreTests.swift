import Foundation
import Testing

@Suite("The folder of the default store")
struct DefaultStoreTests {
    @Test("A folder that cannot be created: exit 73, with its path and an alternative, and nothing is created")
    func cannotBeMade() throws {
        let folder = try ToolRun()
        try Data().write(to: URL(fileURLWithPath: folder.file("file")))
        let environment = ["CHATDB_STORE": "", "XDG_DATA_HOME": folder.file("file")]
        for verb in ["run", "up"] {
            let run = try folder(["migrate", verb, "--format", "json"], environment: environment)
            #expect(run.code == 73, "\(run)")
            let error = try run.refusal()
            #expect(error["code"] == "cannotWrite" && error["state"] == "Nothing was changed.")
            #expect(error["message"]?.stringValue?.contains("/file/chatdb, ") == true)
            #expect(error["hint"]?.stringValue?.contains("--store") == true)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("file"))).isEmpty)
    }

    @Test("chatdb creates it with its parents, accessible to the owner only")
    func made() throws {
        let folder = try ToolRun()
        let environment = ["CHATDB_STORE": "", "XDG_DATA_HOME": folder.file("a/b")]
        #expect(try folder(["migrate", "run"], environment: environment).code == 0)
        for path in ["a", "a/b", "a/b/chatdb"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(path))
            #expect(attributes[.posixPermissions] as? Int == 0o700, "\(path)")
        }
        #expect(FileManager.default.fileExists(atPath: folder.file("a/b/chatdb/chatdb_chat.db")))
    }
}
