import ChatDBKit

/// Finds servers of a profile by address, id, a host that only one of them has, with its port or without, or the
/// beginning of a host.
enum ServerFinder {
    static func find(
        _ given: String, of user: User, by naming: NamedBy = .beginning, in chat: any ReadTransaction
    ) throws -> ProtocolServer {
        let named = NameOrID(given)
        let servers = ServersRepo(chat)
        let address = named.other.flatMap { try? ServerAddress($0) }
        if let address, let server = try servers.find(like: address, of: user.id) {
            // The key hash does not identify a server. But an address with a hash names only the server that has it.
            guard server.keyHash == address.keyHash else {
                throw OtherKeyHash(server: server, given: address, user: user)
            }
            return server
        }
        let all = try servers.all(of: user.id)
        let host = (named.other ?? named.name)?.lowercased()
        let ways: [(ProtocolServer) -> Bool] = [
            { server in named.id == server.id.rawValue },
            { server in server.hosts.contains { $0.lowercased() == host } },
            { server in !server.port.isEmpty && server.hosts.contains { "\($0.lowercased()):\(server.port)" == host } },
            { server in naming == .beginning && named.isBeginning(of: server.hosts) },
        ]
        // The text may be an address with a password, which no message repeats.
        let text = Secrets.hidden(inAddress: named.text)
        if let server = try NameMatcher.one(all, by: ways, what: "server", text) { return server }
        throw NameError.notFound(
            code: "serverNotFound", message: "the profile \"\(user.name)\" has no server \"\(text)\"", name: text,
            candidates: all.flatMap(\.hosts), list: HintedCommand(.serverList)
        ).suggesting(named, by: naming, among: all.flatMap(\.hosts))
    }
}

/// A server named by its whole address, with another key hash than its own.
struct OtherKeyHash: Reportable {
    let server: ProtocolServer
    let given: ServerAddress
    let user: User

    var report: ErrorReport {
        let name = Secrets.hidden(inAddress: given.text(withPassword: false))
        return ErrorReport(
            "serverNotFound",
            "the profile \"\(user.name)\" has no server \"\(name)\" with that key hash: the \(server.label) has "
                + "another one",
            state: "Nothing was changed.", hint: "use its host, \(server.hostAndPort), or id:\(server.id)",
            details: ["name": .string(name), "serverId": .integer(server.id.rawValue)], exit: .no)
    }
}

/// Parts of the command line that no message may repeat.
enum Secrets {
    /// `smp://…@host` for a text that may be the address of a server: omits the part before the `@`, which may hold a
    /// password. Of an address without an `@` it shows the scheme only. Other text is returned unchanged.
    static func hidden(inAddress text: String) -> String {
        let scheme = text.firstMatch(of: #/^[A-Za-z]+:\/\//#)?.output ?? ""
        guard let end = text.lastIndex(of: "@") else { return scheme.isEmpty ? text : "\(scheme)…" }
        return "\(scheme)…\(text[end...])"
    }
}

extension ProtocolServer: Candidate {
    var candidate: String { "id:\(id) (\(serverProtocol.shownName) \(hostAndPort))" }
}
