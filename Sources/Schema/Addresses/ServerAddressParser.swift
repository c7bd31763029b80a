/// Reads server addresses.
enum ServerAddressParser {
    static func parse(_ given: String) throws(ServerAddressError) -> ServerAddress {
        let text = AddressText.trimmed(given)
        var found: ServerProtocol?
        do throws(ServerAddressError.Problem) {
            if text.isEmpty { throw .empty }
            if text.utf8.count > AddressText.longest { throw .tooLong(text.utf8.count) }
            let lower = text.prefix(8).lowercased()
            guard let server = ServerProtocol.allCases.first(where: { lower.hasPrefix($0.text + "://") }) else {
                throw .scheme
            }
            found = server
            return try parts(of: text.dropFirst(server.text.count + 3), server)
        } catch {
            throw ServerAddressError(serverProtocol: found, problem: error)
        }
    }

    private static func parts(
        of text: Substring, _ server: ServerProtocol
    ) throws(ServerAddressError.Problem) -> ServerAddress {
        // The last one, so that a password with an `@` in it is found out and not taken for a host.
        guard let at = text.lastIndex(of: "@") else { throw .noKeyHash }
        let before = text[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let keyHash = String(before.first ?? "")
        let password = before.count == 2 ? String(before[1]) : nil
        if let password { try check(password: password) }
        try check(keyHash: keyHash)
        let (hosts, port) = try hostsAndPort(text[text.index(after: at)...], mayBeShown: password == nil)
        return ServerAddress(serverProtocol: server, keyHash: keyHash, password: password, hosts: hosts, port: port)
    }

    private static func hostsAndPort(
        _ text: Substring, mayBeShown: Bool
    ) throws(ServerAddressError.Problem) -> ([String], UInt16?) {
        var names = text
        var port: UInt16?
        // A colon before a comma or a bracket is not that of the port: it is within an IPv6 address, or misplaced.
        if let colon = text.lastIndex(of: ":"), !text[colon...].contains(where: { $0 == "," || $0 == "]" }) {
            let number = text[text.index(after: colon)...]
            guard let value = AddressText.port(number) else {
                throw .port(mayBeShown ? AddressText.excerpt(number, longest: 20) : "…")
            }
            port = value
            names = text[..<colon]
        }
        do throws(HostProblem) {
            return (try HostText.list(names), port)
        } catch {
            throw .host(mayBeShown ? AddressText.excerpt(names) : "…", error)
        }
    }

    static func check(keyHash: String) throws(ServerAddressError.Problem) {
        do throws(KeyProblem) { try KeyText.checkPadded(keyHash) } catch { throw .keyHash(error) }
    }

    /// Visible ASCII but what separates the parts of an address.
    static func check(password: String) throws(ServerAddressError.Problem) {
        if password.isEmpty { throw .emptyPassword }
        let isRight = password.unicodeScalars.allSatisfy { scalar in
            (0x21...0x7E).contains(scalar.value) && !"@:/".unicodeScalars.contains(scalar)
        }
        if !isRight { throw .passwordCharacter }
    }

    static func check(hosts: [String]) throws(ServerAddressError.Problem) {
        let joined = hosts.joined(separator: ",")
        do throws(HostProblem) {
            // Read as a list, because a comma within one host would make it two.
            if try HostText.list(joined).count != hosts.count { throw .character("\",\"") }
        } catch {
            throw .host(AddressText.excerpt(joined), error)
        }
    }
}
