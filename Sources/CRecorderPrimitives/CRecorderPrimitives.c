#include "CRecorderPrimitives.h"
