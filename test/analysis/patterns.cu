// Access patterns with their exact class, stride and sectors, the same at every optimization level.
// RUN: %clang-device -O0 -Xclang -disable-O0-optnone -gline-tables-only %s -o %t.0.ll && %report --format=json %t.0.ll > %t.0.json
// RUN: %python %S/patterns.py %s %t.0.json O0
// RUN: %clang-device -O1 -gline-tables-only %s -o %t.1.ll && %report --format=json %t.1.ll > %t.1.json
// RUN: %python %S/patterns.py %s %t.1.json O1
// RUN: %clang-device -O2 -gline-tables-only %s -o %t.2.ll && %report --format=json %t.2.ll > %t.2.json
// RUN: %python %S/patterns.py %s %t.2.json O2
// RUN: %clang-device -O3 -gline-tables-only %s -o %t.3.ll && %report --format=json %t.3.ll > %t.3.json
// RUN: %python %S/patterns.py %s %t.3.json O3

#define TID (blockIdx.x * blockDim.x + threadIdx.x)
struct Three { float x, y, z; };
struct Eight { float f[8]; };
struct Mixed { double d; int i; char c; };
struct Range { float *data; int begin, count; };

// ---- one element a thread ----
__global__ void unit1(const char *p, char *q) { int i = TID;
  char v = p[i];                    // load: class=unit stride=1 sectors=1 ideal=1
  q[i] = v; }                       // store: class=unit stride=1 sectors=1 ideal=1
__global__ void unit2(const short *p, short *q) { int i = TID;
  short v = p[i];                   // load: class=unit stride=2 sectors=2 ideal=2
  q[i] = v; }                       // store: class=unit stride=2 sectors=2
__global__ void unit4(const float *p, float *q) { int i = TID;
  float v = p[i];                   // load: class=unit stride=4 sectors=4 ideal=4 reason=Coalesced
  q[i] = v; }                       // store: class=unit stride=4 sectors=4 ideal=4 lines=1
__global__ void unit8(const double *p, double *q) { int i = TID;
  double v = p[i];                  // load: class=unit stride=8 sectors=8 ideal=8
  q[i] = v; }                       // store: class=unit stride=8 sectors=8 lines=2
__global__ void unit16(const float4 *p, float *q) { int i = TID;
  float4 v = p[i];                  // load: stride=16
  q[i] = v.x + v.y + v.z + v.w; }   // store: class=unit stride=4 sectors=4
__global__ void guarded(const float *p, float *q, int n) { int i = TID;
  if (i >= n) return;
  float v = p[i];                   // load: class=unit stride=4 sectors=4
  q[i] = v; }                       // store: class=unit stride=4 sectors=4
__global__ void unsigned_index(const float *p, float *q) { unsigned i = TID;
  float v = p[i];                   // load: class=unit stride=4 sectors=4
  q[i] = v; }                       // store: class=unit stride=4 sectors=4
__global__ void wide_index(const float *p, float *q) { size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float v = p[i];                   // load: class=unit stride=4 sectors=4
  q[i] = v; }                       // store: class=unit stride=4 sectors=4

// ---- offsets and direction ----
__global__ void shifted(const float *p, float *q) { int i = TID;
  float v = p[i + 1];               // load: class=unit stride=4 sectors=5 ideal=4 reason=Misaligned
  float w = p[i + 8];               // load: class=unit stride=4 sectors=4 ideal=4
  float u = p[i - 1];               // load: class=unit stride=4 sectors=5 ideal=4
  q[i] = v + w + u; }               // store: class=unit sectors=4
__global__ void backward(const float *p, float *q) { int i = TID;
  float v = p[1023 - i];            // load: class=unit stride=-4 sectors=4 ideal=4
  q[i] = v; }                       // store: class=unit sectors=4
__global__ void shifted_by(const float *p, float *q, int k) { int i = TID;
  float v = p[i + k];               // load: class=unit stride=4 sectors=4 sectors_min=4 sectors_max=5
  q[i] = v; }                       // store: sectors_min=4 sectors_max=4

// ---- strides ----
__global__ void strides(const float *p, float *q) { int i = TID;
  float a = p[2 * i];               // load: class=strided stride=8 sectors=8 ideal=4
  float b = p[3 * i + 40000];       // load: class=strided stride=12 sectors=12 ideal=4
  float c = p[8 * i + 80000];       // load: class=strided stride=32 sectors=32 ideal=4
  float d = p[17 * i + 120000];     // load: class=strided stride=68 sectors=32 ideal=4
  float e = p[i << 2];              // load: class=strided stride=16 sectors=16 ideal=4
  q[5 * i] = a + b + c + d + e; }   // store: class=strided stride=20 sectors=20 ideal=4
__global__ void strided_double(const double *p, double *q) { int i = TID;
  q[i] = p[2 * i]; }                // load: class=strided stride=16 sectors=16 ideal=8 ; store: class=unit sectors=8
__global__ void strided_bytes(const char *p, char *q) { int i = TID;
  q[i] = p[7 * i]; }                // load: class=strided stride=7 sectors=7 ideal=1 ; store: class=unit sectors=1
__global__ void symbolic(const float *p, float *q, int n) { int i = TID;
  q[i] = p[i * n]; }                // load: class=strided sectors=32 ideal=4 sectors_min=1 sectors_max=32 ; store: sectors=4

// ---- uniform and broadcast ----
__global__ void same(const float *p, float *q, int k) { int i = TID;
  float v = p[k];                   // load: class=uniform stride=0 sectors=1 ideal=1 reason=Broadcast
  float w = p[blockIdx.x];          // load: class=uniform stride=0 sectors=1 ideal=1
  q[i] = v + w; }                   // store: class=unit sectors=4
__global__ void halves(const float *p, float *q) { int i = threadIdx.x;
  float v = p[i / 2];               // load: class=unit stride=4 sectors=2 ideal=2
  float w = p[i / 32];              // load: class=uniform sectors=1 ideal=1
  float u = p[i % 8 + 4096];        // load: class=unit sectors=1 ideal=1
  q[i] = v + w + u; }               // store: class=unit sectors=4

// ---- thread ids computed in pieces ----
__global__ void pieces(const float *p, float *q, int n) { int t = threadIdx.x;
  int lane = t & 31, warp = t >> 5;
  float a = p[warp * 32 + lane];    // load: class=unit stride=4 sectors=4
  float b = p[warp * n + lane];     // load: class=unit stride=4 sectors=4
  float c = p[lane * 8 + warp];     // load: class=strided stride=32 sectors=32 ideal=4
  float d = p[(t / 16) * n + t % 16]; // load: class=unit stride=4 sectors=4 ideal=4
  float e = p[(t % 16) * n + t / 16]; // load: class=strided sectors=32|16 ideal=4
  q[t] = a + b + c + d + e; }       // store: class=unit sectors=4
__global__ void masked(const float *p, float *q) { int t = threadIdx.x;
  float a = p[t & ~31];             // load: class=uniform sectors=1
  float b = p[(t & 15) + 4096];     // load: class=unit sectors=2 ideal=2
  float c = p[t ^ 1];               // load: class=unit sectors=4 ideal=4
  float d = p[(unsigned char)(t * 16) + 8192]; // load: sectors=16 ideal=2
  q[t] = a + b + c + d; }           // store: class=unit sectors=4

// ---- records ----
__global__ void rgb(const float *p, float *q) { int i = TID;
  float r = p[3 * i];               // load: class=record stride=12 sectors=12 ideal=4 record_bytes=12 record_members=3
  float g = p[3 * i + 1];           // load: class=record stride=12 sectors=12 ideal=4 record_bytes=12
  float b = p[3 * i + 2];           // load: class=record stride=12 sectors=12 ideal=4 record_bytes=12
  q[i] = r + g + b; }               // store: class=unit sectors=4
__global__ void fields(const Three *p, Three *q) { int i = TID;
  float x = p[i].x;                 // load: class=record stride=12 sectors=12 record_bytes=12
  float z = p[i].z;                 // load: class=record stride=12 sectors=12 record_bytes=12
  q[i].y = x + z; }                 // store: class=strided stride=12 sectors=12 record_bytes=none
__global__ void whole(const Three *p, Three *q) { int i = TID;
  Three v = p[i];                   // load: class=record|strided stride=12
  v.x += 1;
  q[i] = v; }                       // store: class=record|strided stride=12
__global__ void mixed(const Mixed *p, double *q) { int i = TID;
  double d = p[i].d;                // load: class=record stride=16 bytes=8 sectors=16 ideal=8
  int k = p[i].i;                   // load: class=record stride=16 bytes=4 sectors=16 ideal=4
  char c = p[i].c;                  // load: class=record stride=16 bytes=1 sectors=16 ideal=1
  q[i] = d + k + c; }               // store: class=unit stride=8 sectors=8
__global__ void eight(const Eight *p, float *q) { int i = TID; float s = 0;
  s += p[i].f[0];                   // load: class=record stride=32 sectors=32 ideal=4
  s += p[i].f[7];                   // load: class=record stride=32 sectors=32 record_bytes=32
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void pixel(const uchar3 *p, unsigned char *q) { int i = TID;
  unsigned char a = p[i].x;         // load: class=record stride=3 sectors=3 ideal=1
  unsigned char b = p[i].z;         // load: class=record stride=3 sectors=3 ideal=1
  q[i] = a + b; }                   // store: class=unit stride=1 sectors=1
__global__ void beyond(const float *p, float *q) { int i = TID;
  float a = p[3 * i];               // load: class=strided stride=12 sectors=12 record_bytes=none
  float b = p[3 * i + 5];           // load: class=strided stride=12 record_bytes=none
  q[i] = a + b; }                   // store: class=unit sectors=4

// ---- two and three dimensions ----
__global__ void rows(const float *p, float *q, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  q[y * n + x] = p[y * n + x]; }    // load: class=unit stride=4 sectors=4 sectors_max=5 ; store: class=unit stride=4
__global__ void swapped(const float *p, float *q, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  q[y * n + x] = p[x * n + y]; }    // load: class=strided sectors=32 ideal=4 reason=Swapped ; store: class=unit
__global__ void plane(const float *p, float *q, int n, int m) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  q[(z * m + y) * n + x] = p[(z * m + y) * n + x]; } // load: class=unit stride=4 sectors=4 ; store: class=unit stride=4
__global__ void __launch_bounds__(256) fixed_rows(const float *p, float *q) {
  q[threadIdx.y * 1000 + threadIdx.x] = // store: class=unit stride=4 sectors=4 ideal=4
      p[threadIdx.y + threadIdx.x * 1000]; } // load: class=strided stride=4000 sectors=32 ideal=4 reason=Swapped

// ---- loops ----
__global__ void grid_stride(const float *p, float *q, int n) {
  for (int i = TID; i < n; i += gridDim.x * blockDim.x)
    q[i] = p[i]; }                  // load: class=unit stride=4 sectors=4 ; store: class=unit stride=4 sectors=4
__global__ void grid_stride_record(const Three *p, float *q, int n) {
  for (int i = TID; i < n; i += gridDim.x * blockDim.x)
    q[i] = p[i].x                   // load: class=record stride=12 sectors=12 ; store: class=unit
         + p[i].y; }                // load: class=record stride=12 sectors=12
__global__ void walk_constant(const float *p, float *q) { int i = TID; float s = 0;
#pragma unroll 1
  for (int j = 0; j < 1024; j++)
    s += p[i * 1024 + j];           // load: class=walk stride=4096 step=4 sectors=32 ideal=4 reason=Walk|Exchanged
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void walk_symbolic(const float *p, float *q, int n) { int i = TID; float s = 0;
  for (int j = 0; j < n; j++)
    s += p[i * n + j];              // load: class=walk sectors=32 ideal=4 reason=Walk|Exchanged
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void walk_pointer(const float *p, float *q, int n) { int i = TID; float s = 0;
  const float *row = p + (size_t)i * n;
  for (int j = 0; j < n; j++)
    s += *row++;                    // load: class=walk sectors=32 ideal=4
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void walk_backward(const float *p, float *q, int n) { int i = TID; float s = 0;
  for (int j = n - 1; j >= 0; j--)
    s += p[i * n + j];              // load: class=walk sectors=32 ideal=4
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void walk_store(float *q, int n) { int i = TID;
  for (int j = 0; j < n; j++)
    q[i * n + j] = j * 0.5f; }      // store: class=walk sectors=32 ideal=4
__global__ void walk_array_field(const Eight *p, float *q) { int i = TID; float s = 0;
#pragma unroll 1
  for (int j = 0; j < 8; j++)
    s += p[i].f[j];                 // load: class=walk stride=32 step=4 sectors=32
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void walk_csr(const int *start, const float *v, float *q) { int i = TID; float s = 0;
  for (int j = start[i]; j < start[i + 1]; j++)
    s += v[j];                      // load: class=walk stride=none sectors=none ideal=4
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void column(const float *p, float *q, int n) { int i = TID; float s = 0;
  for (int j = 0; j < n; j++)
    s += p[j * n + i];              // load: class=unit stride=4 sectors=4
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void window(const float *p, float *q, int n) { int i = TID; float s = 0;
#pragma unroll 1
  for (int j = 0; j < n; j++)
    s += p[i + j];                  // load: class=unit stride=4 sectors=4.875 sectors_min=4 sectors_max=5
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void halving(float *q) { int i = threadIdx.x;
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (i < s)
      q[i] += q[i + s];             // load: class=unit stride=4 ; store: class=unit stride=4 sectors=4
    __syncthreads(); } }
__global__ void long_steps(const float *p, float *q, int n) { int i = TID; float s = 0;
#pragma unroll 1
  for (int j = 0; j < n; j++)
    s += p[i * 4096 + j * 64];      // load: class=strided stride=16384 step=none sectors=32 ideal=4
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void growing_steps(const float *p, float *q, int n) { int i = TID, k = i; float s = 0;
#pragma unroll 1
  for (int j = 0; j < n; j++) {
    s += p[k];                      // load: class=opaque stride=none sectors=none reason=Carried
    k += j * i; }
  q[i] = s; }                       // store: class=unit sectors=4
__global__ void rows_counted(const float *p, float *q, int n) { float s = 0;
#pragma unroll 1
  for (int t = TID; t * 12 < n; t += 4096)
    s += p[t * 12];                 // load: class=strided stride=48 step=none sectors=32 ideal=4
  q[TID] = s; }                     // store: class=unit sectors=4
__global__ void rows_counted_down(const float *p, float *q, long n) { float s = 0;
#pragma unroll 1
  for (long t = TID + 4096L * n; 6 * t >= n; t -= 4096)
    s += p[6 * t + 1];              // load: class=strided stride=24 step=none sectors=24 ideal=4
  q[TID] = s; }                     // store: class=unit sectors=4
__global__ void row_before(const float *p, float *q, int n) { float s = 0; int k = 5 * TID;
#pragma unroll 1
  for (int t = TID; t < n; t += 4096) {
    s += p[k];                      // load: class=opaque stride=none sectors=none reason=Carried
    k = t * 12; }
  q[TID] = s; }                     // store: class=unit sectors=4

// ---- data-dependent ----
__global__ void gather(const int *index, const float *p, float *q) { int i = TID;
  int k = index[i];                 // load: class=unit sectors=4
  q[i] = p[k]; }                    // load: class=gather stride=none sectors=none ideal=4 reason=Gather ; store: class=unit
__global__ void scatter(const int *index, const float *p, float *q) { int i = TID;
  int k = index[i];                 // load: class=unit sectors=4
  q[k] = p[i]; }                    // load: class=unit ; store: class=scatter stride=none sectors=none ideal=4 reason=Scatter
__global__ void gather_record(const int *index, const Three *p, float *q) { int i = TID;
  int k = index[i];                 // load: class=unit sectors=4
  q[i] = p[k].x                     // load: class=gather sectors=none record_bytes=8 ; store: class=unit
       + p[k].y; }                  // load: class=gather sectors=none record_bytes=8
__global__ void histogram(const unsigned char *p, int *bins) { int i = TID;
  atomicAdd(&bins[p[i]], 1); }      // load: class=unit sectors=1 ; atomic: class=scatter sectors=none
__global__ void count(int *total) {
  atomicAdd(total, 1); }            // atomic: class=uniform
__global__ void append(int *next, float *q) {
  int k = atomicAdd(next, 1);       // atomic: class=uniform
  q[k] = 1; }                       // store: class=scatter sectors=none reason=AtomicIndex
__global__ void runtime_division(const float *p, float *q, int n) { int i = TID;
  q[i] = p[i / n]; }                // load: class=opaque sectors=none reason=DividedByUnknown ; store: class=unit
__global__ void shuffled(const float *p, float *q) { int i = threadIdx.x;
  int k = __shfl_xor_sync(~0u, i, 1);
  q[i] = p[k]; }                    // load: class=opaque sectors=none reason=Shuffled ; store: class=unit

// ---- choices ----
__global__ void select_base(const float *p, const float *r, float *q, int flag) { int i = TID;
  const float *s = flag ? p : r;
  q[i] = s[i]; }                    // load: class=unit stride=4 sectors=4 ; store: class=unit
__global__ void three_ways(const int *f, const float *p, float *q) { int i = TID, k;
  switch (f[i]) {                   // load: class=unit sectors=4
  case 0: asm volatile("// one"); k = i; break;
  case 1: asm volatile("// two"); k = i + 7; break;
  default: asm volatile("// three"); k = i + 100; }
  q[i] = p[k]; }                    // load: class=opaque stride=none sectors=none reason=Branched ; store: class=unit
__global__ void clamped(const float *p, float *q, int n) { int i = TID;
  int j = i < n - 1 ? i : n - 1;
  q[i] = p[j]; }                    // load: class=unit stride=4 sectors=4 ; store: class=unit
__global__ void few(float *q) {
  if (threadIdx.x < 8)
    q[threadIdx.x] = 1; }           // store: class=unit stride=4 sectors=1 ideal=1 lanes=8
__global__ void one(float *q) {
  if (threadIdx.x == 0)
    q[blockIdx.x] = 1; }            // store: class=uniform sectors=1 ideal=1 lanes=1

// ---- memory spaces ----
__constant__ float table[64];
__device__ float everywhere[4096];
__global__ void spaces(float *q, Range range) { int t = threadIdx.x;
  __shared__ float row[32][33], flat[32][32];
  row[t % 32][t / 32] = q[t];       // store: space=shared ways=1 reason=BanksFree ; load: space=global class=unit
  flat[t % 32][t / 32] = q[t];      // store: space=shared ways=32 reason=BankConflict
  __syncthreads();
  float a = row[t / 32][t % 32];    // load: space=shared ways=1
  float b = flat[0][2 * (t % 16)];  // load: space=shared ways=1
  float c = flat[0][4 * (t % 32)];  // load: space=shared ways=4
  float d = table[3];               // load: space=constant class=uniform
  float e = table[t & 63];          // load: space=constant class=unit reason=ConstantSpread
  float f = everywhere[t];          // load: space=global class=unit sectors=4
  range.data[t + range.begin] = a + b + c + d + e + f; } // store: space=global class=unit stride=4 sectors=4
__global__ void wide_shared(double *q) { int t = threadIdx.x; __shared__ double s[64]; __shared__ float4 v[64];
  s[t & 31] = q[t];                 // store: space=shared ways=1 wavefronts=2 bytes=8
  v[t & 31] = make_float4(1, 2, 3, t); // store: space=shared ways=1|4 wavefronts=4
  __syncthreads();
  q[t] = s[(2 * t) & 63] + v[31 - (t & 31)].w; } // load: space=shared ways=2|4 ; store: space=global class=unit

// ---- functions that are called ----
__device__ __noinline__ float third(const float *p, int i) {
  return p[3 * i]; }                // load: class=strided stride=12 sectors=12
__device__ __noinline__ int own() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void calls(const float *p, float *q) {
  q[own()] = third(p, own()); }     // store: class=unit stride=4 sectors=4

// ---- no stride at all ----
__global__ void triangle(const float *p, float *q) { int i = threadIdx.x;
  q[i] = p[i * (i + 1) / 2]; }      // load: class=strided stride=none ideal=4|3.96875 ; store: class=unit sectors=4
__global__ void copy_vector(const double2 *p, double2 *q) { int i = TID;
  q[i] = p[i]; }                    // O3:load: class=unit stride=16 requests=2 sectors=32 ideal=16 reason=Split|Widened ; O3:store: class=unit requests=2 sectors=32
__global__ void edge_lane(const float *p, float *q, int n) { int i = TID;
  if (threadIdx.x == 31 && i < n - 1)
    q[i] = p[i + 1]; }              // load: sectors=1 lanes=1 ; store: sectors=1 lanes=1
__global__ void no_edge_lane(const float *p, float *q, int n) { int i = TID;
  if (threadIdx.x >= 4 || i > n - 1) return;
  q[i] = p[i]; }                    // load: class=unit sectors=1 lanes=4 ; store: class=unit sectors=1 lanes=4

// ---- blocks whose threads change places: told as it is, better or worse ----
__global__ void turned(const float *p, float *q, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float v = p[y * n + x];           // load: class=unit sectors=4 action=turn sectors_rewritten=32
  q[x * n + y] = v; }               // store: sectors=32 action=turn sectors_rewritten=4

// ---- inline assembly ----
__global__ void assembly(const float4 *p, float *q, const int *r) { int i = TID; unsigned lane; float a, b; int c;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(p + i)); // load: class=strided stride=16 bytes=8 sectors=16 ideal=8
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(c) : "l"(r + 2 * lane)); // load: bytes=4 stride=8 sectors=8 ideal=4
  q[i] = a + b + c; }               // store: class=unit sectors=4

// ---- small classes with members that return references; clamped windows of a known width ----
template <class T> struct View { T *p; int n;
  __device__ T &operator[](int i) { return p[i]; }
  __device__ T &at(int i, int j) { return p[i * n + j]; } };
__global__ void views(View<float> a, View<float> b) { int i = TID;
  for (int j = 0; j < b.n; j++)
    b.at(i, j) = a[j * a.n + i]; }  // load: space=global class=unit sectors=4 ; store: space=global class=walk|strided sectors=32 ideal=4
__global__ void blur(const float *p, float *q, int w) { int i = TID; float s = 0;
#pragma unroll 1
  for (int d = -2; d <= 2; d++)
    s += p[min(max(i + d, 0), w - 1)]; // load: class=unit stride=4 sectors=4.8 ideal=4
  q[i] = s; }                       // store: class=unit sectors=4

// ---- values that ways bring together: whoever goes which of those that bring the same ----
__global__ void ahead_of_loop(const float *p, float *q, int m, int odd) { int i = TID, k = m; float s = q[i];
  if (odd) {
    k = m + 1;
    if (s > 1)
      s = 3 / s; }
  q[i] = s / p[k]; }                // load: class=uniform sectors=1
__global__ void either_way(const float *p, float *q, int m, int odd) { int i = TID, k; float s = q[i];
  if (odd) {
    if (i % 3 == 0) goto here; else goto there;
  } else {
    if (i % 5 == 0) goto there; else goto here;
  }
here:
  k = m; s = 3 / s; goto end;
there:
  k = m + 1; s = 5 / s;
end:
  q[i] = s / p[k]; }                // load: class=opaque
__global__ void some_way(const float *p, float *q, int m, int odd) { int i = TID, k = m; float s = q[i];
  if (odd) {
    if (s > 1) {
      s = 3 / s; k = m + 1; }
    else if (s > 0.5f) { s = 7 / s; k = m + 1; } }
  q[i] = s / p[k]; }                // load: class=opaque
__global__ void left_apart(const float *p, float *q, const unsigned *w, int m, int odd) { int i = TID, k; unsigned v = w[i];
  if (odd > 5) {
    k = m + 3;
  } else if (odd) {
    int j = 0;
    while (1) {
      v = v * 3 + 1; j++;
      if (v & 16) { q[i + 2048] = 1; break; }
      q[i] = v;
      if (v & 32 || j > 40) { q[i + 4096] = 3; break; } }
    k = j;
  } else {
    k = m; }
  q[i] = p[k]; }                    // load: class=opaque
__global__ void as_far(const float *p, float *q, int m, int n) { long b = (long)TID * m, e = b + n;
  q[TID] = p[(b > e ? b : e) - b]; } // load: class=uniform sectors=1
