import ArgumentParser
import ChatDBKit

struct ConfigShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the settings of chatdb, and where each comes from.",
        discussion: """
            Changes nothing. A setting comes from the environment, else from the configuration file, else it is the \
            default.

            Examples:
              chatdb config show
              chatdb config show --format json | jq -r .settings.store.value
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let file = try ConfigurationFile.current.get()
        try output.write(ConfigReport(file: file, environment: ProcessEnvironment.variables))
    }
}

/// The settings that hold for a command without options.
struct ConfigReport: Report {
    struct Setting {
        let name: String
        let value: JSONValue
        let source: String

        static var fields: [FieldSpec<Setting>] {
            [
                .text("name", "Setting") { $0.name }, .text("value", "Value") { $0.shownValue },
                .text("source", "From") { $0.source },
            ]
        }

        private var shownValue: String? {
            if case .bool(let isOn) = value { isOn ? "true" : "false" } else { value.stringValue }
        }
    }

    let file: ConfigurationFile
    let settings: [Setting]

    init(file: ConfigurationFile, environment: [String: String]) {
        self.file = file
        func setting(_ name: String, variable: String? = nil, _ value: JSONValue, _ isInFile: Bool) -> Setting {
            let isInEnvironment = variable.flatMap { environment[$0] }.map { !$0.isEmpty } ?? false
            return Setting(
                name: name, value: value,
                source: isInEnvironment ? "environment" : isInFile ? "file" : "default")
        }
        let format = (try? OutputFormat.chosen(nil, environment: environment, configured: file.format)) ?? .table
        settings = [
            setting(
                "store", variable: StoreOptions.variable, .string(StoreOptions.pathWithoutOption), file.store != nil),
            setting("format", variable: OutputFormat.variable, .string(format.rawValue), file.format != nil),
            setting("color", .string((file.color ?? .auto).rawValue), file.color != nil),
            setting("wide", .bool(file.wide ?? false), file.wide != nil),
        ]
    }

    var json: JSONValue {
        [
            "file": .string(file.path), "exists": .bool(file.exists),
            "settings": .object(settings.map { .init($0.name, ["value": $0.value, "source": .string($0.source)]) }),
        ]
    }

    var document: Document {
        [
            .fields([Field("File", .text(file.path + (file.exists ? "" : " (does not exist)")))]),
            .table(Setting.fields.table(settings, whenEmpty: "")),
        ]
    }

    var csvTable: Table { Setting.fields.csv(settings) }
}
