# For another machine, with the cross compiler that Debian has for it:
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/DebianCross.cmake -DSPMLITE_TRIPLE=aarch64-linux-gnu ...
# scripts/cross does so, and runs the tests under qemu.

set(SPMLITE_TRIPLE "" CACHE STRING "The machine, as Debian's compilers name it")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SPMLITE_TRIPLE)
set(CMAKE_SYSTEM_NAME Linux)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${SPMLITE_TRIPLE}")
set(CMAKE_CXX_COMPILER "${SPMLITE_TRIPLE}-g++")
