import ChatDBKit
import Foundation

/// The page about a store as one HTML file, with drawings.
struct InspectPage {
    let report: InspectReport

    /// The largest number of bars of a drawing.
    private static let mostBars = 30

    var html: String {
        HTMLRenderer.page(
            "Store \(report.location.name)", drawings: [relays, channels, tables, migrations], report.document)
    }

    private var profiles: [InspectContents.Profile] { report.contents?.profiles ?? [] }

    /// A thing of a profile; with one profile, its name says nothing.
    private func named(_ name: String, _ profile: InspectContents.Profile) -> String {
        profiles.count == 1 ? name : "\(name) (\(profile.user.name))"
    }

    /// Relays by their state and the channels that use them, the most used first.
    private var relays: Drawing {
        let bars = profiles.flatMap { profile in
            ((profile.relays ?? []) + (profile.deletedRelays ?? [])).map { row in
                let use = row.use.using == 0 ? "no channel" : "\(row.use.active) of \(row.use.using) active"
                let state = row.relay.offWords(isOperatorOff: row.isOperatorDisabled)
                return Drawing.Bar(
                    label: named(row.relay.calledName, profile), value: Int64(row.use.using),
                    good: Int64(row.use.active), text: state.map { "\(use), \($0)" } ?? use)
            }
        }
        return .bars(title: "Channels that use each relay", Self.largest(bars))
    }

    /// Channels by their relays, those with the most relays first.
    private var channels: Drawing {
        let bars = profiles.flatMap { profile in
            (profile.channels ?? []).compactMap { channel in
                channel.progressClause.map { text in
                    Drawing.Bar(
                        label: named(channel.group.calledName, profile), value: Int64(channel.progress.present),
                        good: Int64(channel.progress.active), text: text)
                }
            }
        }
        return .bars(title: "Relays of each channel", Self.largest(bars))
    }

    /// The largest tables of both databases, by their sizes, or by their rows if the sizes were not measured.
    private var tables: Drawing {
        let tables = DatabaseName.allCases.flatMap { database in
            (report.spaces[database]?.largestTables ?? []).map { (label: "\(database) \($0.name)", table: $0) }
        }
        let isMeasured = tables.allSatisfy { $0.table.bytes != nil }
        let bars = tables.compactMap { label, table -> Drawing.Bar? in
            let rows = { (count: Int64) in "\(CellText.grouped(count)) \(count == 1 ? "row" : "rows")" }
            return isMeasured
                ? table.bytes.map { Drawing.Bar(label: label, value: $0, text: CellText.size($0)) }
                : table.rows.map { Drawing.Bar(label: label, value: $0, text: rows($0)) }
        }
        return .bars(title: "Largest tables", Array(Self.largest(bars).prefix(12)))
    }

    /// When the migrations of each database were applied.
    private var migrations: Drawing {
        .times(
            title: "Migrations, by the time when they were applied",
            report.parts.map { database, part in
                .init(
                    label: database.rawValue,
                    points: part.applied.compactMap { entry in
                        StoredTime(text: entry.appliedAt).map { .init(at: $0.date, name: entry.name) }
                    })
            })
    }

    private static func largest(_ bars: [Drawing.Bar]) -> [Drawing.Bar] {
        Array(
            bars.enumerated().sorted { ($1.element.value, $0.offset) < ($0.element.value, $1.offset) }
                .prefix(mostBars).map(\.element))
    }
}

/// The answer of `inspect --html`.
struct InspectPageReport: Report {
    let file: String
    let bytes: Int

    var json: JSONValue { ["html": ["path": .string(file), "bytes": JSONValue(bytes)]] }

    var document: Document {
        [
            .paragraph("The page is in \(file) (\(CellText.size(Int64(bytes))))."),
            .notes([
                .note(
                    "the page has the path of the store, the names of profiles, relays and channels, and the hosts of relays"
                )
            ]),
        ]
    }
}
