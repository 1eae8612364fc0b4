import WeirPackets

/// The list of network interfaces.
package enum InterfacePage {
    /// An interface.
    package struct Row: Sendable {
        /// The name.
        package var name: String
        /// The description from the operating system.
        package var explanation: String?
        /// The addresses.
        package var addresses: [IPAddress]
        /// The name of its link type, if known.
        package var linkType: String?
        /// Whether it is up.
        package var isUp: Bool
        /// Whether it has a carrier.
        package var isRunning: Bool
        /// Whether it is the loopback interface.
        package var isLoopback: Bool
        /// Whether this process may capture on it: `granted`, `denied` or `unknown`.
        package var permission: String

        /// Creates a row.
        package init(
            name: String, explanation: String?, addresses: [IPAddress], linkType: String?, isUp: Bool, isRunning: Bool,
            isLoopback: Bool, permission: String
        ) {
            self.name = name
            self.explanation = explanation
            self.addresses = addresses
            self.linkType = linkType
            self.isUp = isUp
            self.isRunning = isRunning
            self.isLoopback = isLoopback
            self.permission = permission
        }

        fileprivate var state: String {
            guard isUp else { return "down" }
            return "up" + (isRunning ? "" : ", no carrier") + (isLoopback ? ", loopback" : "")
        }
    }

    /// Returns a table with a row for each interface.
    package static func text(_ interfaces: [Row]) -> String {
        var rows = [["NAME", "STATE", "CAPTURE", "LINK TYPE", "ADDRESSES"]]
        for interface in interfaces {
            let words = ["granted": "yes", "denied": "no permission"]
            let addresses = interface.addresses.map(\.description).joined(separator: ", ")
            rows.append([
                Printable.clean(interface.name), interface.state, words[interface.permission] ?? "unknown",
                interface.linkType ?? "unknown",
                addresses.isEmpty ? Printable.clean(interface.explanation ?? "") : addresses,
            ])
        }
        let widths = (0..<4).map { column in rows.map { TextLayout.width($0[column]) }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { TextLayout.left($0, $1 + 2) }.joined() + row[4] + "\n"
        }.joined()
    }

    /// Returns a JSON array with an object for each interface; members as in `Row`, without unknown values.
    package static func json(_ interfaces: [Row]) -> String {
        var json = JSONWriter()
        json.beginArray()
        for interface in interfaces {
            json.beginObject()
            json.key("name")
            json.string(interface.name)
            if let explanation = interface.explanation {
                json.key("description")
                json.string(explanation)
            }
            json.key("addresses")
            json.beginArray()
            for address in interface.addresses { json.address(address) }
            json.endArray()
            if let linkType = interface.linkType {
                json.key("linkType")
                json.string(linkType)
            }
            for (name, value) in [
                ("up", interface.isUp), ("running", interface.isRunning), ("loopback", interface.isLoopback),
            ] {
                json.key(name)
                json.bool(value)
            }
            if interface.permission != "unknown" {
                json.key("mayCapture")
                json.bool(interface.permission == "granted")
            }
            json.endObject()
        }
        json.endArray()
        json.newline()
        return String(decoding: json.octets, as: UTF8.self)
    }
}
