// coalda-report: formats, gate, one kernel; from IR, from bitcode and from remarks.
// RUN: %clang-device -O2 -gline-tables-only %s -o %t.ll && %llvm-as %t.ll -o %t.bc
// RUN: %report %t.ll | %FileCheck %s --check-prefix=TEXT
// RUN: %report %t.bc --format=csv | %FileCheck %s --check-prefix=CSV
// RUN: %report %t.bc --format=html > %t.html && %FileCheck %s --check-prefix=HTML < %t.html
// RUN: %report %t.bc --format=json > %t.json && %python %S/report.py %t.json
// RUN: %report %t.ll --fail-above=8
// RUN: %not %report %t.ll --fail-above=7.9 2>&1 | %FileCheck %s --check-prefix=GATE
// RUN: %report %t.ll --fail-above=1.0 --kernel=good | %FileCheck %s --check-prefix=ONE
// RUN: %report %t.ll --kernel='good(float const*, float*)' | %FileCheck %s --check-prefix=ONE
// RUN: %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %report --format=json %t.yaml > %t.yaml.json && diff %t.json %t.yaml.json
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%plugin -fsave-optimization-record -foptimization-record-file=%t.clang.yaml -S %s -o %t.ptx
// RUN: %report %t.clang.yaml --kernel=bad --format=csv | %FileCheck %s --check-prefix=CSV

// TEXT: bad(float const*, float*): 2 accesses, 64 sectors where 8 would do, ratio 8.00
// TEXT: report.cu:[[#]]:[[#]] store global 4 strided 128 32 4 - Strided
// TEXT: good(float const*, float*): 2 accesses, 8 sectors where 8 would do, ratio 1.00
// CSV: kernel,arch,function,file,directory,line,column,op,space,bytes,class,stride,
// CSV-NEXT: _Z3badPKfPf,sm_90,_Z3badPKfPf,{{.*}}report.cu,{{.*}},{{[0-9]+}},{{[0-9]+}},store,global,4,strided,128,
// A link to each access, and which lane touches which sector.
// HTML: <meta name="viewport"
// HTML: <code>bad(float const*, float*)</code>
// HTML: What moves in vain
// HTML: <th role="rowheader" scope="row"><a href="#report.cu:[[#STORE:]]:{{[0-9]+}}:store:4">
// HTML-SAME: <td role="cell" class="n" data-k="as written">896</td><td role="cell" class="n" data-k="rewritten">896</td>
// HTML: q[32 * i] = p[32 * i];
// HTML: <tr role="row" id="report.cu:[[#STORE]]:{{[0-9]+}}:store:4"
// HTML-SAME: <td role="cell" class="n" data-k="stride">128</td>
// HTML: <details><summary>lanes and sectors<span class="unseen"> of the store in line [[#STORE]]</span></summary><figure><figcaption>as written: 32 lanes, 4 bytes each, 32 sectors</figcaption><svg
// HTML-SAME: role="img"><title>as written: 32 lanes of a warp touch 32 sectors of 32 bytes</title><desc>
// HTML-NOT: http
// GATE: coalda-report: bad(float const*, float*): sectors/ideal is 8.00, above 7.9
// GATE-NOT: good
// ONE-NOT: bad
// ONE: good(float const*, float*): 2 accesses
// ONE-NOT: bad
__global__ void good(const float *p, float *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  q[i] = p[i];
}
__global__ void bad(const float *p, float *q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  q[32 * i] = p[32 * i];
}
