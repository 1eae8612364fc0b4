import ArgumentParser
import WeirReports

/// How much of the timeline the text shows.
struct TimelineOptions: ParsableArguments {
    @Flag(help: "Show the overview alone: sessions with their outcomes, streams, findings by rule.")
    var overview = false

    @Flag(help: "Show the timelines of all sessions, with every step.")
    var timeline = false

    @Flag(help: "Show known habits of programs one by one.")
    var habits = false

    func validate() throws {
        guard !(overview && timeline) else {
            throw ValidationError(plain: "--overview shows no timeline: leave it or --timeline out.")
        }
    }

    /// The page with what these options ask for.
    ///
    /// - Parameter packets: whether every packet is a step, which all are to be shown then.
    func applied(to page: TextReport.Page, packets: Bool) -> TextReport.Page {
        var page = page
        page.extent = overview ? .overview : timeline || packets ? .whole : .condensed
        page.showsHabits = habits
        return page
    }
}
