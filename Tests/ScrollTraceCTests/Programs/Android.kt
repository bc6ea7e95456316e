// Of Android's classes no more than the guide names, so that its code can be compiled.

@file:Suppress("UNUSED_PARAMETER")

import java.io.File

class Handler

class FrameMetrics {
  fun getMetric(id: Int) = 0L

  companion object {
    const val INTENDED_VSYNC_TIMESTAMP = 10
    const val TOTAL_DURATION = 8
    const val DEADLINE = 13
  }
}

class Window {
  fun addOnFrameMetricsAvailableListener(
    listener: (Window, FrameMetrics, Int) -> Unit, handler: Handler
  ) = Unit
}

class Display(val refreshRate: Float)

class RecyclerView(val scrollState: Int) {
  open class OnScrollListener {
    open fun onScrollStateChanged(view: RecyclerView, state: Int) = Unit
  }

  fun addOnScrollListener(listener: OnScrollListener) = Unit
  fun invalidate() = Unit

  companion object {
    const val SCROLL_STATE_IDLE = 0
    const val SCROLL_STATE_DRAGGING = 1
    const val SCROLL_STATE_SETTLING = 2
  }
}

class Choreographer {
  interface FrameCallback {
    fun doFrame(time: Long)
  }

  fun postFrameCallback(callback: FrameCallback) = Unit

  companion object {
    fun getInstance() = Choreographer()
  }
}

class Adapter {
  fun getItemId(position: Int) = position.toLong()
}

class Row {
  fun show(position: Int) = Unit
}

val filesDir = File(".")
val window = Window()
val display = Display(60f)
val handler = Handler()
val list = RecyclerView(0)
val adapter = Adapter()
