// The presets that ship with chatdb are the JSON files beside this file. They are a target of their own because a
// build tool plugin notices new files only below its own target's folder; it generates `EmbeddedFiles`, which `ChatDBPresets` reads.
