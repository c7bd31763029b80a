/// Options that every command understands may stand anywhere in the line, before the noun too: `chatdb -d x relay list`
/// is `chatdb relay list -d x`.
enum GlobalArguments {
    private static let withValue: Set<String> = [
        "-d", "--store", "--database", "-u", "--user", "--format", "--color", "--passphrase-file",
    ]
    private static let alone: Set<String> = [
        "--yes", "--dry-run", "-q", "--quiet", "-v", "--verbose", "--no-progress", "--csv-raw", "--show-hidden",
        "--password-stdin", "--passphrase-stdin",
    ]

    /// The arguments with those that stand before the first word put behind the others.
    static func behindCommand(_ arguments: [String]) -> [String] {
        var leading: [String] = []
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            let name = argument.split(separator: "=", maxSplits: 1).first.map(String.init) ?? argument
            if withValue.contains(argument), index + 1 < arguments.count {
                leading += arguments[index...(index + 1)]
                index += 2
            } else if alone.contains(argument) || (withValue.contains(name) && name != argument) {
                leading.append(argument)
                index += 1
            } else {
                break
            }
        }
        guard !leading.isEmpty, index < arguments.count else { return arguments }
        let rest = arguments[index...]
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return Array(rest[..<end]) + leading + Array(rest[end...])
    }
}
