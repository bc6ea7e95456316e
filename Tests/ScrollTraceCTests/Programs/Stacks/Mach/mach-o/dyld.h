#ifndef STAND_IN_DYLD_H
#define STAND_IN_DYLD_H

#include <stdint.h>

struct mach_header;

uint32_t _dyld_image_count(void);
const struct mach_header *_dyld_get_image_header(uint32_t index);
intptr_t _dyld_get_image_vmaddr_slide(uint32_t index);
const char *_dyld_get_image_name(uint32_t index);

#endif
