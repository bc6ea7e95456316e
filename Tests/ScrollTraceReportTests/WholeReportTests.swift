import ScrollTraceAnalysis
import Testing

@testable import ScrollTraceReport

/// Whole reports as people see them.
@Suite struct WholeReportTests {
  private let analysis = FeedTrace(
    frames: 48, slow: [20: 24_000_000, 36: 184_000_000], isHurt: true
  ).analysis()

  @Test func `a report in ASCII, 120 columns wide`() {
    #expect(
      Renders.text(analysis, width: 120, tier: .ascii) == """
        feed.fxt, fxt, 1.2 MB, 1.02 s                                                                          scrolltrace 0.1.0
        APP ENDED  while io/decodeImage (7) ran
        CRITICAL  200 ms/s of hitch time (good: below 5)
        2 frames came late while scrolling; the worst held the picture for 183 ms. Data was lost.
        feed: 48 of 48 frames evaluated against target times (tolerance 0.83 ms); 60 Hz (16.67 ms)
        While scrolling, the screen kept an old picture for 200.0 ms of 983.3 ms; 47 new pictures

        Hitch time by cause (200.0 ms)
          hitch time  share  hitches  items  cause
            150.0 ms  75.0%        2      2  image/decodeImage
             50.0 ms  25.0%        2         phase/layout

        Findings
          1  images are decoded on the main thread ('decodeImage')
             'decodeImage' took 156.0 ms in 2 late frames; 200.0 ms of hitch time; worst in frame 36
             Fix: Decode images in the background, at the displayed size, and keep them in a size-limited cache. Saves up to
                  166.7 ms of 200.0 ms.
             See: scrolltrace analyze feed.fxt --frame 36
          Predict the effect: scrolltrace predict feed.fxt

        Hitches, the worst first
               at  frame  hitch time  refreshes  kind    severity
          0.650 s     36    183.3 ms         11  commit  high
        |       75.0% image/decodeImage (36), 25.0% phase/layout
          0.367 s     20     16.7 ms          1  commit  low
        |       75.0% image/decodeImage (20), 25.0% phase/layout

        Main thread per frame
        Tallest frame per column. Dashed line: time available. Others: work of other threads, full height = one busy thread.
               +                                                                    ^^^^^^^^^^^^^^^^^^^^^ 184 ms
         67 ms +                                                                    #####################
         50 ms +                                                                    #####################
         33 ms +                                    ....                            #####################
         17 ms +------------------------------------####----------------------------#####################---------------- budget
               + ..........   ...... ......  ..   ..####.........  .........  ....  #####################.....   ..  .. ....
               + |||||||||||||||||||||||||||||||||||####||||||||||||||||||||||||||| #####################|||||||||||||||||||||
          late                                         D                                                D  D = image/decodeImage
        others + |   ..    .    ..   ...   ..   ..      ..    .    ..    |    ..    .....................     .    ..   ..
                + drag -----------------------------++ fling -----------------------------------------------------------------+
                0.0 s                 0.2 s                 0.4 s                 0.6 s                 0.8 s

        Deadline utilization
          0-50%              14  ######
          50-75%             32  ###############
          75-100%             0
          1 refresh late      1  #
          2 refreshes late    0
          3+ refreshes late   1  #

        Frames
          deadlines    2 of 48 missed
          presented    48 frames
          refreshes    12 missed by hitches
          lateness     1 x 1 refresh, 1 x 8-15 refreshes
          stalls       2, longest 138.0 ms in one span
          commit       p50 9.01 ms, p90 11.2 ms, p95 11.4 ms, p99 108.8 ms, max 184.0 ms
          overrun      p50 -7.65 ms, p90 -5.47 ms, p95 -5.23 ms, p99 92.1 ms, max 167.3 ms (negative = before the deadline)
          spare time   5.23 ms or more in 95% of frames, 352.7 ms idle between commits and deadlines in all

        Work in 1.00 s of interaction, wall time
          main 621.9 ms, background 86.2 ms, main share 87.8%, parallelism 1.14, no background work while frames were late
          track             busy  utilization  by category
          main (main)   621.9 ms        62.2%  cell 310.5 ms, image 156.0 ms, phase 155.5 ms
          image-worker   86.2 ms         8.6%  image 86.2 ms

        Interactions
          interaction           start  duration        ratio  rating     hitches  hitch time  main share
          drag                0.000 s  333.3 ms    0.00 ms/s  uncertain        0        0 ms       81.2%
          deceleration fling  0.333 s  666.7 ms  300.00 ms/s  uncertain        2    200.0 ms       90.7%

        Other processes
          process                     busy  busy tracks
          compositor decodeImage  100.0 ms            1

        Open spans at the end of the recording
            start  track  work
          1.000 s  main   io/decodeImage (7)

        About the trace
          lost: checksum mismatch (2, first at byte 4096)
          note: not finished: the app ended unexpectedly or is still running
          note: the source says: decodeImage
          note: 1 span never ended; busy times exclude it

        Good < 5, critical >= 10 ms/s of hitch time (Apple 2020, scrolling).
          Next: scrolltrace analyze feed.fxt --frame 36

        """)
  }
}
