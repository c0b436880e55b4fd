extension StreamPlan {
    enum CodingKeys: CodingKey {
        case steps, isEnded, division
    }

    /// Reads a plan; a plan of an earlier version has no information about an ended run.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        steps = try container.decode([Step].self, forKey: .steps)
        isEnded = try container.decodeIfPresent(Bool.self, forKey: .isEnded) ?? false
        division = try container.decodeIfPresent(Division.self, forKey: .division)
    }
}

extension StreamPlan.Step {
    enum CodingKeys: CodingKey {
        case action, name, id, oldPath, newPath, isMoved, changes, reason, notes
    }

    /// Reads a step; a step of an earlier version has no notes, and notes of later versions are omitted.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            action: try container.decode(StreamPlan.Action.self, forKey: .action),
            name: try container.decode(String.self, forKey: .name),
            id: try container.decodeIfPresent(String.self, forKey: .id),
            oldPath: try container.decodeIfPresent(String.self, forKey: .oldPath),
            newPath: try container.decodeIfPresent(String.self, forKey: .newPath),
            isMoved: try container.decode(Bool.self, forKey: .isMoved),
            changes: try container.decode([StreamPlan.Change].self, forKey: .changes),
            reason: try container.decodeIfPresent(String.self, forKey: .reason),
            notes: (try container.decodeIfPresent([String].self, forKey: .notes) ?? []).compactMap(StreamPlan.Note.init)
        )
    }
}
