import ChatDBSchema
import Testing

@Suite struct FileStatusTests {
    @Test("numbers and reasons are parsed from the stored text; every other form is unknown")
    func values() {
        #expect(FileTransferStatus(text: "snd_transfer 5 10") == .sendTransfer(done: 5, of: 10))
        #expect(FileTransferStatus(text: "rcv_transfer 0 9223372036854775807") == .receiveTransfer(done: 0, of: .max))
        #expect(FileTransferStatus(text: "rcv_error AUTH: no") == .receiveError("AUTH: no"))
        #expect(FileTransferStatus(text: "snd_warning \u{308}x") == .sendWarning("\u{308}x"))
        let unknown = [
            "snd_transfer", "snd_transfer 1", "snd_transfer 1 2 3", "snd_transfer +1 2", "snd_transfer 01 2",
            "snd_transfer -1 2", "snd_transfer 1  2", "snd_transfer 1 99999999999999999999", "snd_error ",
            "snd_stored x", "rcv_errorx", "invalid", "",
        ]
        for text in unknown { #expect(FileTransferStatus(text: text) == .unknown(text)) }
    }

    @Test("the steps of a transfer lead forward only: the table lists all allowed steps")
    func transferSteps() {
        let ends = ["snd_complete", "snd_cancelled", "snd_error", "rcv_complete", "rcv_cancelled", "rcv_error"]
        let allowed: [String: [String]] = [
            "snd_stored": ["snd_transfer 0 0", "snd_warning", "snd_complete", "snd_cancelled", "snd_error"],
            "snd_transfer 0 0": ["snd_transfer 0 0", "snd_warning", "snd_complete", "snd_cancelled", "snd_error"],
            "snd_warning": ["snd_transfer 0 0", "snd_warning", "snd_complete", "snd_cancelled", "snd_error"],
            "snd_complete": ["snd_cancelled"],
            "rcv_invitation": ["rcv_accepted", "rcv_cancelled", "rcv_error"],
            "rcv_aborted": ["rcv_accepted", "rcv_cancelled", "rcv_error"],
            "rcv_accepted": [
                "rcv_transfer 0 0", "rcv_warning", "rcv_aborted", "rcv_complete", "rcv_cancelled", "rcv_error",
            ],
            "rcv_transfer 0 0": [
                "rcv_transfer 0 0", "rcv_warning", "rcv_aborted", "rcv_complete", "rcv_cancelled", "rcv_error",
            ],
            "rcv_warning": [
                "rcv_transfer 0 0", "rcv_warning", "rcv_aborted", "rcv_complete", "rcv_cancelled", "rcv_error",
            ],
            "later": ends,
        ]
        let all = FileTransferStatus.known + [.unknown("later")]
        for from in all {
            for to in all {
                let expected = allowed[from.text, default: []].contains(to.text)
                #expect(from.canBecome(to) == expected, "\(from) -> \(to)")
            }
        }
        #expect(FileTransferStatus.known.filter(\.isEnded).map(\.text) == ends)
    }

    @Test("a status has the direction of the file, unless it is unknown")
    func directions() {
        for status in FileTransferStatus.known {
            #expect(status.direction == (status.text.hasPrefix("snd") ? .sent : .received))
        }
        #expect(FileTransferStatus.unknown("snd_later").direction == nil)
    }

    @Test("the steps of a transfer to one recipient lead forward only, and may be skipped")
    func recipientSteps() {
        let order = FileStatus.known
        for (place, from) in order.enumerated() {
            for (next, to) in order.enumerated() {
                let isAllowed = place < next && from != .complete
                #expect(from.canBecome(to) == isAllowed, "\(from) -> \(to)")
            }
        }
        let later = FileStatus.unknown("later")
        #expect(later.canBecome(.cancelled) && !later.canBecome(.complete) && !FileStatus.new.canBecome(later))
        #expect(order.filter(\.isEnded) == [.complete, .cancelled])
    }
}
