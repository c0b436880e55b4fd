#if HTTP
public import Foundation
import HTTPTypes
import Sluice
public import SluiceJSON

extension URLChainBuilder {
    /// Returns a chain from a model to a model.
    public func build<Request: DTOEncodable & Sendable, Response: DTODecodable & Sendable>() -> RequestChain<
        Request, Response
    >
    where Request.DTO: Sendable, Request.DTO.Raw == JSON, Response.DTO.Raw == JSON {
        chain(encoding.description, accept: Self.json, writing(Request.self), reading(Response.self))
    }

    /// Returns a chain without input that returns a model.
    public func build<Response: DTODecodable & Sendable>() -> RequestChain<Void, Response>
    where Response.DTO.Raw == JSON {
        chain("json", accept: Self.json, { _, _ in }, reading(Response.self))
    }

    /// Returns a chain from a model to nothing: any answer that is not an error succeeds.
    public func build<Request: DTOEncodable & Sendable>() -> RequestChain<Request, Void>
    where Request.DTO: Sendable, Request.DTO.Raw == JSON {
        chain(encoding.description, accept: nil, writing(Request.self), { _, _ in })
    }

    /// Returns a chain without input and output: any answer that is not an error succeeds.
    public func build() -> RequestChain<Void, Void> { chain("void", accept: nil, { _, _ in }, { _, _ in }) }

    /// Returns a chain from a model with files, sent as a multipart form, to a model.
    public func build<Payload: DTOEncodable & Sendable, Response: DTODecodable & Sendable>() -> RequestChain<
        MultipartModel<Payload>, Response
    >
    where Payload.DTO: Sendable, Payload.DTO.Raw == JSON, Response.DTO.Raw == JSON {
        chain("multipart", accept: Self.json, writingParts(Payload.self), reading(Response.self))
    }

    /// Returns a chain from a model with files to nothing: any answer that is not an error succeeds.
    public func build<Payload: DTOEncodable & Sendable>() -> RequestChain<MultipartModel<Payload>, Void>
    where Payload.DTO: Sendable, Payload.DTO.Raw == JSON {
        chain("multipart", accept: nil, writingParts(Payload.self), { _, _ in })
    }

    /// Returns a chain from fields of bytes with files to a model.
    public func build<Payload: DTOEncodable & Sendable, Response: DTODecodable & Sendable>() -> RequestChain<
        MultipartModel<Payload>, Response
    >
    where Payload.DTO.Raw == [String: Data], Response.DTO.Raw == JSON {
        let write: @Sendable (MultipartModel<Payload>, inout TransportRequest) async throws -> Void = {
            model,
            request in
            var form = MultipartForm()
            form.append(MultipartModel<[String: Data]>(try model.payload.toDTO().toRaw(), files: model.files))
            try await request.set(form)
        }
        return chain("multipart", accept: Self.json, write, reading(Response.self))
    }

    /// Returns a chain without input that returns the bytes of the answer.
    public func loadData() -> RequestChain<Void, Data> { chain("data", accept: nil, { _, _ in }, Self.data) }

    /// Returns a chain from a model to the bytes of the answer.
    public func loadData<Request: DTOEncodable & Sendable>() -> RequestChain<Request, Data>
    where Request.DTO: Sendable, Request.DTO.Raw == JSON {
        chain("data", accept: nil, writing(Request.self), Self.data)
    }

    /// Returns a chain without input to the head of the answer with a streamed body; it returns when the head arrives.
    public func loadStream() -> RequestChain<Void, TransportResponse> {
        streaming.chain("stream", limit: nil, accept: nil, { _, _ in }, { response, _ in response })
    }

    /// Returns a chain from a model to the head of the answer with a streamed body; it returns when the head arrives.
    public func loadStream<Request: DTOEncodable & Sendable>() -> RequestChain<Request, TransportResponse>
    where Request.DTO: Sendable, Request.DTO.Raw == JSON {
        streaming.chain("stream", limit: nil, accept: nil, writing(Request.self), { response, _ in response })
    }

    /// Returns a chain with a custom codec, and with the builder's route, query, and header fields.
    ///
    /// - Parameters:
    ///   - name: the name of the codec.
    ///   - write: a closure that puts the input into the request; called once for each call.
    ///   - read: a closure that makes the output from an answer; called once for each answer, whose body is complete.
    public func build<Input: Sendable, Output: Sendable>(
        _ name: String,
        write: @escaping @Sendable (Input, inout TransportRequest) async throws -> Void,
        read: @escaping @Sendable (TransportResponse) throws -> Output
    ) -> RequestChain<Input, Output> {
        chain(name, accept: nil, write) { response, _ in try read(response) }
    }

    // MARK: - Parts

    typealias Write<Input> = @Sendable (Input, inout TransportRequest) async throws -> Void
    typealias Read<Output> = @Sendable (TransportResponse, TransportRequest) throws -> Output

    static var json: String { "application/json" }
    static var data: Read<Data> { { response, _ in Data(response.body.bytes ?? []) } }

    /// The same builder without the stage that collects bodies.
    var streaming: Self {
        var copy = self
        copy.stages.removeIfThere(.body)
        return copy
    }

    func writing<Request: DTOEncodable & Sendable>(_ type: Request.Type) -> Write<Request>
    where Request.DTO: Sendable, Request.DTO.Raw == JSON {
        { [encoding, write = Request.writer(coder, formEncoder)] model, request in
            try encoding.encode(try write(model), &request)
        }
    }

    private func writingParts<Payload: DTOEncodable & Sendable>(_ type: Payload.Type) -> Write<MultipartModel<Payload>>
    where Payload.DTO: Sendable, Payload.DTO.Raw == JSON {
        { [coder, formEncoder] model, request in
            var form = MultipartForm()
            try Payload.append(model, to: &form, coder, formEncoder)
            try await request.set(form)
        }
    }

    func reading<Response: DTODecodable>(_ type: Response.Type) -> Read<Response>
    where Response.DTO.Raw == JSON {
        let read = Response.reader(coder)
        return { response, request in try response.model(Response.self, request, read) }
    }

    /// Returns a chain of the builder's stages, with a codec that adds its route, query, and fields.
    func chain<Input: Sendable, Output: Sendable>(
        _ name: String,
        limit: Int? = 64 << 20,
        accept: String?,
        _ write: @escaping Write<Input>,
        _ read: @escaping Read<Output>
    ) -> RequestChain<Input, Output> {
        let ordered = stages.ordered()
        let faults = fieldFaults + ordered.faults
        let outline = ChainOutline(stages: ordered.outline, faults: faults)
        var fields = fields
        if let accept, fields[.accept] == nil { fields[.accept] = accept }
        let prepare: @Sendable (Input) async throws -> TransportRequest = {
            [method, route, address, template, query, queryEncoder, fields, faults] input in
            do {
                if !faults.isEmpty { throw ChainOrderError(reasons: faults) }
                guard let route else { throw ChainFault(description: "no route was set: call route(_:_:)") }
                var request = TransportRequest(method, try address(route), headers: fields)
                request.template = template
                if !query.isEmpty { request.url = try request.url.appending(query: query, encoder: queryEncoder) }
                try await write(input, &request)
                if !request.isSafe, let key = CallContext.current.idempotencyKey { return request.identified(by: key) }
                return request
            } catch let error as HTTPError { throw error } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw HTTPError(.badRequest, "the request cannot be made: \(error)", request: nil, cause: error)
            }
        }
        return RequestChain(
            ChainCodec(name, limit: limit.map { _ in self.limit }, prepare: prepare, read: read),
            over: ordered.wrapping(transport),
            outline: outline,
            settings: settings
        )
    }
}

/// The problem of a chain that was built.
struct ChainFault: Error, CustomStringConvertible {
    let description: String
}

extension DTOEncodable where DTO.Raw == JSON {
    /// Adds the fields of a payload and its files to a form.
    fileprivate static func append(
        _ model: MultipartModel<Self>,
        to form: inout MultipartForm,
        _ coder: any ModelCoder,
        _ encoder: URLEncodedFormEncoder
    ) throws {
        let dto = try model.payload.toDTO()
        if DTO.isWrittenAsEncodable, let value = dto as? any Encodable {
            func open(_ value: some Encodable) throws {
                try form.append(MultipartModel(value, files: model.files), encoder: encoder)
            }
            try open(value)
        } else {
            let raw = try ModelCoding.using(coder) { try dto.toRaw() }
            try form.append(MultipartModel(raw, files: model.files), encoder: encoder)
        }
    }
}

extension TransportRequest {
    /// Sets a form as the body.
    mutating func set(_ form: MultipartForm) async throws {
        body = try await form.body()
        headers[.contentType] = form.contentType
    }
}
#endif
