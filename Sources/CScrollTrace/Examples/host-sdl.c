// A list that SDL draws scrolls for two seconds and prints the start of each frame: host-sdl TRACE
//
//   cc host-sdl.c $(pkg-config --cflags --libs sdl2 scrolltrace) -o host-sdl
#include <SDL.h>
#include <scrolltrace.h>
#include <inttypes.h>
#include <stdio.h>

static const int row_height = 40, frames = 120, expensive_row = 50;
static const int64_t interval = 16666667;  // SDL_GetCurrentDisplayMode reports that of a display

static void draw_row(SDL_Renderer *renderer, scrolltrace_recorder *recorder, int row, int top) {
  scrolltrace_span span = scrolltrace_span_begin(recorder, SCROLLTRACE_CELL_CONFIGURE,
                                                 SCROLLTRACE_CATEGORY_CELL, (uint64_t)row);
  static bool is_made;  // the content of this row takes long, once
  const int64_t end = scrolltrace_now(recorder) + (row == expensive_row && !is_made ? 60000000 : 0);
  while (scrolltrace_now(recorder) < end) {}
  is_made |= row == expensive_row;
  SDL_Rect rect = {10, top, 380, row_height - 4};
  SDL_SetRenderDrawColor(renderer, (Uint8)(row * 40), 90, 160, 255);
  SDL_RenderFillRect(renderer, &rect);
  scrolltrace_span_end(&span);
}

int main(int argc, char **argv) {
  scrolltrace_recorder *recorder = NULL;
  if (argc < 2 || scrolltrace_open(argv[1], NULL, &recorder, NULL) != SCROLLTRACE_OK) return 1;
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
  SDL_Window *window = SDL_CreateWindow("Feed", 0, 0, 400, 600, 0);
  SDL_Renderer *renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
  scrolltrace_interaction drag
      = scrolltrace_interaction_begin(recorder, SCROLLTRACE_INTERACTION_DRAG, NULL);
  int64_t next = scrolltrace_now(recorder);
  for (int number = 0; number < frames; number++) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) {}
    // With SDL_RENDERER_PRESENTVSYNC, SDL_RenderPresent waits; without, the loop does.
    while (scrolltrace_now(recorder) < next) SDL_Delay(1);
    scrolltrace_tick tick = {.begin = scrolltrace_now(recorder), .interval = interval};
    scrolltrace_frame frame = scrolltrace_frame_begin(recorder, NULL, SCROLLTRACE_NO_ID, &tick);
    scrolltrace_span phase = scrolltrace_phase_first(&frame, SCROLLTRACE_PHASE_DRAW);
    const int offset = number * 20;
    SDL_SetRenderDrawColor(renderer, 255, 255, 255, 255);
    SDL_RenderClear(renderer);
    for (int row = offset / row_height; row * row_height < offset + 600; row++)
      draw_row(renderer, recorder, row, row * row_height - offset);
    scrolltrace_phase_next(&frame, &phase, SCROLLTRACE_NAME("present"));
    SDL_RenderPresent(renderer);
    scrolltrace_frame_end_after(&frame, &phase);
    printf("%d %" PRId64 "\n", (int)frame.id, tick.begin / 1000);
    // The next frame begins at a refresh, after as many as this one took.
    while (next <= scrolltrace_now(recorder)) next += interval;
  }
  scrolltrace_interaction_end(&drag);
  SDL_Quit();
  return scrolltrace_finish(recorder, NULL) != SCROLLTRACE_OK;
}
