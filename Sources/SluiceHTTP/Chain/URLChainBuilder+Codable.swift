#if HTTP
public import Foundation
import HTTPTypes
import Sluice
public import SluiceJSON

// A model that conforms to the protocols of the two layers in addition to `Codable` has another overload of `build()`,
// which the compiler prefers.

extension URLChainBuilder: CodableChainBuilder {
    /// Returns a chain from a `Codable` model to another.
    ///
    /// A model that is also a ``RawEncodable`` or ``DTOEncodable`` with a mapping of its own is written by that mapping;
    /// the same applies to reading.
    public func build<Request: Encodable & Sendable, Response: Decodable & Sendable>(
        from request: Request.Type,
        to response: Response.Type
    ) -> RequestChain<Request, Response> {
        chain(encoding.description, accept: Self.json, writing(plain: request), reading(plain: response))
    }

    /// Returns a chain without input that returns a `Codable` model.
    @_disfavoredOverload
    public func build<Response: Decodable & Sendable>() -> RequestChain<Void, Response> {
        chain("json", accept: Self.json, { _, _ in }, reading(plain: Response.self))
    }

    /// Returns a chain from a `Codable` model to nothing: any answer that is not an error succeeds.
    @_disfavoredOverload
    public func build<Request: Encodable & Sendable>() -> RequestChain<Request, Void> {
        chain(encoding.description, accept: nil, writing(plain: Request.self), { _, _ in })
    }

    /// Returns a chain from a model of two layers to a `Codable` model.
    @_disfavoredOverload
    public func build<Request: DTOEncodable & Sendable, Response: Decodable & Sendable>() -> RequestChain<
        Request, Response
    >
    where Request.DTO: Sendable, Request.DTO.Raw == JSON {
        chain(encoding.description, accept: Self.json, writing(Request.self), reading(plain: Response.self))
    }

    /// Returns a chain from a `Codable` model to a model of two layers.
    @_disfavoredOverload
    public func build<Request: Encodable & Sendable, Response: DTODecodable & Sendable>() -> RequestChain<
        Request, Response
    >
    where Response.DTO.Raw == JSON {
        chain(encoding.description, accept: Self.json, writing(plain: Request.self), reading(Response.self))
    }

    /// Returns a chain from a `Codable` model with files, sent as a multipart form, to a `Codable` model.
    @_disfavoredOverload
    public func build<Payload: Encodable & Sendable, Response: Decodable & Sendable>() -> RequestChain<
        MultipartModel<Payload>, Response
    > {
        chain("multipart", accept: Self.json, writingParts(plain: Payload.self), reading(plain: Response.self))
    }

    /// Returns a chain from a `Codable` model with files to nothing: any answer that is not an error succeeds.
    @_disfavoredOverload
    public func build<Payload: Encodable & Sendable>() -> RequestChain<MultipartModel<Payload>, Void> {
        chain("multipart", accept: nil, writingParts(plain: Payload.self), { _, _ in })
    }

    /// Returns a chain from a `Codable` model to the bytes of the answer.
    @_disfavoredOverload
    public func loadData<Request: Encodable & Sendable>() -> RequestChain<Request, Data> {
        chain("data", accept: nil, writing(plain: Request.self), Self.data)
    }

    /// Returns a chain from a `Codable` model to the head of the answer with a streamed body; it returns when the head
    /// arrives.
    @_disfavoredOverload
    public func loadStream<Request: Encodable & Sendable>() -> RequestChain<Request, TransportResponse> {
        streaming.chain("stream", limit: nil, accept: nil, writing(plain: Request.self), { response, _ in response })
    }

    private func writing<Request: Encodable & Sendable>(plain type: Request.Type) -> Write<Request> {
        { [encoding, write = Request.plainWriter(coder, formEncoder)] model, request in
            try encoding.encode(try write(model), &request)
        }
    }

    private func writingParts<Payload: Encodable & Sendable>(
        plain type: Payload.Type
    ) -> Write<MultipartModel<Payload>> {
        { [formEncoder] model, request in
            var form = MultipartForm()
            try form.append(model, encoder: formEncoder)
            try await request.set(form)
        }
    }

    private func reading<Response: Decodable & Sendable>(plain type: Response.Type) -> Read<Response> {
        let read = Response.plainReader(coder)
        return { response, request in try response.model(Response.self, request, read) }
    }
}
#endif
