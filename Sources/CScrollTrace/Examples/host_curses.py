"""A list in a terminal that scrolls for two seconds and logs the start of each frame.

    python3 host_curses.py TRACE LOG
"""
import curses
import sys
import time

from scrolltrace import IMAGE, Recorder

INTERVAL = 33_333_333  # a terminal has no refresh; this list aims at 30 frames a second
FRAMES = 60
EXPENSIVE_ROW = 40


def draw_row(recorder, screen, line, row, made):
    with recorder.cell("configure", item=row, position=row):
        if row not in made:
            with recorder.span("render", IMAGE, item=row):
                time.sleep(0.12 if row == EXPENSIVE_ROW else 0.001)
            made.add(row)
        screen.addnstr(line, 0, f"Row {row} " + "." * (row % 30), curses.COLS - 1)


def scroll(screen, recorder, log):
    made = set()
    due = recorder.now()
    with recorder.interaction("drag"):
        for number in range(FRAMES):
            begin = recorder.now()
            with recorder.frame(begin=begin, interval=INTERVAL) as frame:
                with frame.phase("draw"):
                    screen.erase()
                    for line in range(min(20, curses.LINES)):
                        draw_row(recorder, screen, line, number + line, made)
                with frame.phase("present"):
                    screen.refresh()
            log.write(f"{frame.id} {begin // 1000}\n")
            while due <= recorder.now():
                due += INTERVAL
            time.sleep((due - recorder.now()) / 1e9)


with Recorder(sys.argv[1], replace=True) as recorder, open(sys.argv[2], "w") as log:
    curses.wrapper(scroll, recorder, log)
