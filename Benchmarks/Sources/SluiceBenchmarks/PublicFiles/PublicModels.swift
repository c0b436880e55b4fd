/// The border of a country, as polygons: `canada.json`.
struct Country: Codable, Sendable {
    let type: String
    let features: [Feature]

    struct Feature: Codable, Sendable {
        let type: String
        let properties: [String: String]
        let geometry: Geometry
    }

    struct Geometry: Codable, Sendable {
        let type: String
        let coordinates: [[[Double]]]
    }
}

/// A model in three dimensions: `mesh.json`.
struct Mesh: Codable, Sendable {
    let batches: [Batch]
    let morphTargets: [String: Int]
    let positions: [Double]
    let tex0: [Double]
    let colors: [Int]
    let influences: [[Double]]
    let normals: [Double]
    let indices: [Int]

    struct Batch: Codable, Sendable {
        let indexRange: [Int]
        let vertexRange: [Int]
        let usedBones: [Int]
    }
}

/// Invented people and their friends: `random.json`.
struct People: Codable, Sendable {
    let id: Int
    let jsonrpc: String
    let total: Int
    let result: [Person]

    struct Person: Codable, Sendable {
        let id: Int
        let avatar: String
        let age: Int
        let admin: Bool
        let name: String
        let company: String
        let phone: String
        let email: String
        let birthDate: String
        let friends: [Friend]
        let field: String
    }

    struct Friend: Codable, Sendable {
        let id: Int
        let name: String
        let phone: String
    }
}

/// The jobs of a build server: `apache_builds.json`.
struct Builds: Codable, Sendable {
    let assignedLabels: [[String: String]]
    let mode: String
    let nodeDescription: String
    let nodeName: String
    let numExecutors: Int
    let description: String
    let jobs: [Job]
    let overallLoad: [String: String]
    let primaryView: View
    let quietingDown: Bool
    let slaveAgentPort: Int
    let unlabeledLoad: [String: String]
    let useCrumbs: Bool
    let useSecurity: Bool
    let views: [View]

    struct Job: Codable, Sendable {
        let name: String
        let url: String
        let color: String
    }

    struct View: Codable, Sendable {
        let name: String
        let url: String
    }
}
