/* coalda-fuzz FILE...: analyses each module and mutants of it in this process, which sanitizers watch.
 *
 *     coalda-fuzz [--mutants=N] [--first=N] FILE...   mutants of seeds first..first+N-1, or without N the file itself
 *     coalda-fuzz --seed=N FILE                       one mutant, without a child process: for a debugger
 *     coalda-fuzz --seed=N --emit FILE                prints the mutant as IR
 *     --json                                          prints the reports as JSON documents, one after the other
 *
 * Each file has a child process; one that dies names its seed, and another goes on after it. */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pass/driver/run.h"
#include "pass/profile/body_hash.h"
#include "pass/report/remark.h"
#include "pass/report/table.h"
#include "mutate.h"
#include "report.h"

/* Processor time of one mutant under sanitizers. Sound ones take milliseconds: this is for runs that never end. */
enum { MOST_SECONDS = 40 };
enum { STATUS_WRONG = 1, STATUS_UNREADABLE = 2 };

typedef struct {
    long first, mutants; /* mutants: 0 for the file as it is */
    bool one, emit, json;
} Schedule;

/* What the parent reads after a child died; the times find what is slow without being endless. */
typedef struct {
    long seed, done, refused;
    double slowest;
    long slowest_seed;
} Progress;

/* ---- one module ---- */

static void sink_rows(void *context, const Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        Row row = row_of_access(kernel->found.accesses.item[i]);
        table_add(context, &row);
    }
    for (size_t i = 0; i < kernel->found.tiles.count; i++)
        tile_sentence(kernel->arena, kernel->found.tiles.item[i]);
}

/* A copy has the hashes of its original. */
static void hash(LLVMModuleRef module)
{
    Arena *arena = arena_new();
    LLVMModuleRef copy = LLVMCloneModule(module);
    BodyHashes *hashes = body_hashes_open(arena), *again = body_hashes_open(arena);
    LLVMValueRef twin = LLVMGetFirstFunction(copy);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f), twin = LLVMGetNextFunction(twin))
        if (!LLVMIsDeclaration(f) && body_hash(hashes, f) != body_hash(again, twin))
            abort();
    LLVMDisposeModule(copy);
    arena_free(arena);
}

static void analyse(LLVMModuleRef module, KernelSink sink, Table *table)
{
    Options options = {0};
    IrModule *ir = ir_module_open();
    coalda_run(ir, module, &options, false, sink, table);
    ir_module_close(ir);
    hash(module);
}

/* By default, and every legal rewrite with its check; the rewritten module must be valid each time. */
static bool survives_rewriting(LLVMModuleRef module)
{
    static const Options choices[] = {{.check = true}, {.always = true, .verify = true, .check = true}};
    bool valid = true;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        LLVMModuleRef copy = LLVMCloneModule(module);
        IrModule *ir = ir_module_open();
        coalda_run(ir, copy, &choices[i], true, NULL, NULL);
        ir_module_close(ir);
        valid &= !LLVMVerifyModule(copy, LLVMReturnStatusAction, NULL);
        LLVMDisposeModule(copy);
    }
    return valid;
}

static void report(Table *table, bool json)
{
    Text text = text_new(table->arena);
    table_finish(table);
    table_text(table, &text);
    if (json)
        report_json(table, stdout);
}

static bool same_bytes(LLVMMemoryBufferRef a, LLVMMemoryBufferRef b)
{
    return LLVMGetBufferSize(a) == LLVMGetBufferSize(b) &&
           memcmp(LLVMGetBufferStart(a), LLVMGetBufferStart(b), LLVMGetBufferSize(a)) == 0;
}

/* Of another copy: what has been copied is written in another order than what has been read. */
static LLVMMemoryBufferRef bytes_of_copy(LLVMModuleRef module)
{
    LLVMModuleRef copy = LLVMCloneModule(module);
    LLVMMemoryBufferRef bytes = LLVMWriteBitcodeToMemoryBuffer(copy);
    LLVMDisposeModule(copy);
    return bytes;
}

/* NULL, or what the analysis did to the module, which it must leave as it was. */
static const char *check(LLVMModuleRef module, bool json)
{
    Arena *arena = arena_new();
    Table table = table_new(arena);
    LLVMModuleRef copy = LLVMCloneModule(module);
    analyse(module, sink_rows, &table);
    report(&table, json);
    /* Only now: kinds of metadata belong to the context, are written with each of its modules, and what the analysis tries out names some. */
    LLVMMemoryBufferRef before = bytes_of_copy(copy), after = bytes_of_copy(module);
    LLVMDisposeModule(copy);
    const char *wrong = same_bytes(before, after) ? NULL : "the analysis changed the module";
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, NULL))
        wrong = "the module is no longer valid";
    if (!wrong && !survives_rewriting(module))
        wrong = "the rewritten module is not valid";
    LLVMDisposeMemoryBuffer(before);
    LLVMDisposeMemoryBuffer(after);
    arena_free(arena);
    return wrong;
}

/* ---- one file ---- */

/* Remarks are built, and go nowhere. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) { (void)info, (void)context; }

static LLVMModuleRef module_read(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
        LLVMParseIRInContext(context, buffer, &module, &message)) {
        fprintf(stderr, "coalda-fuzz: %s: %s\n", path, message ? message : "unreadable");
        LLVMDisposeMessage(message);
    }
    return module;
}

static double seconds(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + (double)now.tv_usec * 1e-6;
}

/* The process is killed by SIGVTALRM when the time is used up. */
static void set_alarm(void) { setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value.tv_sec = MOST_SECONDS}, NULL); }

static int mutant_run(LLVMModuleRef original, const char *path, const Schedule *plan, Progress *progress)
{
    LLVMModuleRef module = LLVMCloneModule(original);
    const char *wrong = NULL;
    if (plan->mutants || plan->one)
        module_mutate(module, (uint64_t)progress->seed);
    /* the edits were checked by function; what only the module's verifier refuses is not analysed */
    bool valid = !LLVMVerifyModule(module, LLVMReturnStatusAction, NULL);
    double start = seconds();
    if (plan->emit)
        LLVMPrintModuleToFile(module, "/dev/stdout", NULL);
    else if (valid)
        wrong = check(module, plan->json);
    else if (plan->mutants == 0 && !plan->one)
        wrong = "not a valid module";
    if (seconds() - start > progress->slowest) {
        progress->slowest = seconds() - start;
        progress->slowest_seed = progress->seed;
    }
    if (wrong)
        fprintf(stderr, "%s: %s\n", path, wrong);
    progress->done += valid;
    progress->refused += !valid;
    LLVMDisposeModule(module);
    return wrong ? STATUS_WRONG : 0;
}

/* Seeds from progress->seed up to the last, in this process. */
static int file_run(const char *path, const Schedule *plan, Progress *progress)
{
    long end = plan->first + (plan->mutants ? plan->mutants : 1);
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, NULL);
    LLVMModuleRef module = module_read(context, path);
    int status = module ? 0 : STATUS_UNREADABLE;
    for (; status == 0 && progress->seed < end; progress->seed++) {
        set_alarm();
        status = mutant_run(module, path, plan, progress);
    }
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return status;
}

/* ---- children ---- */

static bool child_succeeds(const char *path, const Schedule *plan, Progress *progress)
{
    pid_t child = fork();
    if (child < 0)
        return false;
    if (child == 0)
        exit(file_run(path, plan, progress)); /* exit, not _exit: the leak check runs then */
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Number of seeds that failed. */
static int file_guarded(const char *path, const Schedule *plan, Progress *progress)
{
    int failed = 0;
    long end = plan->first + (plan->mutants ? plan->mutants : 1);
    for (progress->seed = plan->first; progress->seed < end; progress->seed++) {
        if (child_succeeds(path, plan, progress))
            break;
        failed++;
        if (progress->seed == end) /* at exit: leaks */
            fprintf(stderr, "FAILED when it ended: coalda-fuzz --mutants=%ld --first=%ld %s\n", plan->mutants, plan->first, path);
        else if (plan->mutants)
            fprintf(stderr, "FAILED: coalda-fuzz --seed=%ld %s\n", progress->seed, path);
        else
            fprintf(stderr, "FAILED: coalda-fuzz %s\n", path);
    }
    return failed;
}

static bool take(Schedule *plan, const char *argument)
{
    if (strncmp(argument, "--mutants=", 10) == 0)
        plan->mutants = atol(argument + 10);
    else if (strncmp(argument, "--first=", 8) == 0)
        plan->first = atol(argument + 8);
    else if (strncmp(argument, "--seed=", 7) == 0)
        plan->one = true, plan->first = atol(argument + 7);
    else if (strcmp(argument, "--emit") == 0)
        plan->emit = true;
    else if (strcmp(argument, "--json") == 0)
        plan->json = true;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    static const char *const flags[] = {"coalda-fuzz", "-pass-remarks-analysis=coalda"};
    Schedule plan = {0};
    Progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int failed = 0;
    if (progress == MAP_FAILED)
        return STATUS_UNREADABLE;
    LLVMParseCommandLineOptions(2, flags, NULL);
    for (int i = 1; i < argc; i++) {
        if (take(&plan, argv[i]))
            continue;
        progress->slowest = 0;
        progress->seed = plan.first;
        failed += plan.one ? file_run(argv[i], &plan, progress) != 0 : file_guarded(argv[i], &plan, progress);
        if (progress->slowest > 2)
            fprintf(stderr, "slow: %s, seed %ld: %.1f s\n", argv[i], progress->slowest_seed, progress->slowest);
    }
    if (!plan.emit)
        fprintf(stderr, "%ld modules analysed, %ld mutants refused by the verifier, %d failed\n", progress->done, progress->refused,
                failed);
    return failed ? STATUS_WRONG : 0;
}
