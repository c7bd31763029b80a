import ChatDBKit

/// An address where a command reads a file, and a file where a command takes an address.
enum AddressOrFile {
    /// The error for a file that cannot be read, if its name is an address; nil for another name. It does not show the
    /// password of a server.
    static func error(forFile path: String) -> HintedError? {
        guard let found = foundAddress(path) else { return nil }
        return HintedError(InputFileError.notFound(found.shown), hint: found.hint)
    }

    /// The hint for a picture where a command reads a file of relays and servers; nil for another file.
    static func hint(forPicture path: String) -> Hint? {
        guard isPicture(path) else { return nil }
        return """
            \(.relayAdd, "--qr-file", path) adds the relay whose address is in the picture, and \
            \(.serverAdd, "--qr-file", path) the server
            """
    }

    /// Refuses the path of a file in the place of the address of a relay.
    static func refuseFile(asRelay text: String) throws {
        do throws(RelayAddressError) {
            _ = try RelayAddress(text)
        } catch {
            guard let hint = hint(forFile: text, of: .relayAdd) else { return }
            throw HintedError(ChatRelaysError.invalidRelayAddress(error), hint: hint)
        }
    }

    /// Refuses the path of a file in the place of the address of a server.
    static func refuseFile(asServer text: String) throws {
        do throws(ServerAddressError) {
            _ = try ServerAddress(text)
        } catch {
            guard let hint = hint(forFile: text, of: .serverAdd) else { return }
            throw HintedError(ServersError.invalidServerAddress(error), hint: hint)
        }
    }

    /// The hint for a file where the command takes an address; nil for other text.
    private static func hint(forFile path: String, of command: CommandName) -> Hint? {
        guard FileState(at: path).bytes != nil, !StoreLocation.isStore(at: path) else { return nil }
        if isPicture(path) { return "\(command, "--qr-file", path) reads the address in the picture" }
        return "\(.presetImport, path) imports the relays and servers of a file"
    }

    /// An address without its password, and the command that adds it; nil for other text.
    private static func foundAddress(_ text: String) -> (shown: String, hint: Hint)? {
        if let scheme = ServerProtocol.allCases.map({ "\($0.text)://" }).first(where: text.hasPrefix) {
            let address = try? ServerAddress(text)
            let isOpen = address.map { $0.password == nil } ?? false
            return (
                address?.text(withPassword: false) ?? "\(scheme)…",
                "\(.serverAdd, isOpen ? text : "ADDRESS") adds the server of an address"
            )
        }
        if (try? RelayAddress(text)) != nil { return (text, "\(.relayAdd, text) adds the relay of an address") }
        if text.hasPrefix("https://") || text.hasPrefix("http://") {
            return (
                text,
                """
                chatdb reads no file from the network: download it, and give its name here; \(.relayAdd, "ADDRESS") adds \
                the relay of an address
                """
            )
        }
        guard text.hasPrefix("simplex:/") else { return nil }
        return (text, "if it is the address of a relay, \(.relayAdd, "ADDRESS") adds the relay")
    }

    /// Whether the name is that of a picture in PNG or JPEG.
    private static func isPicture(_ path: String) -> Bool {
        [".png", ".jpg", ".jpeg"].contains(where: path.lowercased().hasSuffix)
    }
}
