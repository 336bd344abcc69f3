# cmake --install and cpack. Under the prefix:
#
#     bin/                 the programs; coalda-clang and coalda-tune lead to lib/coalda/scripts
#     lib/coalda/          the plugin, the library of the trace, what the scripts need
#     lib/cmake/coalda/    find_package(coalda)
#     include/, lib/pkgconfig/, share/man/man1/, share/bash-completion/completions/, share/doc/coalda/
#
# Nothing holds the prefix: all of it can be carried elsewhere.
include(GNUInstallDirs)
set(COALDA_HOME ${CMAKE_INSTALL_LIBDIR}/coalda)

set_target_properties(coalda coalda-trace PROPERTIES INSTALL_RPATH "")   # loaded into programs that have LLVM, or want none
install(TARGETS coalda coalda-trace LIBRARY DESTINATION ${COALDA_HOME})
install(TARGETS coalda-report coalda-profile coalda-sim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(programs $<TARGET_FILE:coalda-report> $<TARGET_FILE:coalda-profile> $<TARGET_FILE:coalda-sim>)

file(GLOB scripts CONFIGURE_DEPENDS scripts/coalda-*)
file(GLOB modules CONFIGURE_DEPENDS scripts/coalda_*.py scripts/nvcc_*.py scripts/tune_*.py scripts/bench_model.py
     scripts/bench_build.py scripts/bench_plot.py)
list(APPEND programs ${scripts})
install(PROGRAMS ${scripts} scripts/ncu-join DESTINATION ${COALDA_HOME}/scripts)
install(FILES ${modules} DESTINATION ${COALDA_HOME}/scripts)
# The scripts look for what was built where it is in the source tree; lib64 or a multiarch folder are as deep as they say.
file(RELATIVE_PATH to_home /${CMAKE_INSTALL_BINDIR} /${COALDA_HOME})
file(RELATIVE_PATH to_bin /${COALDA_HOME} /${CMAKE_INSTALL_BINDIR})
string(CONFIGURE [[
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
function(link to at)
  file(MAKE_DIRECTORY "${root}/@CMAKE_INSTALL_BINDIR@")
  file(REMOVE "${root}/${at}")
  file(CREATE_LINK "${to}" "${root}/${at}" SYMBOLIC)
endfunction()
foreach(script @scripts@)
  get_filename_component(name ${script} NAME)
  link(@to_home@/scripts/${name} @CMAKE_INSTALL_BINDIR@/${name})
endforeach()
link(. @COALDA_HOME@/build)
link(@to_bin@/coalda-profile @COALDA_HOME@/coalda-profile)
]] links @ONLY)
install(CODE "${links}")

if(EXISTS ${CMAKE_SOURCE_DIR}/include)
  install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY include/ DESTINATION ${COALDA_HOME}/include)   # for the scripts: the other may be the system's own folder
endif()

# CMake, pkg-config
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/coalda-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/Coalda.cmake cmake/coalda-config.cmake cmake/coalda-toolchain.cmake ${CMAKE_BINARY_DIR}/coalda-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/coalda)
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up "${up}")
set(PC_PREFIX "\${pcfiledir}/${up}")
configure_file(cmake/coalda.pc.in ${CMAKE_BINARY_DIR}/coalda.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/coalda.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Manual pages and completions, from --help
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND NOT COALDA_SANITIZE)
  set(pages ${CMAKE_BINARY_DIR}/help)
  add_custom_command(OUTPUT ${pages}/man1/coalda-report.1
                     COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/help_pages.py ${PROJECT_VERSION} ${pages} ${programs}
                     DEPENDS cmake/help_pages.py coalda-report coalda-profile coalda-sim ${scripts} ${modules} VERBATIM)
  add_custom_target(coalda-help ALL DEPENDS ${pages}/man1/coalda-report.1)
  install(DIRECTORY ${pages}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(DIRECTORY ${pages}/completions/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# cpack -G DEB, or TGZ
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the COALDA project <coalda@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libstdc++6 (>= 12), libllvm${COALDA_LLVM_MAJOR}, clang-${COALDA_LLVM_MAJOR}, python3 (>= 3.9)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "llvm-${COALDA_LLVM_MAJOR}, lld-${COALDA_LLVM_MAJOR}")
include(CPack)
