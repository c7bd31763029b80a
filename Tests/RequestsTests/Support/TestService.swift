import ChatDBKit
import ChatDBRequests
import Foundation
import TestKit

/// A service on a store of its own, in a folder of its own.
struct TestService {
    let folder: TemporaryFolder
    let service: RequestService

    static let relay = "https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    static let otherRelay = "https://other.example.net/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"

    init(mode: RequestService.Mode = .readWrite, limits: ServiceLimits = ServiceLimits()) throws {
        folder = try TemporaryFolder()
        try Self.make(folder)
        service = try RequestService(opening: Self.context(folder), mode: mode, limits: limits)
    }

    static func context(_ folder: TemporaryFolder) throws -> StoreContext {
        StoreContext(
            engine: SQLiteEngine(), location: try StoreLocation(prefix: folder.file("x")),
            build: try MigrationSource.build.load())
    }

    /// A new store with the profiles `alice` and `work`; alice is active, and has a relay and a channel.
    static func make(_ folder: TemporaryFolder) throws {
        for (name, bytes) in try files.get() { try bytes.write(to: URL(fileURLWithPath: folder.file(name))) }
    }

    /// Made once: each test has a copy.
    private static let files = Result { () throws -> [String: Data] in
        let folder = try TemporaryFolder()
        var migrator = Migrator(try context(folder))
        migrator.options.confirmation = .yesUp
        _ = try migrator.run()
        let service = try RequestService(opening: context(folder))
        let session = service.session()
        func ask(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
            try session.result(of: method, parameters)
        }
        _ = try ask("users.add", ["name": "work", "seed": 2])
        _ = try ask("users.add", ["name": "alice", "seed": 1])
        _ = try ask("relays.add", ["address": .string(relay), "name": "mine"])
        service.end()
        var files: [String: Data] = [:]
        for name in ["x_chat.db", "x_agent.db"] {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        }
        return files
    }
}

/// An answer that is an error.
struct AnsweredError: Error {
    let code: Int64
    let message: String
    let data: JSONValue?
}

extension RequestSession {
    /// The whole answer to a line.
    func answer(_ line: String) throws -> JSONValue? { try respond(to: line).map { try JSONValue(parsing: $0) } }

    /// The result of a method; throws an `AnsweredError`.
    func result(of method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
        let line: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": parameters]
        let answer = try answer(line.text(.compact)) ?? .null
        if let error = answer["error"] {
            throw AnsweredError(
                code: error["code"]?.integerValue ?? 0, message: error["message"]?.stringValue ?? "",
                data: error["data"])
        }
        return answer["result"] ?? .null
    }

    /// chatdb's code of the error of a method; nil if it has a result.
    func code(of method: String, _ parameters: JSONValue = [:]) -> String? {
        do {
            _ = try result(of: method, parameters)
            return nil
        } catch let error as AnsweredError {
            return error.data?["code"]?.stringValue ?? "\(error.code)"
        } catch {
            return "\(error)"
        }
    }
}
