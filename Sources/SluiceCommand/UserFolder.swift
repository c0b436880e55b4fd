#if Command
import Foundation

/// A folder of the user, by the XDG base directory specification.
///
/// The environment decides, and not the list of users: a service or a container may have a `HOME` of its own.
enum UserFolder: String {
    case data = "XDG_DATA_HOME"
    case caches = "XDG_CACHE_HOME"

    /// The path of the folder. A variable that is empty or not an absolute path is ignored.
    var path: String { path(ProcessInfo.processInfo.environment) }

    func path(_ environment: [String: String]) -> String {
        if let path = Self.absolute(environment[rawValue]) { return path }
        let home = Self.absolute(environment["HOME"]) ?? FileManager.default.homeDirectoryForCurrentUser.path
        switch self {
        case .data: return home + "/.local/share"
        case .caches: return home + "/.cache"
        }
    }

    private static func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
#endif
