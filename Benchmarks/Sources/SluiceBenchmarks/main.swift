import Foundation

if CommandLine.arguments.dropFirst().first == "growth" {
    let words = CommandLine.arguments.dropFirst(2).filter { !$0.hasPrefix("--") }
    try Growth.run(words.first ?? ".", only: words.dropFirst().first)
    exit(0)
}
var session = try Session(Options(Array(CommandLine.arguments.dropFirst())))
let rows = [
    jsonDecodeRows(), jsonEncodeRows(), try publicFileRows("json-files", beside: FoundationPeer()),
    try expressionRows(), filterRows(), balancerRows(), observerRows(),
    try streamRows(),
]
exit(try session.run(rows.flatMap(\.self)))
