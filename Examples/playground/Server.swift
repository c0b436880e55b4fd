import Hummingbird
import SluiceHTTP
import Synchronization

/// A small server that the requests are sent to.
enum Server {
    /// The router: users, photos, a route that fails twice, and one that answers a line at a time.
    static func router() -> Router<BasicRequestContext> {
        let router = Router()
        let failures = Atomic(2)
        router.post("users") { request, _ in
            var body = try await request.body.collect(upTo: 1 << 16)
            let length = body.readableBytes
            return body.readString(length: length) ?? ""
        }
        router.get("users") { request, _ in
            let name = request.uri.queryParameters["name"].map(String.init) ?? "Ada"
            return #"[{"id":"1","full_name":"\#(name)","age":36},{"id":"2","full_name":"Bob","age":7}]"#
        }
        router.get("users/:id") { _, context -> Response in
            guard context.parameters.get("id") == "ada" else {
                return Response(
                    status: .notFound,
                    headers: [.contentType: "application/problem+json"],
                    body: .init(byteBuffer: .init(string: #"{"title":"No such user","detail":"there is only ada"}"#))
                )
            }
            return Response(status: .ok, body: .init(byteBuffer: .init(string: #"{"full_name":"Ada","age":36}"#)))
        }
        router.post("photos") { request, _ in
            let count = try await request.body.collect(upTo: 1 << 20).readableBytes
            return #"{"type":"\#(request.headers[.contentType]?.prefix(19) ?? "")","bytes":\#(count)}"#
        }
        router.get("flaky") { _, _ -> Response in
            let left = failures.subtract(1, ordering: .relaxed).newValue
            guard left < 0 else { return Response(status: .serviceUnavailable, headers: [.retryAfter: "0"]) }
            return Response(status: .ok, body: .init(byteBuffer: .init(string: #""at last""#)))
        }
        router.get("ticks") { _, _ in
            Response(
                status: .ok,
                body: .init { writer in
                    for tick in 1...3 { try await writer.write(.init(string: "{\"tick\":\(tick)}\n")) }
                    try await writer.finish(nil)
                }
            )
        }
        return router
    }
}
