public import ArgumentParser
public import Repos

extension PresetFormat: ExpressibleByArgument {}
extension PresetImportOptions.Mode: ExpressibleByArgument {}
extension PresetImportOptions.OnConflict: ExpressibleByArgument {}
