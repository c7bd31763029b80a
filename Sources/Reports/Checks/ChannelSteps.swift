import ChatDBKit

/// The steps of a remedy for several channels. Each channel has a line with its number, and then a line for each of its
/// steps.
enum ChannelSteps {
    /// The number of channels whose steps a remedy has.
    private static let mostChannels = 5

    /// The lines for rows of channels, in the order of the channels.
    ///
    /// - Parameters:
    ///   - details: what the line of a channel says about it, after its number; empty for nothing.
    ///   - steps: the steps for the rows of one channel, sentences without numbers.
    static func lines(
        _ rows: [FoundRow], details: ([FoundRow]) -> String = { _ in "" }, steps: ([FoundRow]) -> [Hint]
    ) -> [Hint] {
        let channels = Dictionary(grouping: rows, by: \.groupID).values
            .sorted { ($0[0].groupID ?? 0, $0[0].row) < ($1[0].groupID ?? 0, $1[0].row) }
        let rest = channels.count - mostChannels
        let word = rest == 1 ? "channel" : "channels"
        let more: [Hint] = rest > 0 ? ["For \(rest) more \(word): check again after these steps."] : []
        let lines = channels.prefix(mostChannels).flatMap { ofChannel -> [Hint] in
            let profile = ofChannel[0].userID.map { " (profile \($0))" } ?? ""
            let channel = ofChannel[0].groupID.map { "Channel id:\($0)" } ?? "A channel"
            let heading: Hint = "\(channel)\(profile)\(details(ofChannel)):"
            return [heading] + steps(ofChannel).enumerated().map { "\($0 + 1). \($1)" }
        }
        return lines + more
    }
}
