import Foundation

/// The options of a benchmark program: `[--check FILE] [--margin PERCENT] [--set-bounds FILE] [--quick] [--shared]
/// [--peer NAME]`, and the words that the names of its rows contain.
struct Options {
    /// The file of the bounds to compare with.
    var check: String?
    /// The file of the bounds to set.
    var setBounds: String?
    /// The part of a bound that noise may take.
    var margin = 0.0
    /// A Boolean value that indicates whether rounds are fewer and shorter.
    var isQuick = false
    /// A Boolean value that indicates whether the machine has other work.
    var isShared = false
    /// The only peer to run, for a profiler.
    var peer: String?
    var words: [String] = []

    init(_ arguments: [String]) {
        var arguments = arguments
        func value(of name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
            defer { arguments.removeSubrange(index...index + 1) }
            return arguments[index + 1]
        }
        func flag(_ name: String) -> Bool {
            guard let index = arguments.firstIndex(of: name) else { return false }
            arguments.remove(at: index)
            return true
        }
        check = value(of: "--check")
        setBounds = value(of: "--set-bounds")
        margin = (value(of: "--margin").flatMap(Double.init) ?? 0) / 100
        peer = value(of: "--peer")
        isQuick = flag("--quick")
        isShared = flag("--shared")
        words = arguments
    }
}
