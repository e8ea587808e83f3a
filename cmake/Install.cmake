# The libraries, their headers and the tools, for find_package(spmlite) and pkg-config. Both
# find their files from where they themselves are, so that the folder can be moved.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

install(FILES ${public_headers}
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/spmlite")
install(FILES LICENSE NOTICE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
file(GLOB licence_texts LICENSES/*.txt)
install(FILES ${licence_texts} DESTINATION "${CMAKE_INSTALL_DOCDIR}/LICENSES")

install(
  TARGETS spmlite spmlite_convert
  EXPORT spmlite
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/spmlite")
if(TARGET spm_to_fb)
  install(TARGETS spm_to_fb RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/spmlite")
install(
  EXPORT spmlite
  NAMESPACE spmlite::
  FILE spmliteConfig.cmake
  DESTINATION "${package}")
# Before 1.0 a minor version may change names.
write_basic_package_version_file(
  "${CMAKE_CURRENT_BINARY_DIR}/spmliteConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/spmliteConfigVersion.cmake"
        DESTINATION "${package}")

file(RELATIVE_PATH prefix_from_pkgconfig
     "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig"
     "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
foreach(name spmlite spmlite-convert)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in" "${name}.pc" @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
