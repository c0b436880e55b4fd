#if HTTP
public import SluiceHTTP
import SluiceJSON

/// NodeKit's name for the builder of request chains.
public typealias UrlChainsBuilder = URLChainBuilder

extension URLChainBuilder {
    /// Sets the query from values of any type; see `URLChainBuilder.set(query:)`.
    ///
    /// ```swift
    /// let map: [String: Any] = ["name": "bob", "age": 23]
    /// let builder = UrlChainsBuilder<UserRoute>().set(query: ["map": map, "max": 10])
    /// ```
    ///
    /// Values are read immediately; a value that has no JSON form is sent as its description.
    @_disfavoredOverload
    public func set(query: [String: Any]) -> Self { set(query: query.mapValues { JSON(untyped: $0) }) }

    /// Sets how Booleans of the query are written, in NodeKit's spelling.
    public func set(boolEncodingStartegy strategy: URLEncodedFormEncoder.BoolEncodingStrategy) -> Self {
        set(boolEncodingStrategy: strategy)
    }

    /// Sets how dictionaries of the query are written, in NodeKit's spelling.
    public func set(dictEncodindStrategy strategy: URLEncodedFormEncoder.KeyPathEncodingStrategy) -> Self {
        set(dictEncodingStrategy: strategy)
    }
}

extension ParametersEncoding {
    /// The encoding of parameters as a form in the body, in NodeKit's spelling.
    public static var formUrl: ParametersEncoding { .formURL }
}
#endif
