public import SluiceHTTP
import SluiceJSON

/// The builder of request chains under NodeKit's name.
public typealias UrlChainsBuilder = URLChainBuilder

extension URLChainBuilder {
    /// Sets the query from values of any type; see ``SluiceHTTP/URLChainBuilder/set(query:)``.
    ///
    /// ```swift
    /// let map: [String: Any] = ["name": "bob", "age": 23]
    /// let builder = UrlChainsBuilder<UserRoute>().set(query: ["map": map, "max": 10])
    /// ```
    ///
    /// Values are taken as they are now; what has no JSON form goes as its text.
    @_disfavoredOverload
    public func set(query: [String: Any]) -> Self { set(query: query.mapValues { JSON(untyped: $0) }) }

    /// Sets how booleans of the query are written, as NodeKit spells it.
    public func set(boolEncodingStartegy strategy: URLEncodedFormEncoder.BoolEncodingStrategy) -> Self {
        set(boolEncodingStrategy: strategy)
    }

    /// Sets how dictionaries of the query are written, as NodeKit spells it.
    public func set(dictEncodindStrategy strategy: URLEncodedFormEncoder.KeyPathEncodingStrategy) -> Self {
        set(dictEncodingStrategy: strategy)
    }
}

extension ParametersEncoding {
    /// A form in the body, as NodeKit spells it.
    public static var formUrl: ParametersEncoding { .formURL }
}
