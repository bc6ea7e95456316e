// A feed that scrolls in front of a made-up display, recorded from C++.
//
//   c++ -std=c++17 feed.cpp $(pkg-config --cflags --libs scrolltrace) -o feed && ./feed feed.fxt
//   scrolltrace analyze feed.fxt

#include <scrolltrace.hpp>

#include <iostream>

namespace {

constexpr std::int64_t refresh = 16666667;
constexpr std::uint64_t expensive_item = 1017;

// Stands for work, and for the display.
void spend_until(const scrolltrace::recorder &recorder, std::int64_t time) {
  while (recorder.now() < time) {
  }
}

void show_row(const scrolltrace::recorder &recorder, std::int64_t row) {
  const auto item = static_cast<std::uint64_t>(1000 + row);
  auto bind = recorder.begin_cell(SCROLLTRACE_CELL_CONFIGURE, item);
  bind.details.position = row;
  bind.details.list = SCROLLTRACE_NAME("feed");
  spend_until(recorder, recorder.now() + (item == expensive_item ? 40000000 : 1000000));
}

void scroll(const scrolltrace::recorder &recorder) {
  const auto drag = recorder.begin_interaction(SCROLLTRACE_INTERACTION_DRAG);
  std::int64_t vsync = recorder.now();
  for (std::int64_t row = 0; row < 40; row++) {
    std::uint64_t id;
    {
      auto frame = recorder.begin_frame({vsync, vsync + refresh, vsync + 2 * refresh, refresh});
      auto phase = frame.begin_phase(SCROLLTRACE_PHASE_LAYOUT);
      show_row(recorder, row);
      phase.next(SCROLLTRACE_PHASE_COMMIT);
      recorder.counter(SCROLLTRACE_NAME("scroll offset"), row * 40);
      id = frame.id();
    }
    const std::int64_t ready = recorder.now();
    while (vsync < ready) vsync += refresh;
    recorder.presented(id, vsync + refresh);
    spend_until(recorder, vsync);
  }
}

}  // namespace

int main(int argc, char **argv) {
  try {
    auto options = scrolltrace::default_options();
    options.replaces_existing_file = true;
    scrolltrace::recorder recorder(argc > 1 ? argv[1] : "feed.fxt", options);
    recorder.set_state(SCROLLTRACE_NAME("screen"), SCROLLTRACE_NAME("Feed"));
    scroll(recorder);
    recorder.finish();
  } catch (const scrolltrace::error &error) {
    std::cerr << "feed: " << error.what() << "\n";
    return 1;
  }
}
