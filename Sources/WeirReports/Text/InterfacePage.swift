import WeirPackets

/// The interfaces that can be captured on.
package enum InterfacePage {
    /// An interface.
    package struct Row: Sendable {
        /// Its name.
        package var name: String
        /// What the system says it is.
        package var explanation: String?
        /// Its addresses.
        package var addresses: [IPAddress]
        /// Name of its link type, if known.
        package var linkType: String?
        /// Whether it is up.
        package var isUp: Bool
        /// Whether it has a carrier.
        package var isRunning: Bool
        /// Whether it is the host's way to itself.
        package var isLoopback: Bool
        /// Whether this program may capture on it: `granted`, `denied` or `unknown`.
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

    /// A line for each interface, under a heading.
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

    /// An array with an object for each interface; members as in `Row`, what is not known is left out.
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
