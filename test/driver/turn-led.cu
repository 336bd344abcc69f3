// Threads of blocks in which a loop goes on to where it has loaded keep their places: who goes down a tree beside whom is turned as well.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o /dev/null -fpass-plugin=%plugin -mllvm -coalda-trace 2> %t.log
// RUN: %FileCheck %s < %t.log && %FileCheck %s --check-prefix=NO < %t.log
// NO-NOT: trees{{.*}}made: turn
// NO-NOT: chains{{.*}}made: turn
__global__ void trees(const signed char *x, const short *feature, const int *left, const int *right, const float *leaf, const int *first, float *o, int n, int f, int trees)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, tree = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || tree >= trees)
        return;
    int node = first[tree];
    while (feature[node] != -1)
        node = x[row * f + feature[node]] <= 0 ? left[node] : right[node];
    o[row * trees + tree] = leaf[node];
}
__global__ void chains(const int *next, const int *first, int *o, int n, int m, int steps)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= m)
        return;
    int at = first[y] ^ x;
    for (int k = 0; k < steps; k++)
        at = next[at];
    o[x * m + y] = at;
}
// What a loop only adds up leads nowhere.
// CHECK-DAG: sums{{.*}}made: turn
__global__ void sums(const int *a, int *o, int n, int m, int steps)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= m)
        return;
    int s = 0;
    for (int k = 0; k < steps; k++)
        s += a[(x * steps + k) * m + y];
    o[x * m + y] = s;
}
