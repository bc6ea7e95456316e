#!/usr/bin/env python3
"""A feed that scrolls in front of a made-up display, recorded from Python.

    pip install Sources/CScrollTrace/Bindings
    python3 feed.py feed.fxt && scrolltrace analyze feed.fxt

The pictures of five rows are decoded on the main thread, one of them for far too long, while a task of
asyncio loads the pages of the list.
"""
import asyncio
import sys
import time

from scrolltrace import DATA, IMAGE, Recorder

REFRESH = 16_666_667
EXPENSIVE_ROW = 17


def spend(milliseconds):
    """Stand for work."""
    end = time.monotonic() + milliseconds / 1000
    while time.monotonic() < end:
        pass


async def scroll(recorder):
    @recorder.traced("load page", DATA)
    async def load(page):
        await asyncio.sleep(0.05)  # the server's time, which is nobody's work
        spend(0.5)  # parsing

    vsync = recorder.now()
    for row in range(40):
        if row % 10 == 0:
            page = asyncio.create_task(load(row // 10))
        timing = dict(begin=vsync, deadline=vsync + REFRESH, target=vsync + 2 * REFRESH)
        with recorder.frame(**timing, interval=REFRESH) as frame:
            with frame.phase("layout"), recorder.cell("configure", item=row, position=row):
                if row % 8 == 1:
                    with recorder.span("decode", IMAGE, item=row):
                        spend(40 if row == EXPENSIVE_ROW else 2)
            recorder.counter("scroll offset", row * 40)

        # The display takes what is ready at its next refresh, and shows it one later.
        ready = recorder.now()
        while vsync < ready:
            vsync += REFRESH
        frame.presented(vsync + REFRESH)
        await asyncio.sleep(max(0, vsync - recorder.now()) / 1e9)
    await page


with Recorder(sys.argv[1] if len(sys.argv) > 1 else "feed.fxt", replace=True) as recorder:
    recorder.state("screen", "Feed")
    with recorder.interaction("drag"):
        asyncio.run(scroll(recorder))
