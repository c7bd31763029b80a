import ArgumentParser
import ChatDBKit

struct GroupRelays: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relays", abstract: "List the relays of a channel, with their status.",
        discussion: """
            Only the owners of a channel know the status of its relays. Other profiles see the relays as members, and \
            know only their membership.

            \(GroupRelays.columns)

            Examples:
              chatdb group relays news
              chatdb group relays news --format csv
            """)

    /// What the columns mean, for the help.
    static let columns = """
        The columns of a relay:
          Row     its row in the channel: row:3 in the commands of chatdb group
                  relay. An id of chatdb relay list is written id:7
          Host    the host of its address, as chatdb relay list shows it. If a
                  link that a relay made for the channel has another host, the
                  column Link host shows the hosts of these links. Other
                  profiles than owners know only the links, and Host is theirs
          Status  how far it is in the channel: New (not asked yet), Connecting
                  (asked), Accepted, Acknowledged (has the list of members),
                  Active (passes on messages), Inactive (left or was removed),
                  Rejected (refused). While the profile joins: Connecting,
                  Active, or Failed with the reason
          Member  its membership in the channel, as the app stores it
          State   in the list of the profile: enabled, disabled, soft-deleted,
                  operator off. New channels may use only enabled relays.
                  Empty for a relay that is not in the list. With "connection
                  missing", one of the two databases lost the connection with
                  the relay: the channel does not reach it, whatever Status is
        Incomplete rows, which do not count, lack a relay of the profile (the
        row is missing, or of another profile), or a member of the channel
        (missing, of another group, or not a relay). chatdb group relay remove
        deletes such a row.
        """

    @OptionGroup var group: GroupArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.write(GroupInfoReader.report(of: group, output.output()) { GroupRelaysReport(show: $0) })
    }
}
