# A toolchain file: CMake's language CUDA compiled by clang with COALDA loaded.
#
#     cmake -B build -DCMAKE_TOOLCHAIN_FILE=.../coalda-toolchain.cmake
#
# Nothing else of the project changes. The architecture is sm_90 where CMAKE_CUDA_ARCHITECTURES does not say any.
find_program(COALDA_CLANG coalda-clang HINTS ${CMAKE_CURRENT_LIST_DIR}/../scripts ${CMAKE_CURRENT_LIST_DIR}/../../../bin NO_DEFAULT_PATH)
find_program(COALDA_CLANG coalda-clang REQUIRED)
set(CMAKE_CUDA_COMPILER ${COALDA_CLANG})
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
# CMake looks for a toolkit beside the first nvcc of PATH; this is the one that coalda-clang takes.
if(NOT DEFINED CUDAToolkit_ROOT)
  execute_process(COMMAND ${COALDA_CLANG} --print-cuda OUTPUT_VARIABLE CUDAToolkit_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(CUDAToolkit_ROOT "${CUDAToolkit_ROOT}" CACHE PATH "The CUDA toolkit")
endif()
