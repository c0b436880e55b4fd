#if HTTP
import Foundation
import SluiceJSON
import Testing

@testable import SluiceHTTP

@Suite struct MultipartModelTests {
    let files = ["b": MultipartFile.bytes([2], filename: "b"), "a": MultipartFile.bytes([1], filename: "a")]

    /// Returns the names of the parts and their bytes.
    func parts(_ form: MultipartForm) -> [String] {
        form.parts.map { part in
            guard case .bytes(let bytes) = part.file.content else { return part.name }
            return "\(part.name)=\(part.file.filename == nil ? String(decoding: bytes, as: UTF8.self) : "\(bytes)")"
        }
    }

    @Test func layers() throws {
        let model = MultipartModel(User(fullName: "Ada"), files: files)
        let raw: MultipartModel<JSON> = try model.toDTO().toRaw()
        #expect(raw.payload == ["name": "Ada", "age": 36])
        var form = MultipartForm()
        try form.append(raw)
        #expect(parts(form) == ["age=36", "name=Ada", "a=[1]", "b=[2]"])
        let back = try MultipartModel<User>.from(dto: .from(raw: raw))
        #expect(back.payload == User(fullName: "Ada"))
        #expect(back.files.keys.sorted() == ["a", "b"])
    }

    @Test func fieldsAsTheEncoderNamesThem() throws {
        var encoder = URLEncodedFormEncoder()
        encoder.arrayEncodingStrategy = .indexInBrackets
        encoder.boolEncodingStrategy = .literal
        var form = MultipartForm()
        let payload: JSON = ["tags": ["x y", "é"], "ok": true, "in": ["k": 1]]
        try form.append(MultipartModel(payload, files: [:]), encoder: encoder)
        #expect(parts(form) == ["in[k]=1", "ok=true", "tags[0]=x y", "tags[1]=é"])
        #expect(throws: EncodingError.self) { try form.append(model: [1]) }
    }

    @Test func payloadOfBytes() {
        var form = MultipartForm()
        form.append(MultipartModel(["z": Data("é".utf8), "y": Data()], files: files))
        #expect(parts(form) == ["y=", "z=é", "a=[1]", "b=[2]"])
    }
}
#endif
