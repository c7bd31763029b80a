import ChatDBKit

/// All methods. The table dispatches requests, and makes the document of `rpc.discover`: what is described is what is
/// there.
enum MethodTable {
    /// The methods, by subject and in the order of the document.
    static let all: [RequestMethod] = subjects.flatMap { $0 }

    private static let subjects: [[RequestMethod]] = [
        StoreMethods.all, MigrationMethods.all, ProfileMethods.all, SettingsMethods.all, RelayMethods.all,
        ServerMethods.all, OperatorMethods.all, PresetMethods.all, GroupMethods.all, GroupRelayMethods.all,
        ChatMethods.all, ItemMethods.all, ContactMethods.all, TagMethods.all, FileMethods.all, ConnectionMethods.all,
        EventMethods.all,
    ]

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The method of a name. Throws `methodNotFound` for an unknown one.
    static func method(_ name: String) throws(RequestError) -> RequestMethod {
        if let method = byName[name] { return method }
        throw RequestError(
            code: .methodNotFound,
            message: "there is no method \(Quoted.text(name)); rpc.discover lists the methods")
    }
}

/// The OpenRPC document of the table.
enum OpenRPC {
    /// The text of the version of OpenRPC that the document follows.
    static let version = "1.3.2"

    /// The document.
    static let document: JSONValue = [
        "openrpc": .string(version),
        "info": [
            "title": "chatdb", "version": "1",
            "description": "Requests to the store of a SimpleX-style chat application.",
        ],
        "methods": .array(MethodTable.all.map(describe)),
    ]

    private static func describe(_ method: RequestMethod) -> JSONValue {
        [
            "name": .string(method.name), "summary": .string(method.summary), "paramStructure": "by-name",
            "params": .array(
                method.parameters.map { parameter in
                    [
                        "name": .string(parameter.name), "description": .string(parameter.words),
                        "required": .bool(parameter.isRequired), "schema": parameter.shape.schema,
                    ]
                }),
            "result": ["name": "result", "schema": method.result.schema],
            "x-access": .string(method.access.rawValue),
        ]
    }
}
