/// Texts in the shapes of the public files, for machines that don't have them. They are the same each time.
enum StandIns {
    /// The next number of a sequence: SplitMix64 (Steele, Lea and Flood 2014).
    private struct Sequence {
        var state: UInt64 = 1

        mutating func next(_ limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((z ^ (z >> 31)) % UInt64(limit))
        }

        /// Returns a number with a sign, up to 200, with so many digits after the point.
        mutating func number(_ digits: Int) -> String {
            let fraction = (0..<digits).map { _ in String(next(10)) }.joined()
            return "\(next(2) == 0 ? "-" : "")\(next(200)).\(fraction)"
        }

        mutating func words(_ count: Int, of words: [String]) -> String {
            (0..<count).map { _ in words[next(words.count)] }.joined(separator: " ")
        }
    }

    private static let english = [
        "the", "server", "answers", "each", "request", "within", "a", "second", "or", "fails",
    ]
    private static let japanese = ["今日は", "とても", "良い天気です", "😊✨", "ありがとう", "前田さん", "元野球部", "一同"]
    private static let russian = ["Леонард", "Никитин", "Артемий", "Попов", "Адам", "Иванов", "Станислав", "Тарасов"]

    // MARK: Twitter

    static var twitter: String {
        var sequence = Sequence()
        let statuses = (0..<160).map { _ in status(&sequence) }.joined(separator: ",\n")
        return """
            {
              "statuses": [
            \(statuses)
              ],
              "search_metadata": {
                "completed_in": 0.087, "max_id": 505874924095815700, "max_id_str": "505874924095815681",
                "next_results": "?max_id=505874847260352512&q=%E4%B8%80&count=100&include_entities=1",
                "query": "%E4%B8%80", "refresh_url": "?since_id=505874924095815681&q=%E4%B8%80&include_entities=1",
                "count": 100, "since_id": 0, "since_id_str": "0"
              }
            }
            """
    }

    /// The same without spaces, and with all but ASCII as escapes.
    static var twitterEscaped: String {
        var (text, isInString, isEscaped) = ("", false, false)
        for scalar in twitter.unicodeScalars {
            if scalar == "\"", !isEscaped { isInString.toggle() }
            isEscaped = isInString && scalar == "\\" && !isEscaped
            if scalar.isASCII {
                if isInString || (scalar != " " && scalar != "\n") { text.unicodeScalars.append(scalar) }
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: true)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return text
    }

    private static func status(_ sequence: inout Sequence) -> String {
        let (id, mentioned) = (505_874_924_095_815_000 + sequence.next(1_000_000), sequence.next(1 << 31))
        let reply = sequence.next(3) == 0
        let hasMedia = sequence.next(5) == 0
        return """
                {
                  "metadata": {
                    "result_type": "recent",
                    "iso_language_code": "ja"
                  },
                  "created_at": "Sun Aug 31 00:29:15 +0000 2014",
                  "id": \(id),
                  "id_str": "\(id)",
                  "text": "@someone \\n\\n\(sequence.words(8, of: japanese)) http://t.co/PkCJAcSuYK",
                  "source": "<a href=\\"http://example.com/download\\" rel=\\"nofollow\\">An app for telephones</a>",
                  "truncated": false,
                  "in_reply_to_status_id": null,
                  "in_reply_to_status_id_str": null,
                  "in_reply_to_user_id": \(reply ? "\(mentioned)" : "null"),
                  "in_reply_to_user_id_str": \(reply ? "\"\(mentioned)\"" : "null"),
                  "in_reply_to_screen_name": \(reply ? "\"someone\"" : "null"),
            \(user(&sequence)),
                  "geo": null,
                  "coordinates": null,
                  "place": null,
                  "contributors": null,
                  "retweet_count": \(sequence.next(100)),
                  "favorite_count": \(sequence.next(10)),
                  "entities": {
                    "hashtags": [],
                    "symbols": [],
                    "urls": [],
                    "user_mentions": [
                      {
                        "screen_name": "someone",
                        "name": "\(sequence.words(1, of: japanese))",
                        "id": \(mentioned),
                        "id_str": "\(mentioned)",
                        "indices": [
                          0,
                          9
                        ]
                      }
                    ]\(hasMedia ? ",\n" + media(&sequence) : "")
                  },
                  "favorited": false,
                  "retweeted": false,
                  "lang": "ja"
                }
            """
    }

    private static func user(_ sequence: inout Sequence) -> String {
        let id = sequence.next(1 << 31)
        return """
                  "user": {
                    "id": \(id),
                    "id_str": "\(id)",
                    "name": "\(sequence.words(1, of: japanese))",
                    "screen_name": "user\(id)",
                    "location": "",
                    "description": "\(sequence.words(5, of: japanese))",
                    "url": null,
                    "entities": {
                      "description": {
                        "urls": []
                      }
                    },
                    "protected": false,
                    "followers_count": \(sequence.next(1000)),
                    "friends_count": \(sequence.next(1000)),
                    "listed_count": 0,
                    "created_at": "Sat Feb 16 13:40:25 +0000 2013",
                    "favourites_count": \(sequence.next(5000)),
                    "utc_offset": null,
                    "time_zone": null,
                    "geo_enabled": false,
                    "verified": false,
                    "statuses_count": \(sequence.next(50_000)),
                    "lang": "ja",
                    "contributors_enabled": false,
                    "is_translator": false,
                    "is_translation_enabled": false,
                    "profile_background_color": "C0DEED",
                    "profile_background_image_url": "http://example.com/images/themes/theme1/background.png",
                    "profile_background_image_url_https": "https://example.com/images/themes/theme1/background.png",
                    "profile_background_tile": false,
                    "profile_image_url": "http://example.com/profile_images/\(id)/LDjAwR_normal.jpeg",
                    "profile_image_url_https": "https://example.com/profile_images/\(id)/LDjAwR_normal.jpeg",
                    "profile_banner_url": "https://example.com/profile_banners/\(id)/1409318784",
                    "profile_link_color": "0084B4",
                    "profile_sidebar_border_color": "C0DEED",
                    "profile_sidebar_fill_color": "DDEEF6",
                    "profile_text_color": "333333",
                    "profile_use_background_image": true,
                    "default_profile": true,
                    "default_profile_image": false,
                    "following": false,
                    "follow_request_sent": false,
                    "notifications": false
                  }
            """
    }

    private static func media(_ sequence: inout Sequence) -> String {
        let id = 505_874_924_095_815_000 + sequence.next(1_000_000)
        let sizes = ["medium", "small", "thumb", "large"].map {
            "            \"\($0)\": { \"w\": 600, \"h\": \(sequence.next(900)), \"resize\": \"fit\" }"
        }
        return """
                    "media": [
                      {
                        "id": \(id),
                        "id_str": "\(id)",
                        "indices": [
                          23,
                          45
                        ],
                        "media_url": "http://example.com/media/\(id).jpg",
                        "media_url_https": "https://example.com/media/\(id).jpg",
                        "url": "http://t.co/\(id)",
                        "display_url": "pic.example.com/\(id)",
                        "expanded_url": "http://example.com/someone/status/\(id)/photo/1",
                        "type": "photo",
                        "sizes": {
            \(sizes.joined(separator: ",\n"))
                        }
                      }
                    ]
            """
    }

    // MARK: Others

    static var canada: String {
        var sequence = Sequence()
        let lines = (0..<480).map { _ in
            let points = (0..<115).map { _ in "[\(sequence.number(15)),\(sequence.number(15))]" }
            return "[\(points.joined(separator: ","))]"
        }
        return """
            { "type": "FeatureCollection",
              "features": [
            {
                "type": "Feature",
            "properties": { "name": "Somewhere" },
            "geometry": {"type":"Polygon","coordinates":[\(lines.joined(separator: ","))]}
            }
            ]
            }
            """
    }

    static var mesh: String {
        var sequence = Sequence()
        func list(_ count: Int, _ element: (inout Sequence) -> String) -> String {
            "[" + (0..<count).map { _ in element(&sequence) }.joined(separator: ", ") + "]"
        }
        let positions = list(10_800) { $0.number(12) }
        let texture = list(7200) { $0.number(12) }
        let colors = list(3600) { "\($0.next(1 << 24))" }
        let influences = list(3600) { _ in "[1.0, 0]" }
        let normals = list(10_800) { $0.number(15) }
        let indices = list(33_408) { "\($0.next(3600))" }
        return """
            {"batches": [{"indexRange": [0, 33408], "vertexRange": [0, 3600], "usedBones": [22]}], "morphTargets": {}, \
            "positions": \(positions), "tex0": \(texture), "colors": \(colors), "influences": \(influences), \
            "normals": \(normals), "indices": \(indices)}
            """
    }

    static var random: String {
        var sequence = Sequence()
        let people = (1...1000).map { id in
            let friends = (1...3).map { friend in
                """
                {
                "id": \(friend),
                "name": "\(sequence.words(2, of: russian))",
                "phone": "+7095\(1_000_000 + sequence.next(8_000_000))"
                }
                """
            }
            return """
                {
                "id": \(id),
                "avatar": "images/user_\(id).png",
                "age": \(20 + sequence.next(50)),
                "admin": \(sequence.next(2) == 0),
                "name": "\(sequence.words(2, of: russian))",
                "company": "Company \(id)",
                "phone": "+7095\(1_000_000 + sequence.next(8_000_000))",
                "email": "someone\(id)@example.com",
                "birthDate": "Mon, 05 Jan 1998 15:59:20 GMT",
                "friends": [
                \(friends.joined(separator: ",\n"))
                ],
                "field": "field value"
                }
                """
        }
        return """
            {
            "id": 1,
            "jsonrpc": "2.0",
            "total": 1000,
            "result": [
            \(people.joined(separator: ",\n"))
            ]
            }
            """
    }

    static var apacheBuilds: String {
        var sequence = Sequence()
        let jobs = (0..<875).map { id in
            """
                {
                  "name" : "project-\(sequence.words(2, of: english).replacing(" ", with: "-"))-\(id)",
                  "url" : "https://builds.example.com/job/project-\(id)/",
                  "color" : "\(["blue", "red", "disabled"][sequence.next(3)])"
                }
            """
        }
        let views = ["All", "Mine", "Failing", "Quiet"].map {
            "    {\n      \"name\" : \"\($0)\",\n      \"url\" : \"https://builds.example.com/view/\($0)/\"\n    }"
        }
        return """
            {
              "assignedLabels" : [
                {
                }
              ],
              "mode" : "EXCLUSIVE",
              "nodeDescription" : "the master node",
              "nodeName" : "",
              "numExecutors" : 0,
              "description" : "<a href=\\"http://www.example.com/\\">A server</a>\\r\\n<p>\(sequence.words(60, of: english))</p>",
              "jobs" : [
            \(jobs.joined(separator: ",\n"))
              ],
              "overallLoad" : {
              },
              "primaryView" : {
                "name" : "All",
                "url" : "https://builds.example.com/"
              },
              "quietingDown" : false,
              "slaveAgentPort" : 0,
              "unlabeledLoad" : {
              },
              "useCrumbs" : true,
              "useSecurity" : true,
              "views" : [
            \(views.joined(separator: ",\n"))
              ]
            }
            """
    }
}
