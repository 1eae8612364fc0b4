import WeirEngine

/// The list of dissectors as text.
package enum DissectorPage {
    /// Returns a table with a row for each dissector.
    package static func list(_ dissectors: [DissectorDescriptor]) -> String {
        var rows = [["NAME", "CARRIERS", "PORTS", "RECOGNISED BY"]]
        for dissector in dissectors {
            rows.append([
                dissector.name, dissector.carriers.map(\.rawValue).joined(separator: ", "),
                dissector.ports.isEmpty ? "any" : dissector.ports.map { String($0) }.joined(separator: ", "),
                dissector.recognition,
            ])
        }
        let widths = (0..<3).map { column in rows.map { TextLayout.width($0[column]) }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { TextLayout.left($0, $1 + 2) }.joined() + row[3] + "\n"
        }.joined()
    }
}
