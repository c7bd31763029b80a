/// What a test said, as people read it.
enum TestResult {
    static func shown(_ passed: Bool?) -> String {
        switch passed {
        case true?: "passed"
        case false?: "failed"
        case nil: "untested"
        }
    }

    static func cell(_ passed: Bool?) -> Cell {
        switch passed {
        case true?: .text(shown(passed), .good)
        case false?: .text(shown(passed), .bad)
        case nil: .text(shown(passed), .dim)
        }
    }
}
