import Foundation

/// The public JSON files by which JSON libraries are compared.
enum PublicFile: String, CaseIterable {
    case twitter, twitterescaped, canada, mesh, random
    case apacheBuilds = "apache_builds"

    /// The text of the file in the folder `$SLUICE_PUBLIC_FILES`, or a stand-in of the same shape where it is absent.
    var data: Data {
        if let folder = ProcessInfo.processInfo.environment["SLUICE_PUBLIC_FILES"],
            let data = FileManager.default.contents(atPath: "\(folder)/\(rawValue).json")
        {
            return data
        }
        return switch self {
        case .twitter: Data(StandIns.twitter.utf8)
        case .twitterescaped: Data(StandIns.twitterEscaped.utf8)
        case .canada: Data(StandIns.canada.utf8)
        case .mesh: Data(StandIns.mesh.utf8)
        case .random: Data(StandIns.random.utf8)
        case .apacheBuilds: Data(StandIns.apacheBuilds.utf8)
        }
    }

    /// The model of the file.
    var model: any (Codable & Sendable).Type {
        switch self {
        case .twitter, .twitterescaped: TwitterSearch.self
        case .canada: Country.self
        case .mesh: Mesh.self
        case .random: People.self
        case .apacheBuilds: Builds.self
        }
    }
}
