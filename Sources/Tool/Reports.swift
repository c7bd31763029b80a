// The commands make the reports of this module, and see them as their own.
@_exported import ChatDBReports
