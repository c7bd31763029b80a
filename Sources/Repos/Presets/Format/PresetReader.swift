import ChatDBReposKit
import ChatDBSchema

/// Reads the parts of a preset and collects what is wrong with them. What is wrong is left out of the result, which is
/// thrown away then.
struct PresetReader {
    static let format = "chatdb-preset"

    /// Whether unknown fields are ignored with a warning.
    let isLenient: Bool
    /// The name of the format SimpleX Chat's JSON for the caller.
    let simplexName: String
    private(set) var problems = PresetFindings()
    private(set) var warnings = PresetFindings()
    var duplicates = PresetDuplicates()

    init(isLenient: Bool = false, simplexName: String = "") {
        self.isLenient = isLenient
        self.simplexName = simplexName
    }

    mutating func report(_ path: JSONPath, _ message: String) { problems.add(path, message) }

    mutating func warn(_ path: JSONPath, _ message: String) { warnings.add(path, message) }

    mutating func report(_ findings: [PresetDuplicates.Finding]) {
        for finding in findings { report(finding.path, finding.message) }
    }

    // MARK: - The file

    mutating func file(_ document: JSONValue) -> PresetFile {
        guard document.members != nil else {
            report(.root, "it is \(document.typeName); expected an object with \"format\": \"\(Self.format)\"")
            return PresetFile()
        }
        guard document["format"] == .string(Self.format) else {
            let isWithout = document["format"] == nil && !simplexName.isEmpty
            let other = isWithout ? ", or what SimpleX Chat writes (\(simplexName))" : ""
            report(.root["format"], "expected \"\(Self.format)\"\(other)")
            return PresetFile()
        }
        guard let version = document["version"]?.integerValue, version >= 1 else {
            let found = document["version"].map { $0.integerValue.map { "\($0)" } ?? $0.typeName } ?? "missing"
            report(.root["version"], "it is \(found); expected \(PresetFile.version)")
            return PresetFile()
        }
        // What a newer version means is not known, so nothing else in it is a mistake.
        if version > PresetFile.version {
            report(
                .root["version"],
                "it is \(version), and this build reads up to \(PresetFile.version); use a newer chatdb")
            return PresetFile()
        }
        let fields = object(
            document, at: .root, allowed: ["format", "version", "exportedAt", "profile", "operators", "custom"])
        let operators = list(fields["operators"], at: .root["operators"])
        var file = PresetFile(
            exportedAt: time(fields["exportedAt"], at: .root["exportedAt"]),
            profile: text(fields["profile"], at: .root["profile"]),
            operators: operators.compactMap { presetOperator($0.value, at: $0.path) },
            custom: customEntries(fields["custom"]))
        file.tellsOperators = fields["operators"] != nil
        return file
    }

    private mutating func customEntries(_ value: JSONValue?) -> PresetEntries {
        let fields = value.map { object($0, at: .root["custom"], allowed: Self.entryNames) } ?? [:]
        return entries(fields, at: .root["custom"])
    }

    private mutating func time(_ value: JSONValue?, at path: JSONPath) -> StoredTime? {
        guard let given = text(value, at: path) else { return nil }
        if let time = StoredTime(iso8601: given) { return time }
        report(path, "expected a time as 2026-07-20T09:05:00.120Z")
        return nil
    }
}

extension PresetReader {
    static let entryNames = PresetEntries.List.allCases.map(\.rawValue)

    mutating func presetOperator(_ value: JSONValue, at path: JSONPath) -> PresetOperator? {
        let fields = object(
            value, at: path,
            allowed: ["tag", "tradeName", "legalName", "domains", "enabled", "roles", "use"] + Self.entryNames)
        if value.members != nil, fields["tradeName"] == nil { report(path["tradeName"], "it is missing") }
        let roles = fields["roles"].map { object($0, at: path["roles"], allowed: ["smp", "xftp"]) } ?? [:]
        let tag = name(fields["tag"], at: path["tag"])
        let tradeName = name(fields["tradeName"], at: path["tradeName"])
        let legalName = name(fields["legalName"], at: path["legalName"])
        let domains = domains(fields["domains"], at: path["domains"])
        let enabled = flag(fields["enabled"], at: path["enabled"])
        let smpRoles = self.roles(roles["smp"], at: path["roles"]["smp"], allowsNames: true)
        let xftpRoles = self.roles(roles["xftp"], at: path["roles"]["xftp"], allowsNames: false)
        let use = fields["use"].map { self.use($0, at: path["use"]) }
        let entries = entries(fields, at: path)
        guard let tradeName else { return nil }
        var preset = PresetOperator(
            tag: tag.map { OperatorTag(text: $0) }, tradeName: tradeName, legalName: legalName, domains: domains,
            isEnabled: enabled ?? true, smpRoles: smpRoles, xftpRoles: xftpRoles, use: use, entries: entries)
        preset.tellsRoles = fields["roles"] != nil
        report(duplicates.note(preset, at: path))
        return preset
    }

    private mutating func use(_ value: JSONValue, at path: JSONPath) -> PresetUse {
        let fields = object(value, at: path, allowed: ["smp", "xftp", "relays"])
        return PresetUse(
            smp: number(fields["smp"], at: path["smp"]), xftp: number(fields["xftp"], at: path["xftp"]),
            relays: number(fields["relays"], at: path["relays"]))
    }

    private mutating func roles(_ value: JSONValue?, at path: JSONPath, allowsNames: Bool) -> ServerRoles {
        let choices = value.map { roleChoices($0, at: path, allowsNames: allowsNames) } ?? ServerRoleChoices()
        return ServerRoles(
            storage: choices.storage ?? true, proxy: choices.proxy ?? true, names: choices.names ?? false)
    }

    private mutating func roleChoices(_ value: JSONValue, at path: JSONPath, allowsNames: Bool) -> ServerRoleChoices {
        let fields = object(value, at: path, allowed: ["storage", "proxy"] + (allowsNames ? ["names"] : []))
        return ServerRoleChoices(
            storage: flag(fields["storage"], at: path["storage"]),
            proxy: flag(fields["proxy"], at: path["proxy"]),
            names: allowsNames ? flag(fields["names"], at: path["names"]) : nil)
    }

    /// The lists of servers and relays among the fields of an object.
    mutating func entries(_ fields: JSONValue, at path: JSONPath) -> PresetEntries {
        let smp = list(fields["smpServers"], at: path["smpServers"])
        let xftp = list(fields["xftpServers"], at: path["xftpServers"])
        let relays = list(fields["relays"], at: path["relays"])
        var entries = PresetEntries(
            smpServers: smp.compactMap { server($0.value, .smp, at: $0.path) },
            xftpServers: xftp.compactMap { server($0.value, .xftp, at: $0.path) },
            relays: relays.compactMap { relay($0.value, at: $0.path) })
        entries.lists = Set(PresetEntries.List.allCases.filter { fields[$0.rawValue] != nil })
        return entries
    }

    private mutating func server(_ value: JSONValue, _ expected: ServerProtocol, at path: JSONPath) -> PresetServer? {
        let fields = object(value, at: path, allowed: ["address", "password", "enabled", "tested", "roles"])
        let enabled = flag(fields["enabled"], at: path["enabled"])
        let tested = flag(fields["tested"], at: path["tested"])
        let roles = fields["roles"].map { roleChoices($0, at: path["roles"], allowsNames: expected == .smp) }
        let mark = text(fields["password"], at: path["password"])
        if let mark, mark != "omitted" {
            report(path["password"], "expected \"omitted\"; leave the field out if there is no password")
        }
        guard let address = serverAddress(fields["address"], of: value, at: path["address"]) else { return nil }
        if address.serverProtocol != expected {
            report(path["address"], address.otherProtocol(than: expected))
        }
        if mark != nil, address.password != nil {
            report(path["password"], "the address has a password; expected it there or \"omitted\", not both")
        }
        let server = PresetServer(
            address: address, isPasswordOmitted: mark != nil, isEnabled: enabled ?? true,
            roles: roles ?? ServerRoleChoices(), tested: tested)
        report(duplicates.note(server, at: path["address"]))
        return server
    }

    /// The address of a server, which every server must have.
    mutating func serverAddress(
        _ field: JSONValue?, of entry: JSONValue, at path: @autoclosure () -> JSONPath
    ) -> ServerAddress? {
        guard let given = address(field, of: entry, at: path()) else { return nil }
        do throws(ServerAddressError) {
            return try ServerAddress(given)
        } catch {
            report(path(), error.message)
            return nil
        }
    }

    private mutating func relay(_ value: JSONValue, at path: JSONPath) -> PresetRelay? {
        let fields = object(value, at: path, allowed: ["name", "address", "domains", "enabled", "tested"])
        let given = fields["name"]
        let name = given == nil || given == "" ? "" : name(given, at: path["name"])
        let domains = domains(fields["domains"], at: path["domains"])
        let enabled = flag(fields["enabled"], at: path["enabled"])
        let tested = flag(fields["tested"], at: path["tested"])
        guard let address = relayAddress(fields["address"], of: value, at: path["address"]) else { return nil }
        let relay = PresetRelay(
            name: name ?? "", address: address, domains: domains, isEnabled: enabled ?? true, tested: tested)
        report(duplicates.note(relay, at: path["address"], name: path["name"]))
        return relay
    }

    /// The address of a relay, which every relay must have.
    mutating func relayAddress(
        _ field: JSONValue?, of entry: JSONValue, at path: @autoclosure () -> JSONPath
    ) -> RelayAddress? {
        guard let given = address(field, of: entry, at: path()) else { return nil }
        do throws(RelayAddressError) {
            return try RelayAddress(given)
        } catch {
            report(path(), error.message)
            return nil
        }
    }

    /// The text of an address, which every entry must have.
    private mutating func address(
        _ field: JSONValue?, of entry: JSONValue, at path: @autoclosure () -> JSONPath
    ) -> String? {
        if field == nil, entry.members != nil { report(path(), "it is missing") }
        return text(field, at: path())
    }
}

extension PresetReader {
    /// The object, one without members in the place of another value, which is reported, as are members that are not
    /// allowed.
    mutating func object(_ value: JSONValue, at path: @autoclosure () -> JSONPath, allowed: [String]) -> JSONValue {
        guard let members = value.members else {
            report(path(), "it is \(value.typeName); expected an object")
            return [:]
        }
        for member in members where !allowed.contains(member.name) {
            let message = "\(PresetProblem.unknownField); expected one of \(allowed.joined(separator: ", "))"
            if isLenient { warn(path()[member.name], message) } else { report(path()[member.name], message) }
        }
        return value
    }

    // Paths are made only for problems and warnings: a preset has very many places.

    /// The elements of an array, each with its path; empty when the array is missing.
    mutating func list(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> [(
        value: JSONValue, path: JSONPath
    )] {
        guard let value else { return [] }
        guard let elements = value.arrayValue else {
            report(path(), "it is \(value.typeName); expected an array")
            return []
        }
        let path = path()
        return elements.enumerated().map { ($1, path[$0]) }
    }

    mutating func text(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> String? {
        guard let value else { return nil }
        if let text = value.stringValue { return text }
        report(path(), "it is \(value.typeName); expected a string")
        return nil
    }

    mutating func flag(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> Bool? {
        guard let value else { return nil }
        if let flag = value.boolValue { return flag }
        report(path(), "it is \(value.typeName); expected true or false")
        return nil
    }

    mutating func number(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> Int {
        if let number = value?.integerValue, let count = Int(exactly: number), count >= 0 { return count }
        report(path(), value == nil ? "it is missing; expected a number from 0" : "expected a whole number from 0")
        return 0
    }

    /// A name by the rule for names; nil when there is none or it breaks the rule.
    mutating func name(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> String? {
        guard let given = text(value, at: path()) else { return nil }
        do throws(NameProblem) {
            return try NameRule.checked(given)
        } catch {
            report(path(), "it \(error.message)")
            return nil
        }
    }

    /// Domains as they are stored: in lower case, each once.
    mutating func domains(_ value: JSONValue?, at path: @autoclosure () -> JSONPath) -> [String] {
        guard let value else { return [] }
        var domains: [String] = []
        var seen: Set<String> = []
        for element in list(value, at: path()) {
            guard let given = text(element.value, at: element.path) else { continue }
            guard let domain = DomainRule.checked(given) else {
                report(element.path, "expected a domain of letters, digits, hyphens and dots")
                continue
            }
            if seen.insert(domain).inserted { domains.append(domain) }
        }
        return domains
    }
}

extension ServerAddress {
    /// The problem of an address in a list of servers of another protocol.
    func otherProtocol(than expected: ServerProtocol) -> String {
        "it is the address of an \(serverProtocol.shownName) server; expected one that begins with \(expected.text)://"
    }
}

extension JSONValue {
    /// The kind of value, with its article.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
