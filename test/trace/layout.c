/* Is what tools/trace/cupti_calls.h declares what CUPTI and the driver declare? Nothing is linked of this. */
#include <cuda.h>
#include <cupti.h>

#include <stddef.h>
#include <stdint.h>

#include "tools/trace/cupti_calls.h"

#define SAME(Ours, our, Theirs, their) _Static_assert(offsetof(Ours, our) == offsetof(Theirs, their), #our)
#define EQUAL(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)

typedef CUpti_ActivityKernel10 Theirs;
SAME(KernelRecord, kind, Theirs, kind);
SAME(KernelRecord, start, Theirs, start);
SAME(KernelRecord, end, Theirs, end);
SAME(KernelRecord, gridX, Theirs, gridX);
SAME(KernelRecord, gridZ, Theirs, gridZ);
SAME(KernelRecord, blockX, Theirs, blockX);
SAME(KernelRecord, blockZ, Theirs, blockZ);
SAME(KernelRecord, dynamicSharedMemory, Theirs, dynamicSharedMemory);
SAME(KernelRecord, name, Theirs, name);
SAME(KernelRecord, correlationId, Theirs, correlationId);
SAME(KernelRecord, correlationId, CUpti_ActivityKernel4, correlationId);
SAME(KernelRecord, name, CUpti_ActivityKernel4, name);

SAME(CallData, callbackSite, CUpti_CallbackData, callbackSite);
SAME(CallData, functionParams, CUpti_CallbackData, functionParams);
SAME(CallData, functionReturnValue, CUpti_CallbackData, functionReturnValue);
SAME(CallData, symbolName, CUpti_CallbackData, symbolName);
SAME(CallData, correlationId, CUpti_CallbackData, correlationId);

SAME(LaunchCall, function, cuLaunchKernel_params, f);
SAME(LaunchCall, arguments, cuLaunchKernel_params, kernelParams);
SAME(LaunchCall, gridX, cuLaunchKernel_params, gridDimX);
SAME(LaunchCall, blockZ, cuLaunchKernel_params, blockDimZ);
SAME(LaunchCall, shared, cuLaunchKernel_params, sharedMemBytes);
SAME(LaunchCall, gridX, cuLaunchCooperativeKernel_params, gridDimX);
SAME(LaunchCall, shared, cuLaunchCooperativeKernel_params, sharedMemBytes);
SAME(LaunchConfig, gridX, CUlaunchConfig, gridDimX);
SAME(LaunchConfig, blockZ, CUlaunchConfig, blockDimZ);
SAME(LaunchConfig, shared, CUlaunchConfig, sharedMemBytes);
SAME(LaunchCallEx, config, cuLaunchKernelEx_params, config);
SAME(LaunchCall, function, cuLaunchCooperativeKernel_params, f);
SAME(LaunchCall, arguments, cuLaunchCooperativeKernel_params, kernelParams);
SAME(LaunchCallEx, function, cuLaunchKernelEx_params, f);
SAME(LaunchCallEx, arguments, cuLaunchKernelEx_params, kernelParams);

SAME(CopyCall, to, cuMemcpyDtoHAsync_v2_params, dstHost);
SAME(CopyCall, from, cuMemcpyDtoHAsync_v2_params, srcDevice);
SAME(CopyCall, bytes, cuMemcpyDtoH_v2_params, ByteCount);
SAME(CopyCall, stream, cuMemcpyDtoHAsync_v2_params, hStream);
SAME(CopyCall, to, cuMemcpyAsync_params, dst);
SAME(CopyCall, from, cuMemcpyAsync_params, src);
SAME(CopyCall, stream, cuMemcpyAsync_params, hStream);
SAME(CopyCall2D, stream, cuMemcpy2DAsync_v2_params, hStream);
SAME(Copy2D, srcDevice, CUDA_MEMCPY2D, srcDevice);
SAME(Copy2D, dstXInBytes, CUDA_MEMCPY2D, dstXInBytes);
SAME(Copy2D, dstHost, CUDA_MEMCPY2D, dstHost);
SAME(Copy2D, dstPitch, CUDA_MEMCPY2D, dstPitch);
SAME(Copy2D, Height, CUDA_MEMCPY2D, Height);

EQUAL(ACTIVITY_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
EQUAL(FLUSH_ALL, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
EQUAL(DOMAIN_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API);
EQUAL(SITE_ENTER, CUPTI_API_ENTER);
EQUAL(SITE_EXIT, CUPTI_API_EXIT);
EQUAL(CALL_LAUNCH, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
EQUAL(CALL_LAUNCH_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
EQUAL(CALL_LAUNCH_COOPERATIVE, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel);
EQUAL(CALL_LAUNCH_COOPERATIVE_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz);
EQUAL(CALL_LAUNCH_EX, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
EQUAL(CALL_LAUNCH_EX_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz);
EQUAL(CALL_OLD_LAUNCH, CUPTI_DRIVER_TRACE_CBID_cuLaunch);
EQUAL(CALL_OLD_LAUNCH_GRID, CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid);
EQUAL(CALL_OLD_LAUNCH_GRID_ASYNC, CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync);
EQUAL(CALL_LAUNCH_DEVICES, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernelMultiDevice);
EQUAL(CALL_CAPTURE, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture);
EQUAL(CALL_CAPTURE_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz);
EQUAL(CALL_GRAPH, CUPTI_DRIVER_TRACE_CBID_cuGraphCreate);
EQUAL(CALL_GRAPH_LAUNCH, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch);
EQUAL(CALL_GRAPH_LAUNCH_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz);
EQUAL(CALL_CAPTURE_V2, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2);
EQUAL(CALL_CAPTURE_V2_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz);
EQUAL(CALL_CAPTURE_TO_GRAPH, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph);
EQUAL(CALL_CAPTURE_TO_GRAPH_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz);
EQUAL(CALL_MEMCPY_DTOH, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2);
EQUAL(CALL_MEMCPY_DTOH_ASYNC, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2);
EQUAL(CALL_MEMCPY_2D, CUPTI_DRIVER_TRACE_CBID_cuMemcpy2D_v2);
EQUAL(CALL_MEMCPY_2D_UNALIGNED, CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DUnaligned_v2);
EQUAL(CALL_MEMCPY_2D_ASYNC, CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DAsync_v2);
EQUAL(CALL_MEMCPY, CUPTI_DRIVER_TRACE_CBID_cuMemcpy);
EQUAL(CALL_MEMCPY_ASYNC, CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync);
EQUAL(CALL_MEMCPY_DTOH_PTDS, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds);
EQUAL(CALL_MEMCPY_2D_PTDS, CUPTI_DRIVER_TRACE_CBID_cuMemcpy2D_v2_ptds);
EQUAL(CALL_MEMCPY_2D_UNALIGNED_PTDS, CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DUnaligned_v2_ptds);
EQUAL(CALL_MEMCPY_PTDS, CUPTI_DRIVER_TRACE_CBID_cuMemcpy_ptds);
EQUAL(CALL_MEMCPY_ASYNC_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync_ptsz);
EQUAL(CALL_MEMCPY_DTOH_ASYNC_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2_ptsz);
EQUAL(CALL_MEMCPY_2D_ASYNC_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DAsync_v2_ptsz);
EQUAL(MEMORY_HOST, CU_MEMORYTYPE_HOST);
EQUAL(MEMORY_DEVICE, CU_MEMORYTYPE_DEVICE);
EQUAL(MEMORY_UNIFIED, CU_MEMORYTYPE_UNIFIED);
EQUAL(ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
EQUAL(CAPTURE_NONE, CU_STREAM_CAPTURE_STATUS_NONE);
_Static_assert((uintptr_t)CU_STREAM_PER_THREAD == STREAM_PER_THREAD, "the thread's own stream");
