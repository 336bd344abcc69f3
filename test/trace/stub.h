/* What the script says happens: kernels run, and the driver copies. */
#ifndef COALDA_STUB_H
#define COALDA_STUB_H

#include "cupti_calls.h"

/* It is recorded, if that is enabled. */
void stub_launch(const KernelRecord *record);
/* That call launches the kernel, or fails. */
void stub_run(uint32_t call, const void *parameters, KernelRecord *record, int result);
/* The call returns: whoever watches it is told. */
void stub_return(uint32_t call, const void *parameters, int result);
/* Bytes that a stream will have copied once it is waited for. */
void stub_copy_later(void *to, const void *from, size_t bytes);
/* A kernel with such parameters is about to be launched by that call. */
void stub_call(uint32_t call, const void *parameters, const char *kernel, const size_t *sizes, size_t count);
void stub_capture(int status);
/* Until recording is being switched off. */
void stub_wait_for_switch(void);
/* Addresses up to 1 MB from there are the device's. */
void stub_device(const void *begin);

#endif
