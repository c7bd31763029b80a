import Engine
struct FileDiagnosis { var examination: FileExamination; var hasHotJournal = false; var usesWriteAheadLog = true; var hasWriteAheadLog = false
  static func of(_ path: String) -> FileDiagnosis { FileDiagnosis(examination: FileExamination(problem: nil, bytes: 1)) } }
enum FileHolders { static func of(_ path: String) -> [FileHolder]? { [] } }
