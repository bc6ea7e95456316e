"""Records every kind of event through the module: bindings.py TRACE"""
import asyncio
import os
import sys
import threading

import scrolltrace
from scrolltrace import CELL, DATA, IMAGE, Recorder

trace = sys.argv[1]

# What cannot be opened is an OSError with its number, and an off recorder needs nothing.
try:
    Recorder(os.path.join(trace, "absent"))
except scrolltrace.RecordingError as error:
    assert isinstance(error, OSError) and "cannot create" in str(error), error
else:
    raise AssertionError("a file was created in a file")
with Recorder.off() as off, off.frame() as frame, frame.phase("layout"), off.span("x"):
    assert frame.id is None and not off.enabled and off.losses == (0, 0, 0, 0)

with Recorder(trace, clock="monotonic") as recorder:
    recorder.name_thread("the main one")
    recorder.state("screen", "Feed")

    @recorder.traced
    def sort(items):
        return sorted(items)

    @recorder.traced("load page", DATA)
    async def load(page, fails=False):
        await asyncio.sleep(0.005)
        if fails:
            raise ValueError(page)
        await asyncio.sleep(0.005)
        return page

    with recorder.interaction("drag"):
        start = recorder.now()
        timing = dict(deadline=start + 8_000_000, target=start + 16_000_000, interval=8_000_000)
        with recorder.frame(begin=start, **timing) as frame:
            with frame.phase("layout"):
                with recorder.cell("configure", item=7, position=3, list="feed", reused=False):
                    with recorder.span("decode", IMAGE, item=7):
                        assert sort([2, 1]) == [1, 2]
        frame.presented(start + 24_000_000)
        # An exception ends what it leaves.
        try:
            with recorder.frame(), recorder.span("fails", CELL):
                raise KeyError
        except KeyError:
            pass
    recorder.mark("tapped", item=0)
    recorder.image("placeholder", item=7, view=1)
    recorder.counter("cache", -5)
    recorder.counter("offset", 0.5)
    recorder.state("screen", None)
    recorder.record("after the fact", "scrolltrace.waiting", start, start + 1000)

    async def tasks():
        assert await asyncio.gather(load(1), load(2)) == [1, 2]
        try:
            await load(3, fails=True)
        except ValueError:
            pass
        task = asyncio.create_task(load(4))
        await asyncio.sleep(0.001)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            pass

    asyncio.run(tasks())

    def work():
        recorder.name_thread("worker")
        with recorder.span("decode", IMAGE, item=8):
            pass

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    recorder.enabled = False
    with recorder.span("while off"):
        pass
    assert recorder.losses == (0, 0, 0, 0), recorder.losses
