import ArgumentParser
import WeirReports

/// The options for the extent of the text timeline.
struct TimelineOptions: ParsableArguments {
    @Flag(help: "Show only the overview: sessions with their outcomes, streams, findings by rule.")
    var overview = false

    @Flag(help: "Show the timelines of all sessions, with every step.")
    var timeline = false

    @Flag(help: "List known habits of programs individually.")
    var habits = false

    func validate() throws {
        guard !(overview && timeline) else {
            throw ValidationError(plain: "--overview and --timeline exclude each other.")
        }
    }

    /// Returns the page with these options applied.
    ///
    /// - Parameter packets: Whether every packet is a step; all of them are shown then.
    func applied(to page: TextReport.Page, packets: Bool) -> TextReport.Page {
        var page = page
        page.extent = overview ? .overview : timeline || packets ? .whole : .condensed
        page.showsHabits = habits
        return page
    }
}
