public import ArgumentParser
public import ChatDBKit

extension PresetFormat: ExpressibleByArgument {}
extension PresetImportOptions.Mode: ExpressibleByArgument {}
extension PresetImportOptions.OnConflict: ExpressibleByArgument {}
