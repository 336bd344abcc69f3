// The machine-readable form: arguments with stable names, numbers that tools can add up.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%plugin -foptimization-record-file=%t.yaml -fsave-optimization-record -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.yaml
// RUN: %remarkutil count --count-by=arg --args=Sectors --args=Ideal --group-by=function %t.yaml | %FileCheck %s --check-prefix=SUM

// CHECK: --- !Analysis
// CHECK: Pass: {{ *}}coalda
// CHECK-NEXT: Name: {{ *}}Strided
// CHECK-NEXT: DebugLoc: {{.*}}Line: [[#LINE:]], Column:
// CHECK-NEXT: Function: {{ *}}_Z5everyPKfPf
// CHECK: - String: {{.*}}strided with stride 8
// CHECK: - Kernel: {{ *}}_Z5everyPKfPf
// CHECK: - Line: {{ *}}'[[#LINE]]'
// CHECK: - Op: {{ *}}load
// CHECK: - Space: {{ *}}global
// CHECK: - Bytes: {{ *}}'4'
// CHECK: - Class: {{ *}}strided
// CHECK: - Stride: {{ *}}'8'
// CHECK: - Sectors: {{ *}}'8'
// CHECK: - Ideal: {{ *}}'4'
// CHECK: - Action: {{ *}}none
// CHECK: - Reason: {{ *}}Strided
// SUM: Function,Sectors,Ideal
// SUM-NEXT: _Z5everyPKfPf,12,8
__global__ void every(const float *p, float *q) { q[threadIdx.x] = p[2 * threadIdx.x]; }
