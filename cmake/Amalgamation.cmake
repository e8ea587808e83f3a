# The target `amalgamate`: dist/sentencepiece_lite.h and .cc, and the converter beside them.
# An sdist, which carries them, is made while this is configured.

find_package(Python 3.11 COMPONENTS Interpreter)
if(Python_FOUND)
  set(amalgamate
      "${Python_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/scripts/amalgamate.py"
      --flatc "${SPMLITE_FLATC}" --flatbuffers "${SPMLITE_FLATBUFFERS_INCLUDE}")
  add_custom_target(amalgamate COMMAND ${amalgamate} VERBATIM)
endif()
if(SKBUILD_STATE STREQUAL "sdist")
  execute_process(COMMAND ${amalgamate} COMMAND_ERROR_IS_FATAL ANY)
endif()
