# conan create packaging/conan - makes a package of the sources around this file (Conan 2).
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

SOURCES = ("CMakeLists.txt", "LICENSE", "README.md", "cmake/*", "docs/man/*", "docs/reference/*",
           "examples/*", "include/*", "src/*")


class EprofRecipe(ConanFile):
    name = "eprof"
    description = "What a region of code costs, measured inside the running program"
    license = "MIT"
    topics = ("profiling", "performance")
    package_type = "library"
    languages = "C"
    settings = "os", "arch", "compiler", "build_type"
    # symbols, pprof and serve: parts of the command that use libraries of the system (README.md)
    options = {"shared": [True, False], "command": [True, False],
               "symbols": [True, False], "pprof": [True, False], "serve": [True, False]}
    default_options = {"shared": True, "command": True, "symbols": False, "pprof": False,
                       "serve": False}

    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root(), "include", "eprof.h"))
        self.version = header.split('EPROF_VERSION_STRING "')[1].split('"')[0]

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, src=self._root(), dst=self.export_sources_folder)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("libeprof is for Linux")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        # the command is linked with the static library
        toolchain.cache_variables["EPROF_BUILD_SHARED"] = bool(self.options.shared)
        toolchain.cache_variables["EPROF_BUILD_STATIC"] = True
        toolchain.cache_variables["EPROF_BUILD_COMMAND"] = bool(self.options.command)
        toolchain.cache_variables["EPROF_BUILD_EXAMPLES"] = False
        toolchain.cache_variables["EPROF_SYMBOLS"] = bool(self.options.symbols)
        toolchain.cache_variables["EPROF_MPI"] = False
        toolchain.cache_variables["EPROF_PPROF"] = bool(self.options.pprof)
        toolchain.cache_variables["EPROF_SERVE"] = bool(self.options.serve)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder,
             dst=os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # The installed eprof-config.cmake has the targets: eprof::eprof and eprof::auto have options
        # of the linker that cannot be said here.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "eprof")]
        self.cpp_info.libs = ["eprof"]
        if not self.options.shared:
            self.cpp_info.system_libs = ["pthread", "dl"]
