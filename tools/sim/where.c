/* The plugin's own rule (analysis/access/location.c), so that a row of --stats and a row of coalda-report name an access alike. */
#include "where.h"

#include "analysis/access/access.h"

Where where_read(Arena *arena, LLVMValueRef inst)
{
    Kernel kernel = {.arena = arena};
    Scope scope = {.kernel = &kernel};
    Location location = location_of(&scope, inst);
    return (Where){location.file ? location.file : "", location.line, location.column, location_is_users(&location)};
}
