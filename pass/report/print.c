#include "pass/report/print.h"
#include "pass/report/remark.h"
#include "pass/report/table.h"

void kernel_print(void *context, const Kernel *kernel)
{
    (void)context;
    Table table = table_new(kernel->arena);
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Row row = row_of_access(kernel->found.accesses.item[i]);
        table_add(&table, &row);
    }
    table_finish(&table);
    Text out = text_new(kernel->arena);
    table_text(&table, &out);
    if (table.rows.count == 0)
        text_add(&out, "%s: no access to memory\n", name_said(kernel->arena, kernel->name));
    for (size_t i = 0; i < kernel->found.tiles.count; i++)
        text_add(&out, "  %s\n", tile_sentence(kernel->arena, kernel->found.tiles.item[i]));
    for (size_t i = 0; i < kernel->found.fills.count; i++)
        text_add(&out, "  %s\n", fill_sentence(kernel, kernel->found.fills.item[i]));
    ir_print(out.data);
}
