// ScrollTrace for hosts in C++17: the C interface with owners that end what they began.
//
//   scrolltrace::recorder recorder("run.fxt");            // throws scrolltrace::error
//   auto drag = recorder.begin_interaction(SCROLLTRACE_INTERACTION_DRAG);
//   while (next_refresh(&tick)) {
//     auto frame = recorder.begin_frame(tick);
//     auto phase = frame.begin_phase(SCROLLTRACE_PHASE_LAYOUT);
//     {
//       auto bind = recorder.begin_cell(SCROLLTRACE_CELL_CONFIGURE, item);
//       show(item);
//     }                                                    // ends here, also after an exception
//     phase.next(SCROLLTRACE_PHASE_COMMIT);
//     commit();
//   }                                                      // the phase ends, then the frame
//   recorder.finish();                                     // throws if the file is gone
//
// An owner can be moved, not copied. It belongs to the thread that began it. A span that outlives its
// recorder stays open in the file. Nothing here allocates, except errors. See scrolltrace.h for each
// call.

#ifndef SCROLLTRACE_HPP
#define SCROLLTRACE_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "scrolltrace.h"

namespace scrolltrace {

using name = scrolltrace_name;
using options = scrolltrace_options;
using tick = scrolltrace_tick;
using cell = scrolltrace_cell;
using snapshot = scrolltrace_snapshot;
using losses = scrolltrace_losses;

inline namespace literals {
// The name of a literal, as a constant: constexpr auto blur = "blur"_name;
constexpr name operator""_name(const char *text, std::size_t length) noexcept {
  return name{text, length};
}
}  // namespace literals

// Returns the defaults, to change before a recorder is created.
inline options default_options() noexcept { return SCROLLTRACE_OPTIONS_INIT; }

// A failure to open, finish or dump a recording.
class error : public std::runtime_error {
 public:
  explicit error(const scrolltrace_error &details)
      : std::runtime_error(details.message),
        code(static_cast<scrolltrace_result>(details.code)),
        system_error(details.system_error) {}

  const scrolltrace_result code;
  const int system_error;  // errno, or 0 if the system reported none
};

// A part of a recording that ends with its scope. `Value` is the C structure, and `End` the function
// that ends it. Ending a moved or ended part has no effect.
template <typename Value, void (*End)(Value *)>
class scoped {
 public:
  scoped() noexcept = default;
  explicit scoped(const Value &value) noexcept : value_(value) {}
  scoped(scoped &&other) noexcept : value_(std::exchange(other.value_, Value{})) {}
  scoped &operator=(scoped &&other) noexcept {
    if (this != &other) {
      End(&value_);
      value_ = std::exchange(other.value_, Value{});
    }
    return *this;
  }
  scoped(const scoped &) = delete;
  scoped &operator=(const scoped &) = delete;
  ~scoped() { End(&value_); }

  // Ends the part before its scope does.
  void end() noexcept { End(&value_); }

 protected:
  Value value_{};
};

// An open span.
using span = scoped<scrolltrace_span, scrolltrace_span_end>;
// An open interaction.
using interaction = scoped<scrolltrace_interaction, scrolltrace_interaction_end>;

// A step in preparing a cell. Set `details` before it ends.
class cell_span : public span {
 public:
  using span::span;
  cell_span(cell_span &&) noexcept = default;
  ~cell_span() { end(); }
  void end() noexcept { scrolltrace_span_end_cell(&value_, &details); }

  cell details = SCROLLTRACE_CELL_INIT;
};

// Work on an image. Set the view and the size if they are known.
class image_span : public span {
 public:
  using span::span;
  image_span(image_span &&) noexcept = default;
  ~image_span() { end(); }
  void end() noexcept { scrolltrace_span_end_image(&value_, view, bytes); }

  std::uint64_t view = SCROLLTRACE_NO_ID;
  std::uint64_t bytes = SCROLLTRACE_NO_ID;
};

// A phase of a commit. It must not outlive its frame.
class phase : public span {
 public:
  phase(const scrolltrace_frame &owner, name label) noexcept
      : span(scrolltrace_phase_begin(&owner, label)), frame_(&owner) {}

  // Ends this phase and begins the next, reading the clock once.
  void next(name label) noexcept { scrolltrace_phase_next(frame_, &value_, label); }

 private:
  const scrolltrace_frame *frame_;
};

// A frame that is being committed. It stays where it is, because its phases refer to it.
class frame {
 public:
  explicit frame(const scrolltrace_frame &value) noexcept : value_(value) {}
  frame(const frame &) = delete;
  frame &operator=(const frame &) = delete;
  ~frame() { end(); }

  // Its number on its surface, also after its end; SCROLLTRACE_NO_ID if it is not recorded.
  std::uint64_t id() const noexcept { return value_.id; }
  [[nodiscard]] phase begin_phase(name label) const noexcept { return phase(value_, label); }
  // Ends the commit.
  void end() noexcept { scrolltrace_frame_end(&value_); }

 private:
  scrolltrace_frame value_;
};

// A recording, which ends with its owner.
class recorder {
 public:
  // A recorder that records nothing.
  recorder() noexcept = default;
  // Starts a recording in a new file.
  explicit recorder(const std::string &path, const options &settings = default_options()) {
    scrolltrace_error details;
    if (scrolltrace_open(path.c_str(), &settings, &value_, &details) != SCROLLTRACE_OK)
      throw error(details);
  }
  // Starts a recording, or returns a recorder that records nothing.
  [[nodiscard]] static recorder open_or_off(const std::string &path,
                                            const options &settings = default_options()) noexcept {
    recorder result;
    scrolltrace_open(path.c_str(), &settings, &result.value_, nullptr);
    return result;
  }
  recorder(recorder &&other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  recorder &operator=(recorder &&other) noexcept {
    if (this != &other) {
      scrolltrace_finish(value_, nullptr);
      value_ = std::exchange(other.value_, nullptr);
    }
    return *this;
  }
  recorder(const recorder &) = delete;
  recorder &operator=(const recorder &) = delete;
  ~recorder() { scrolltrace_finish(value_, nullptr); }

  // The recorder for other calls of scrolltrace.h.
  scrolltrace_recorder *get() const noexcept { return value_; }

  // Ends the recording. A second call has no effect.
  void finish() {
    scrolltrace_error details;
    if (value_ != nullptr && scrolltrace_finish(value_, &details) != SCROLLTRACE_OK)
      throw error(details);
  }
  // Writes the current content to a new file.
  void dump(const std::string &path) const {
    scrolltrace_error details;
    if (value_ != nullptr && scrolltrace_dump(value_, path.c_str(), &details) != SCROLLTRACE_OK)
      throw error(details);
  }
  void set_enabled(bool enabled) const noexcept { scrolltrace_set_enabled(value_, enabled); }
  bool is_enabled() const noexcept { return scrolltrace_is_enabled(value_); }
  std::int64_t now() const noexcept { return scrolltrace_now(value_); }
  losses get_losses() const noexcept {
    losses result{};
    result.struct_size = sizeof result;
    scrolltrace_get_losses(value_, &result);
    return result;
  }
  // Returns a name for a text known only at run time. Keep it: this takes a lock.
  name register_name(std::string_view text) const noexcept {
    return scrolltrace_register_name(value_, text.data(), text.size());
  }

  [[nodiscard]] frame begin_frame(const tick &timing, scrolltrace_surface *surface = nullptr,
                                  std::uint64_t id = SCROLLTRACE_NO_ID) const noexcept {
    return frame(scrolltrace_frame_begin(value_, surface, id, &timing));
  }
  // Records when the display presented a frame.
  void presented(std::uint64_t id, std::int64_t time,
                 scrolltrace_surface *surface = nullptr) const noexcept {
    scrolltrace_presented(value_, surface, id, time);
  }
  [[nodiscard]] interaction begin_interaction(
      name kind, scrolltrace_surface *surface = nullptr) const noexcept {
    return interaction(scrolltrace_interaction_begin(value_, kind, surface));
  }
  [[nodiscard]] span begin_span(name label, name category = SCROLLTRACE_CATEGORY_WORK,
                                std::uint64_t item = SCROLLTRACE_NO_ID) const noexcept {
    return span(scrolltrace_span_begin(value_, label, category, item));
  }
  [[nodiscard]] cell_span begin_cell(name step, std::uint64_t item) const noexcept {
    return cell_span(scrolltrace_span_begin(value_, step, SCROLLTRACE_CATEGORY_CELL, item));
  }
  [[nodiscard]] image_span begin_image(name work, std::uint64_t item) const noexcept {
    return image_span(scrolltrace_span_begin(value_, work, SCROLLTRACE_CATEGORY_IMAGE, item));
  }
  void mark(name label, name category = SCROLLTRACE_CATEGORY_WORK,
            std::uint64_t item = SCROLLTRACE_NO_ID) const noexcept {
    scrolltrace_mark(value_, label, category, item);
  }
  void counter(name label, std::int64_t value) const noexcept {
    scrolltrace_counter(value_, label, value);
  }
  void counter(name label, int value) const noexcept {
    scrolltrace_counter(value_, label, value);
  }
  void counter(name label, double value) const noexcept {
    scrolltrace_counter_real(value_, label, value);
  }
  void set_state(name key, name value) const noexcept { scrolltrace_state_set(value_, key, value); }
  void clear_state(name key) const noexcept { scrolltrace_state_clear(value_, key); }

 private:
  scrolltrace_recorder *value_ = nullptr;
};

}  // namespace scrolltrace

#endif
