/// The plugins that define the rules of an analysis, and the protocols whose messages each rule observes.
struct RuleOwners {
    private let plugins: [any Plugin.Type]
    /// The lowercase names of the protocols of each plugin: its own, and those of its dissectors.
    private let protocols: [[String]]
    /// The index in `plugins` of the plugin of each rule, by rule position; -1 for a rule of none.
    private let places: [Int]

    /// Finds the plugins of `rules`.
    init(_ rules: [any Rule.Type], among plugins: [any Plugin.Type]) {
        self.plugins = plugins
        protocols = plugins.map { [$0.name] + $0.dissectors.map { $0.descriptor.name } }
        places = Self.inOrder(rules, plugins) ?? Self.inAnyOrder(rules, plugins)
    }

    /// Returns the places of rules that are in the order of the plugins, as usual; nil if they are not.
    private static func inOrder(_ rules: [any Rule.Type], _ plugins: [any Plugin.Type]) -> [Int]? {
        var places: [Int] = []
        places.reserveCapacity(rules.count)
        for (index, plugin) in plugins.enumerated() {
            for rule in plugin.rules where places.count < rules.count && rules[places.count] == rule {
                places.append(index)
            }
        }
        return places.count == rules.count ? places : nil
    }

    private static func inAnyOrder(_ rules: [any Rule.Type], _ plugins: [any Plugin.Type]) -> [Int] {
        var known: [ObjectIdentifier: Int] = [:]
        for (index, plugin) in plugins.enumerated() {
            for rule in plugin.rules { known[ObjectIdentifier(rule)] = index }
        }
        return rules.map { known[ObjectIdentifier($0)] ?? -1 }
    }

    /// Returns the name of the plugin of a rule: of none, the protocol in its id.
    func name(of position: Int, _ info: RuleInfo) -> String {
        places[position] >= 0 ? plugins[places[position]].name : info.protocolName
    }

    /// Returns the names of the protocols whose messages a rule observes.
    func observed(_ observes: [String], by position: Int, _ info: RuleInfo) -> [String] {
        guard observes.count == 1 else { return observes.count > 1 ? Set(observes).sorted() : observes }
        let place = places[position]
        // First its own plugin, since most rules observe that one's messages.
        guard place >= 0, !protocols[place].contains(observes[0]),
            !protocols.contains(where: { $0.contains(observes[0]) }), observes[0] == info.protocolName
        else { return observes }
        // The id may begin with a name other than a protocol's; the rule then observes its plugin's messages.
        return Set(protocols[place]).sorted()
    }
}
