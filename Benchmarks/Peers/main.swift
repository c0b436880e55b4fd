import Foundation

var session = try Session(Options(Array(CommandLine.arguments.dropFirst())))
exit(
    try session.run(
        publicFileRows("peers", beside: ReerPeer()) + parseRows()
            + publicFileRows("json-files", beside: FoundationPeer())
    )
)
