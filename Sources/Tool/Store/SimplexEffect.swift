import ChatDBKit

extension SimplexEffect {
    /// Writes to standard error what does not fit into CSV.
    func note(to output: Output) {
        guard output.format == .csv else { return }
        for note in [nextStart].compactMap(\.self) + places + [backup?.made?.command].compactMap(\.self) {
            output.note(note)
        }
        for warning in warnings { output.warn(warning) }
    }
}
