"""Makefiles in the manner of public projects, built with NVCC=coalda-nvcc: all of them for real, or, with --dry, each as far as its commands are
understood. A style is its name, what the Makefile says behind NVCC, and what has to be there in the end."""
import argparse
import os
import subprocess
import sys

FILES = {
    "main.cu": "#include <cstdio>\n#include \"step.h\"\n__global__ void scale(float *p, float a) { p[threadIdx.x] *= a; }\n"
               "int main() { float *p = 0; step(p, host_size()); scale<<<1, 32>>>(p, SCALE); return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3; }\n",
    "step.cu": "#include \"step.h\"\nextern \"C\" __global__ void step_kernel(float *p, int n) { if (threadIdx.x < n) __stcs(p + threadIdx.x, p[threadIdx.x] / 3); }\n"
               "void step(float *p, int n) { step_kernel<<<1, 32>>>(p, max(n, 1)); }\n",
    "host.cpp": "#include \"step.h\"\nint host_size() { return 32; }\n",
    "host.c": "int plain_c(void) { return 1; }\n",
    "inc/step.h": "#pragma once\nvoid step(float *p, int n);\nint host_size();\n#ifndef SCALE\n#define SCALE 2.0f\n#endif\n",
    "rdc_a.cu": "extern __device__ float half_of(float);\n__global__ void k(float *p) { *p = half_of(*p); }\nint main() { k<<<1, 1>>>(0); return 0; }\n",
    "rdc_b.cu": "__device__ float half_of(float x) { return x / 2; }\n",
    "lambda.cu": "template <class F> __global__ void each(F f) { f(threadIdx.x); }\nconstexpr int three() { return 3; }\n"
                 "int main() { each<<<1, 1>>>([] __device__(int i) { (void)(i + three()); }); return 0; }\n",
    "opts.rsp": "-O2 -Iinc\n-std=c++17\n",
}
ALL = "main.cu step.cu host.cpp"
STYLES = [
    ("one-command", f"app: {ALL}\n\t$(NVCC) -O3 -Iinc -o $@ $^\n", "app"),
    ("flags", f"NVCCFLAGS = -O2 -std=c++14 -arch=sm_80 --ptxas-options=-v -Xcompiler -Wall,-Wextra -lineinfo\napp: {ALL}\n\t$(NVCC) $(NVCCFLAGS) -I./inc $^ -o $@ -lcudart\n", "app"),
    ("samples", "GENCODE_FLAGS := $(foreach sm,80 90,-gencode arch=compute_$(sm),code=sm_$(sm)) -gencode arch=compute_90,code=compute_90\n"
                "ALL_CCFLAGS := -m64 --threads 0 --std=c++17 $(addprefix -Xcompiler ,-g -Wall)\n"
                "main.o: main.cu\n\t$(NVCC) -Iinc $(ALL_CCFLAGS) $(GENCODE_FLAGS) -o $@ -c $<\nstep.o: step.cu\n\t$(NVCC) -Iinc $(ALL_CCFLAGS) $(GENCODE_FLAGS) -o $@ -c $<\n"
                "host.o: host.cpp\n\t$(NVCC) -Iinc $(ALL_CCFLAGS) -o $@ -c $<\napp: main.o step.o host.o\n\t$(NVCC) $(ALL_CCFLAGS) $(GENCODE_FLAGS) -o $@ $+\n", "app"),
    ("linked-by-cxx", "%.o: %.cu\n\t$(NVCC) -Iinc -O3 -arch sm_90 -c $< -o $@\n%.o: %.cpp\n\tg++ -Iinc -c $< -o $@\napp: main.o step.o host.o\n\tg++ $^ -o $@ -L$(CUDA)/lib64 -lcudart\n", "app"),
    ("rules", "OBJ = build/main.o build/step.o build/host.o\napp: $(OBJ)\n\t$(NVCC) -o $@ $(OBJ)\nbuild/%.o: %.cu\n\t@mkdir -p build\n\t$(NVCC) -Iinc -MMD -MP -MF build/$*.d -MT $@ -dw $< -o $@\n"
              "build/%.o: %.cpp\n\t@mkdir -p build\n\t$(NVCC) -Iinc -c $< -o $@\n-include $(OBJ:.o=.d)\n", "app build/main.d"),
    ("code-lists", f"app: {ALL}\n\t$(NVCC) -Iinc -gencode=arch=compute_80,code=\\\"sm_80,compute_80\\\" -gencode \"arch=compute_90,code=[sm_90,compute_90]\" $^ -o $@\n", "app"),
    ("code-option", f"app: {ALL}\n\t$(NVCC) -Iinc -arch=compute_80 -code=sm_80,sm_86,compute_80 $^ --output-file $@\n", "app"),
    ("device-c", "app: rdc_a.cu rdc_b.cu\n\t$(NVCC) -arch=sm_90 -dc rdc_a.cu rdc_b.cu\n\t$(NVCC) -arch=sm_90 rdc_a.o rdc_b.o -o $@\n", "app"),
    ("device-link", "app: rdc_a.cu rdc_b.cu\n\t$(NVCC) -arch=sm_90 --device-c rdc_a.cu -o a.o\n\t$(NVCC) -arch=sm_90 -rdc=true -c rdc_b.cu -o b.o\n\t$(NVCC) -arch=sm_90 -dlink a.o b.o -o link.o -lcudadevrt\n"
                    "\tg++ a.o b.o link.o -o $@ -L$(CUDA)/lib64 -lcudadevrt -lcudart\n", "app link.o"),
    ("rdc-library", "app: rdc_a.cu rdc_b.cu\n\t$(NVCC) -arch=sm_90 -rdc=true -lib rdc_b.cu -o libhalf.a\n\t$(NVCC) -arch=sm_90 -rdc=true rdc_a.cu -L. -lhalf -o $@\n", "app libhalf.a"),
    ("shared", "libstep.so: step.cu\n\t$(NVCC) -Iinc --shared -Xcompiler '-fPIC -O2' -cudart shared $< -o $@\napp: main.cu host.cpp libstep.so\n\t$(NVCC) -Iinc main.cu host.cpp -o $@ -L. -lstep -Xlinker -rpath=. -cudart=shared\n", "app"),
    ("archive", "app: libstep.a\n\t$(NVCC) -Iinc main.cu host.cpp libstep.a -o $@\nlibstep.a: step.cu\n\t$(NVCC) -Iinc -c step.cu\n\tar rcs $@ step.o\n", "app"),
    ("fast-math", f"app: {ALL}\n\t$(NVCC) -Iinc --use_fast_math -maxrregcount=64 -Xptxas -v,-O3 --expt-relaxed-constexpr -DSCALE=4.0f -D NDEBUG -UX -g $^ -o $@\n", "app"),
    ("precise", f"app: {ALL}\n\t$(NVCC) -Iinc -ftz=false -prec-div=true -prec-sqrt=true -fmad=false -Werror all-warnings -w -diag-suppress 177,550 $^ -o $@\n", "app"),
    ("lambdas", "app: lambda.cu\n\t$(NVCC) --extended-lambda --expt-relaxed-constexpr -std=c++17 -arch=sm_90 lambda.cu -o app\n", "app"),
    ("debug", f"app: {ALL}\n\t$(NVCC) -Iinc -G -g -O0 $^ -o $@\n", "app"),
    ("as-cu", f"app: {ALL}\n\tcp step.cu step_gpu.cpp\n\t$(NVCC) -Iinc -x cu -c step_gpu.cpp -o step.o\n\t$(NVCC) -Iinc -c main.cu -odir .\n\t$(NVCC) -Iinc main.o step.o host.cpp host.c -o $@\n", "app"),
    ("kernels-in-files", "app: step.ptx step.cubin step.fatbin\n\ttouch app\nstep.ptx: step.cu\n\t$(NVCC) -Iinc -ptx -arch=compute_80 $<\nstep.cubin: step.cu\n\t$(NVCC) -Iinc --cubin -arch=sm_90 -o $@ $<\n"
                         "step.fatbin: step.cu\n\t$(NVCC) -Iinc -fatbin -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=compute_90 $< -o $@\n", "step.ptx step.cubin step.fatbin"),
    ("response-file", f"app: {ALL}\n\t$(NVCC) --options-file opts.rsp $^ -o $@\n\t$(NVCC) @opts.rsp -c step.cu\n", "app step.o"),
    ("depends", "app: .depend\n\t$(NVCC) -Iinc main.cu step.cu host.cpp -o $@\n.depend: main.cu step.cu\n\t$(NVCC) -Iinc -M main.cu > $@\n\t$(NVCC) -Iinc -MM step.cu >> $@\n\t$(NVCC) -Iinc -E step.cu > /dev/null\n", "app .depend"),
    ("forwarded", f"app: {ALL}\n\t$(NVCC) -forward-unknown-to-host-compiler -Iinc -fopenmp-simd -march=native -Wno-unused-parameter -isystem=inc -ccbin g++ -allow-unsupported-compiler $^ -o $@ -pthread -lm\n", "app"),
]


def build(style, a):
    name, text, wanted = style
    folder = os.path.join(a.temp, name)
    os.makedirs(os.path.join(folder, "inc"), exist_ok=True)
    for path, content in FILES.items():
        with open(os.path.join(folder, path), "w") as f:
            f.write(content)
    with open(os.path.join(folder, "Makefile"), "w") as f:
        f.write(f"NVCC ?= nvcc\nCUDA = {a.cuda}\n{text}")
    # What other programs would make of what is not there is not asked.
    nvcc = f"{a.nvcc} --dryrun" if a.dry else a.nvcc
    done = subprocess.run(["make", "-s", "-k", f"NVCC={nvcc}", "app"] + ["g++=true"] * a.dry, cwd=folder, capture_output=True, text=True)
    if a.dry:
        fatal = [line for line in done.stderr.splitlines() if "nvcc fatal" in line or "Traceback" in line]
        return f"{name}: {fatal[0]}" if fatal else "#$ " not in done.stderr and f"{name}: {done.stderr}"
    missing = [path for path in wanted.split() if not os.path.exists(os.path.join(folder, path))]
    if done.returncode or missing:
        return f"{name}: {' '.join(missing)}\n{done.stdout}{done.stderr}"
    return None


def main():
    p = argparse.ArgumentParser()
    for name in ("nvcc", "cuda", "temp"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--dry", action="store_true")
    p.add_argument("--only", default="")
    a = p.parse_args()
    chosen = [style for style in STYLES if not a.only or style[0] in a.only.split(",")]
    wrong = [text for style in chosen if (text := build(style, a))]
    print("\n".join(wrong) or f"{len(chosen)} styles")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
