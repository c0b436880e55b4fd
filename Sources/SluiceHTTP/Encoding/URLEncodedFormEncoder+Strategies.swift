public import Foundation
public import SluiceJSON

extension URLEncodedFormEncoder {
    /// How the elements of an array are named.
    public enum ArrayEncodingStrategy: Sendable {
        /// `tags[]=a&tags[]=b`
        case brackets
        /// `tags=a&tags=b`
        case noBrackets
        /// `tags[0]=a&tags[1]=b`
        case indexInBrackets
        /// As the closure names the element at an index, from 0, of the array with a name.
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

    /// How truth values are written.
    public enum BoolEncodingStrategy: Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal

        /// `numeric`, as Sluice's first users know it.
        public static let asInt = BoolEncodingStrategy.numeric
        /// `literal`, as Sluice's first users know it.
        public static let asBool = BoolEncodingStrategy.literal

        func text(_ value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// How data is written.
    public enum DataEncodingStrategy: Sendable {
        /// As `Data` does itself: an array of numbers.
        case deferredToData
        /// Base64 text.
        case base64
        /// As the closure writes it; what it throws is thrown by the encoder.
        case custom(@Sendable (Data) throws -> String)
    }

    /// How dates are written.
    public enum DateEncodingStrategy: Sendable {
        /// As `Date` does itself: seconds since 2001, as a double.
        case deferredToDate
        /// Seconds since 1970, as a double.
        case secondsSince1970
        /// Milliseconds since 1970, as a double.
        case millisecondsSince1970
        /// Text as in RFC 3339.
        case iso8601
        /// Text as the formatter writes it.
        case formatted(any DateTextFormatter)
        /// As the closure writes it; what it throws is thrown by the encoder.
        case custom(@Sendable (Date) throws -> String)
    }

    /// How keys become names: those of types, of dictionaries and of `JSON` alike.
    public enum KeyEncodingStrategy: Sendable {
        /// They are the same.
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
        /// As the closure names a key.
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

    /// How the member of a member is named.
    public enum KeyPathEncodingStrategy: Sendable {
        /// `user[name]=Ada`
        case brackets
        /// `user.name=Ada`
        case dots
        /// As the closure names the member with a key in the object with a name.
        case custom(@Sendable (_ name: String, _ key: String) -> String)

        func name(of key: String, in object: String) -> String {
            switch self {
            case .brackets: "\(object)[\(key)]"
            case .dots: "\(object).\(key)"
            case .custom(let name): name(object, key)
            }
        }
    }

    /// What becomes of `nil` and `null`.
    public enum NilEncodingStrategy: Sendable {
        /// There is no field.
        case dropKey
        /// The field is empty: `name=`.
        case dropValue
        /// The field says `null`.
        case null
        /// As the closure writes the field with a name; no field where it answers `nil`.
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

    /// How a space is written.
    public enum SpaceEncodingStrategy: Sendable {
        /// `%20`
        case percentEscaped
        /// `+`, as in HTML forms.
        case plusReplaced
    }

    /// The order of the members of an object; elements of arrays keep theirs.
    public enum Order: Sendable {
        /// By name, in the order of Unicode's scalars, object by object: elements stay together.
        case alphabetized
        /// As the type encodes them.
        case asEncoded
    }
}
