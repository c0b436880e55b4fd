import Foundation

var session = try Session(Options(Array(CommandLine.arguments.dropFirst())))
exit(try session.run(peerRows() + publicFileRows()))
