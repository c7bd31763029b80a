// What is known of the versions of SimpleX Chat's databases is the JSON file beside this file: the names of the
// migrations, and by date the columns of each table that chatdb reads, where they differ from the date before. A test
// compares it with `Tests/Fixtures/simplex-schema.json`, which has types and references too. It is a target of its own
// because a build tool plugin notices new files only below its own target's folder; it generates `EmbeddedFiles`,
// which `ChatDBInspection` reads.
