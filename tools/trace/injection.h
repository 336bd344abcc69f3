/* What the CUDA driver calls in the library that CUDA_INJECTION64_PATH names, when it is loaded. */
#ifndef COALDA_TRACE_INJECTION_H
#define COALDA_TRACE_INJECTION_H

int InitializeInjection(void) __attribute__((visibility("default")));

#endif
