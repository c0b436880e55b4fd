import Foundation

var session = try Session(Options(Array(CommandLine.arguments.dropFirst())))
let rows = [
    jsonDecodeRows(), jsonEncodeRows(), try publicFileRows("json-files", beside: FoundationPeer()),
    try expressionRows(), filterRows(), balancerRows(),
    try streamRows(),
]
exit(try session.run(rows.flatMap(\.self)))
