# find_package(coalda PATHS .../coalda/cmake), or coalda_DIR
include(${CMAKE_CURRENT_LIST_DIR}/Coalda.cmake)
