/// Everything that a program needs to analyse captures, or to add a protocol of its own.
@_exported import WeirCapture
@_exported import WeirDissectors
@_exported import WeirPackets
@_exported import WeirReports
@_exported import WeirRules
@_exported import WeirSessions
