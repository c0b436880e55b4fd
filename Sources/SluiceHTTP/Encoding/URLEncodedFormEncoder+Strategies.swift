#if HTTP
public import Foundation
public import SluiceJSON

extension URLEncodedFormEncoder {
    /// The naming of array elements.
    public enum ArrayEncodingStrategy: Sendable {
        /// `tags[]=a&tags[]=b`
        case brackets
        /// `tags=a&tags=b`
        case noBrackets
        /// `tags[0]=a&tags[1]=b`
        case indexInBrackets
        /// The name that the closure returns for the element at an index, from 0, of the array with a name.
        case custom(@Sendable (_ name: String, _ index: Int) -> String)

        func name(of array: String, index: Int) -> String {
            switch self {
            case .brackets: array + "[]"
            case .noBrackets: array
            case .indexInBrackets: "\(array)[\(index)]"
            case .custom(let name): name(array, index)
            }
        }
    }

    /// The form of Booleans.
    public enum BoolEncodingStrategy: Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal

        /// The same as `numeric`, under the name that Sluice's first users know.
        public static let asInt = BoolEncodingStrategy.numeric
        /// The same as `literal`, under the name that Sluice's first users know.
        public static let asBool = BoolEncodingStrategy.literal

        func text(_ value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// The form of data.
    public enum DataEncodingStrategy: Sendable {
        /// The encoding of `Data` itself: an array of numbers.
        case deferredToData
        /// Base64 text.
        case base64
        /// The text that the closure returns; the encoder throws the closure's errors.
        case custom(@Sendable (Data) throws -> String)
    }

    /// The form of dates.
    public enum DateEncodingStrategy: Sendable {
        /// The encoding of `Date` itself: seconds since 2001, as a double.
        case deferredToDate
        /// Seconds since 1970, as a double.
        case secondsSince1970
        /// Milliseconds since 1970, as a double.
        case millisecondsSince1970
        /// Text according to RFC 3339.
        case iso8601
        /// The text of the formatter.
        case formatted(any DateTextFormatter)
        /// The text that the closure returns; the encoder throws the closure's errors.
        case custom(@Sendable (Date) throws -> String)
    }

    /// The conversion of keys to names, for the keys of types, dictionaries, and `JSON`.
    public enum KeyEncodingStrategy: Sendable {
        /// The keys unchanged.
        case useDefaultKeys
        /// `oneTwoURL` becomes `one_two_url`.
        case convertToSnakeCase
        /// `oneTwoURL` becomes `one-two-url`.
        case convertToKebabCase
        /// `oneTwo` becomes `OneTwo`.
        case capitalized
        /// `oneTwo` becomes `ONETWO`.
        case uppercased
        /// `oneTwo` becomes `onetwo`.
        case lowercased
        /// The name that the closure returns for a key.
        case custom(@Sendable (String) -> String)

        func name(of key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: SnakeCase.added(to: key)
            case .convertToKebabCase: SnakeCase.added(to: key, separator: "-")
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let name): name(key)
            }
        }
    }

    /// The naming of nested members.
    public enum KeyPathEncodingStrategy: Sendable {
        /// `user[name]=Ada`
        case brackets
        /// `user.name=Ada`
        case dots
        /// The name that the closure returns for the member with a key in the object with a name.
        case custom(@Sendable (_ name: String, _ key: String) -> String)

        func name(of key: String, in object: String) -> String {
            switch self {
            case .brackets: "\(object)[\(key)]"
            case .dots: "\(object).\(key)"
            case .custom(let name): name(object, key)
            }
        }
    }

    /// The encoding of `nil` and `null`.
    public enum NilEncodingStrategy: Sendable {
        /// No field.
        case dropKey
        /// An empty field: `name=`.
        case dropValue
        /// A field with the value `null`.
        case null
        /// The value that the closure returns for the field with a name; no field if it returns `nil`.
        case custom(@Sendable (_ name: String) -> String?)

        func text(for name: String) -> String? {
            switch self {
            case .dropKey: nil
            case .dropValue: ""
            case .null: "null"
            case .custom(let text): text(name)
            }
        }
    }

    /// The form of a space.
    public enum SpaceEncodingStrategy: Sendable {
        /// `%20`
        case percentEscaped
        /// `+`, as in HTML forms.
        case plusReplaced
    }

    /// The order of the members of an object; elements of arrays keep their order.
    public enum Order: Sendable {
        /// By name, in the order of Unicode scalars, object by object, so that nested members stay together.
        case alphabetized
        /// The order in which the type encodes them.
        case asEncoded
    }
}
#endif
