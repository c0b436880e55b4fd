#if Hub
import HTTPTypes
import SluiceJSON
import Testing

@testable import SluiceHub

@Suite struct OpenAPITests {
    @Test func everyRouteIsDescribed() async throws {
        let hub = try await Hub()
        let document = try await hub.ask(.get, "/openapi.json").json
        #expect(document["openapi"] == "3.1.0")
        let paths = try #require(document["paths"]?.object)
        let operations = HubRoutes(hub: hub.hub, settings: hub.settings).operations
        #expect(operations.count > 30)
        var ids: Set<String> = []
        for operation in operations {
            let entry = paths[operation.path]?[operation.method.rawValue.lowercased()]
            #expect(entry?["operationId"]?.string == operation.id)
            #expect(ids.insert(operation.id).inserted, "\(operation.id) twice")
            // The parameters of the path are declared, as OpenAPI has it.
            let declared = (entry?["parameters"]?.array ?? []).filter { $0["in"] == "path" }.compactMap {
                $0["name"]?.string
            }
            let named = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                $0.dropFirst().dropLast()
            }
            #expect(declared == named.map { String($0) }, "\(operation.path)")
        }
        #expect(paths.reduce(0) { $0 + ($1.value.object?.count ?? 0) } == operations.count)
    }

    @Test func everyReferenceLeadsSomewhere() async throws {
        let document = try await Hub().ask(.get, "/openapi.json").json
        var pending = [document]
        var count = 0
        while let json = pending.popLast() {
            pending += json.array ?? []
            for member in json.object ?? [:] {
                pending.append(member.value)
                guard member.key == "$ref", let reference = member.value.string else { continue }
                let parts = reference.split(separator: "/").dropFirst()
                let target = parts.reduce(document as JSON?) { $0?[String($1)] }
                #expect(target != nil, "\(reference)")
                count += 1
            }
        }
        #expect(count > 50)
    }

    @Test func whatIsNotDescribedIsNotServed() async throws {
        let hub = try await Hub()
        for path in ["/admin", "/streams/a/b", "/groups/all/x", "/page", "/.git/config", "/page/..%2fPackage.swift"] {
            #expect(try await hub.ask(.get, path).status == .notFound, "\(path)")
        }
    }
}
#endif
