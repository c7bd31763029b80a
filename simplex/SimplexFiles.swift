// What is known of the versions of SimpleX Chat's databases is the JSON file beside this file: the names of the
// migrations, and by date the columns of each table that chatdb reads, where they differ from the date before.
// `definitions` has the columns with types, keys and references, for `salvage`. Tests compare both with
// `Tests/Fixtures/simplex-schema.json`. It is a target of its own because a build tool plugin notices new files only
// below its own target's folder; it generates `EmbeddedFiles`, which `ChatDBInspection` and `ChatDBTool` read.
