/* Rows from a file: device IR is analysed, remarks and reports are read back. */
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Remarks.h>
#include <string.h>

#include "pass/driver/run.h"
#include "pass/report/remark.h"
#include "pass/report/table.h"
#include "report.h"

/* LLVM's messages quote the file below their first line. */
static const char *first_line(Arena *arena, const char *text) { return arena_copy(arena, text, strcspn(text, "\n")); }

/* ---- IR ---- */

static void sink_rows(void *context, const Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Row row = row_of_access(kernel->found.accesses.item[i]);
        table_add(context, &row);
    }
    const List transfers = transfers_of(kernel);
    for (size_t i = 0; i < transfers.count; i++)
        table_add_transfer(context, transfers.item[i]);
}

/* Keeps the first error that LLVM reports instead of letting it end the process. */
typedef struct {
    Arena *arena;
    const char *error;
} Trouble;

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
    Trouble *trouble = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || trouble->error)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    trouble->error = arena_copy(trouble->arena, text, strlen(text));
    LLVMDisposeMessage(text);
}

static const char *read_module(LLVMMemoryBufferRef buffer, const Options *options, Table *table)
{
    LLVMContextRef context = LLVMContextCreate();
    Trouble trouble = {.arena = table->arena};
    LLVMModuleRef module = NULL;
    char *message = NULL;
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, &trouble);
    if (LLVMParseIRInContext(context, buffer, &module, &message)) { /* takes the buffer */
        const char *wrong = first_line(table->arena, message ? message : "unreadable");
        LLVMDisposeMessage(message);
        LLVMContextDispose(context);
        return trouble.error ? trouble.error : wrong;
    }
    if (!module_is_device(module)) {
        trouble.error = arena_text(table->arena, "this is code for '%s', not for nvptx: compile with --cuda-device-only",
                                   LLVMGetTarget(module));
    } else {
        IrModule *ir = ir_module_open();
        coalda_run(ir, module, options, false, sink_rows, table);
        ir_module_close(ir);
    }
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return trouble.error;
}

/* ---- remarks ---- */

static bool is_ours(LLVMRemarkEntryRef entry)
{
    LLVMRemarkStringRef pass = LLVMRemarkEntryGetPassName(entry);
    return LLVMRemarkStringGetLen(pass) == 6 && strncmp(LLVMRemarkStringGetData(pass), "coalda", 6) == 0;
}

static void row_of_remark(Arena *arena, LLVMRemarkEntryRef entry, Row *row)
{
    for (LLVMRemarkArgRef arg = LLVMRemarkEntryGetFirstArg(entry); arg; arg = LLVMRemarkEntryGetNextArg(arg, entry)) {
        LLVMRemarkStringRef key = LLVMRemarkArgGetKey(arg), value = LLVMRemarkArgGetValue(arg);
        RowField field = row_field_of_remark(LLVMRemarkStringGetData(key), LLVMRemarkStringGetLen(key));
        if (field == ROW_FIELDS)
            continue;
        const char *text = arena_copy(arena, LLVMRemarkStringGetData(value), LLVMRemarkStringGetLen(value));
        row->cell[field] = (Cell){.text = text, .is_number = json_is_number(text)};
    }
}

static bool is_transfer(LLVMRemarkEntryRef entry)
{
    static const char name[] = "Transfer";
    LLVMRemarkStringRef remark = LLVMRemarkEntryGetRemarkName(entry);
    return LLVMRemarkStringGetLen(remark) == sizeof name - 1 &&
           strncmp(LLVMRemarkStringGetData(remark), name, sizeof name - 1) == 0;
}

static void transfer_of_remark(LLVMRemarkEntryRef entry, Table *table)
{
    Transfer *transfer = transfer_new(table->arena);
    for (LLVMRemarkArgRef arg = LLVMRemarkEntryGetFirstArg(entry); arg; arg = LLVMRemarkEntryGetNextArg(arg, entry)) {
        LLVMRemarkStringRef key = LLVMRemarkArgGetKey(arg), value = LLVMRemarkArgGetValue(arg);
        TransferField field = transfer_field_of_remark(LLVMRemarkStringGetData(key), LLVMRemarkStringGetLen(key));
        if (field != TRANSFER_FIELDS)
            transfer->cell[field] = arena_copy(table->arena, LLVMRemarkStringGetData(value), LLVMRemarkStringGetLen(value));
    }
    list_add(&table->transfers, transfer);
}

/* Nothing is wrong with a file that tells of no access, unless it was to tell of some. */
static void note_no_access(const char *path)
{
    fprintf(stderr,
            "coalda-report: %s: no remark of coalda in this file: the module has no access to memory, or it was compiled "
            "without the plugin or without -fsave-optimization-record\n",
            path);
}

static const char *read_remarks(const char *path, LLVMMemoryBufferRef buffer, Table *table)
{
    size_t before = table->rows.count;
    const char *wrong = NULL;
    if (LLVMGetBufferSize(buffer) == 0) { /* as clang writes it where no pass has anything to say */
        note_no_access(path);
        return NULL;
    }
    LLVMRemarkParserRef parser = LLVMRemarkParserCreateYAML(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    for (LLVMRemarkEntryRef entry; (entry = LLVMRemarkParserGetNext(parser));) {
        Row row = {0};
        if (is_ours(entry) && is_transfer(entry))
            transfer_of_remark(entry, table);
        else if (is_ours(entry))
            row_of_remark(table->arena, entry, &row);
        if (row.cell[ROW_op].text)
            table_add(table, &row);
        LLVMRemarkEntryDispose(entry);
    }
    if (LLVMRemarkParserHasError(parser))
        wrong = arena_text(table->arena, "neither device IR nor remarks: %s",
                           first_line(table->arena, LLVMRemarkParserGetErrorMessage(parser)));
    else if (table->rows.count == before)
        note_no_access(path);
    LLVMRemarkParserDispose(parser);
    return wrong;
}

/* ---- file ---- */

static bool starts_with(LLVMMemoryBufferRef buffer, const char *text)
{
    size_t length = strlen(text);
    return LLVMGetBufferSize(buffer) >= length && memcmp(LLVMGetBufferStart(buffer), text, length) == 0;
}

/* Buffers end with a NUL. */
static const char *first_word(LLVMMemoryBufferRef buffer)
{
    const char *start = LLVMGetBufferStart(buffer);
    return start + strspn(start, " \t\r\n");
}

static bool ends_with(const char *path, const char *text)
{
    size_t length = strlen(path), tail = strlen(text);
    return length >= tail && strcmp(path + length - tail, text) == 0;
}

const char *report_read(const char *path, const Options *options, Table *table)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        const char *wrong = arena_copy(table->arena, message, strlen(message));
        LLVMDisposeMessage(message);
        return wrong;
    }
    if (*first_word(buffer) == '{' || ends_with(path, ".json")) {
        const char *wrong = report_read_json(LLVMGetBufferStart(buffer), table);
        table->has_report = true;
        LLVMDisposeMemoryBuffer(buffer);
        return wrong;
    }
    bool is_yaml = starts_with(buffer, "---") || ends_with(path, ".yaml") || ends_with(path, ".yml");
    if (!is_yaml)
        return read_module(buffer, options, table);
    const char *wrong = read_remarks(path, buffer, table);
    LLVMDisposeMemoryBuffer(buffer);
    return wrong;
}
