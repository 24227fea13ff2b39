# Makefile: builds, tests and installs ifbam (GNU make)
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   make              the program, the libraries, the man page, the introspection data
#   make MPI=1        ifbam-mpi, too: the same program, of which mpirun starts many that carry one network
#   make deps         installs what is missing for that and for the tests (Debian, through apt);
#                     make deps demo: for the demo only
#   make demo         runs the paper; its figures go to build/demo/
#   make check        runs the tests; make asan: under the sanitizers (V=1 shows all that they
#                     print, and the commands)
#   make coverage     which lines and branches the tests run; make trust: what takes a night
#   make warnings     what Clang warns of
#   make fuzz         readers get any bytes at all, for FUZZ_SECONDS (60)
#   make format       lays the sources out; make format-check: tells where they aren't; make lint:
#                     looks at the page of a report
#   make doc          the reference of the library: build/doc/index.html
#   make figures      draws src/figures/*.svg of *.dot, by Graphviz
#   make deb          Debian packages: build/deb/; make deb-check: what they install does what README.md says
#   make install      PREFIX=/usr/local DESTDIR=; make uninstall

VERSION := 0.2.0
API     := 1.0
SONAME  := libifbam.so.0

PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
# No sanitizer goes into the core for pages and the object of FMUs: builds beside this one (make asan, fuzz, tsan) take them from it.
WASM_FROM ?= $(BUILD)
FMU_FROM  ?= $(BUILD)
INSTALL ?= install
CFLAGS  ?= -O3 -g

# `make deps check`: nothing below can be worked out before the packages are there.
preparing := $(filter deps dev-deps,$(MAKECMDGOALS))
remaining := $(filter-out deps dev-deps,$(MAKECMDGOALS))
# `make deps demo`: no need of a browser
without_tests := $(and $(remaining),$(if $(filter-out demo install $(BUILD)/ifbam,$(remaining)),,yes))
ifneq (,$(and $(preparing),$(remaining)))
.NOTPARALLEL:
.PHONY: $(remaining)
$(remaining): $(preparing)
	@echo '$@: building what it needs, $(shell nproc) files at a time'
	+@$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) $@
else
.PHONY: all
all:
endif

# ---- packages

PACKAGES := glib-2.0 gobject-2.0 gio-2.0 fftw3 lapacke arpack harminv hdf5-serial gsl
# the program and its pictures
DEBIAN_PACKAGES := gcc clang lld binaryen zopfli libc6-dev binutils pkgconf libglib2.0-dev libfftw3-dev \
  libarchive-dev liblapacke-dev libarpack2-dev libsuitesparse-dev libharminv-dev libhdf5-dev libgsl-dev \
  libcmark-dev $(if $(shell command -v gnuplot),,gnuplot-nox)
# the tests, introspection and its reference; a browser for the page of a report, and who looks at its files
# and MPI with partitions, for ifbam-mpi
DEBIAN_TEST_PACKAGES := libopenmpi-dev openmpi-bin libptscotch-dev libcmocka-dev gobject-introspection libgirepository1.0-dev python3 python3-gi python3-numpy \
  python3-h5py hdf5-tools groff-base nodejs python3-nbclient python3-ipykernel chromium chromium-driver python3-selenium parallel \
  gi-docgen
# what a change is looked at with
DEBIAN_DEV_PACKAGES := gcovr clang libclang-rt-14-dev clang-format man-db eslint tidy graphviz
# and what Debian packages are made and looked at with
DEBIAN_DEV_PACKAGES += debhelper dh-python dpkg-dev fakeroot lintian mmdebstrap

# $(call apt_install,PACKAGES): quick and without the network where all is there
define apt_install
@missing=; for p in $(1); do \
  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q '^install ok installed' \
    || missing="$$missing $$p"; \
done; \
test -z "$$missing" && { echo 'packages: all there'; exit 0; }; \
echo "packages: installing$$missing, and what they need"; \
as_root=; test "$$(id -u)" = 0 || as_root=sudo; \
apt="$$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends"; \
said=$$(mktemp); trap 'rm -f "$$said"' EXIT; \
{ $$apt install $$missing || { $$apt update && $$apt install $$missing; }; } >$$said 2>&1 \
  || { tail -n 20 $$said; exit 1; }; \
echo 'packages: installed'
endef

.PHONY: deps dev-deps
deps:
	$(call apt_install,$(DEBIAN_PACKAGES) $(if $(without_tests),,$(DEBIAN_TEST_PACKAGES)))

dev-deps:
	$(call apt_install,$(DEBIAN_DEV_PACKAGES))

ifeq (,$(and $(preparing),$(remaining)))

# ---- what there is

program_sources := $(wildcard src/program/*.c)
# What other programs run a network by, without GLib: src/port stands in its place.
core_own        := $(wildcard src/port/*.c) \
  $(addprefix src/embed/,core.c core-parameters.c core-reader.c core-rows.c core-scheme-energy.c core-text.c hexadecimal.c model-exchange.c recorder.c)
fmu_sources     := $(addprefix src/embed/,fmi.c fmu.c)
# MPI is asked for by one file, of ifbam-mpi alone.
mpi_sources     := src/run/mpi.c
library_sources := $(filter-out $(program_sources) $(core_own) $(fmu_sources) $(mpi_sources),$(wildcard src/*/*.c elements/*.c analysis/*/*.c))
# The directories of the core; src/port/plain-*.c stands for those of their files that need GObject or the system.
core_directories := base constraint element model engine event
core_reader     := $(addprefix src/file/,$(addsuffix .c,network network-laws network-lines network-reader network-reader-settings network-values element-text element-formula named-law parameters expression quantities \
  digits unit unit-system unit-spelling unit-suggestion printable-text))
core_sources    := $(core_own) $(core_reader) $(filter-out %/param-spec.c %/element-object.c %/base/memory.c, \
  $(wildcard $(core_directories:%=src/%/*.c) elements/*.c))
wasm_sources    := $(core_sources) $(wildcard src/port/libc/*.c)
public_headers  := $(wildcard src/*/ifbam.h src/*/ifbam-*.h analysis/*/ifbam-*.h)
suites          := $(patsubst tests/%.c,%,$(wildcard tests/test-*.c))
test_support    := $(filter-out $(wildcard tests/test-*.c),$(wildcard tests/*.c tests/oracles/*.c tests/matrix/*.c))
test_scripts    := $(wildcard tests/test-*.sh tests/test-*.py)

objects_of       = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
library_objects := $(call objects_of,$(library_sources)) $(BUILD)/report-resource.o $(BUILD)/lab-resource.o $(BUILD)/fmu-resource.o $(BUILD)/c-resource.o
program_objects := $(call objects_of,$(program_sources))
test_objects    := $(call objects_of,$(test_support) $(wildcard tests/test-*.c))
test_programs   := $(suites:%=$(BUILD)/tests/%) $(BUILD)/tests/test-runtime-core
man_pages       := $(BUILD)/ifbam.1 $(BUILD)/ifbam-network.5

# ---- flags: CFLAGS, CPPFLAGS, LDFLAGS, LDLIBS are the user's

comma := ,
needed_cflags := -std=gnu17 -ffp-contract=off -fno-math-errno -fno-trapping-math -fPIC -fvisibility=hidden \
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
needed_cppflags := -Isrc -Ianalysis -I. -DIFBAM_VERSION=\"$(VERSION)\" \
  -DG_LOG_DOMAIN=\"ifbam\" -I/usr/include/suitesparse $(shell pkg-config --cflags $(PACKAGES))
shared_libraries := $(shell pkg-config --libs $(PACKAGES)) -lhdf5_hl -larpack -llapack -lblas -lumfpack -lcholmod -lm
# Programs include HDF5 (as a library it brings thirty others, half of their start) and the used parts of GSL.
libraries := $(patsubst -lgsl,-Wl$(comma)-Bstatic -lgsl -lgslcblas -Wl$(comma)-Bdynamic, \
  $(patsubst -lhdf5,-Wl$(comma)-Bstatic -lhdf5_hl -lhdf5 -Wl$(comma)-Bdynamic -lsz -lz -ldl, \
  $(filter-out -lhdf5_hl -lgslcblas,$(shared_libraries))))
# Markdown, for those who write pages.
cmark := -Wl,-Bstatic -lcmark -Wl,-Bdynamic
needed_cppflags += -I$(BUILD) # report-resource.h
quiet = $(if $(V),,@echo '  $@';)
compile := $(CC) $(needed_cppflags) $(CPPFLAGS) $(CFLAGS) $(needed_cflags)

# The core for pages: by clang and lld, where these are there.
WASM_CC   ?= clang
WASM_LD   ?= wasm-ld
# It is sent packed: wasm-opt's passes that leave alike what gzip finds alike, and zopfli, take a thirteenth off; without
# them it goes as it is.
WASM_OPT  ?= $(shell command -v wasm-opt)
ZOPFLI    ?= $(shell command -v zopfli)
with_wasm := $(and $(shell command -v $(WASM_CC)),$(shell command -v $(WASM_LD)))

# ---- building

ifneq (,$(wildcard src/program/main.c))
all: $(BUILD)/ifbam $(man_pages)
endif
all: $(BUILD)/libifbam.a $(BUILD)/libifbam.so $(BUILD)/ifbam-1-uninstalled.pc

# Remembers how things are compiled, so that other flags or another compiler compile them again.
$(BUILD)/compile: FORCE
	@pkg-config --exists --print-errors $(PACKAGES) libcmark || { echo 'run "make deps" first'; exit 1; }
	@mkdir -p $(@D)
	@echo '$(compile)' | cmp -s - $@ || echo '$(compile)' >$@

# Sanitizers take long to compile with; what none of its tests spends its time in goes as it is (cold = -O0). It is private to
# these: else $(BUILD)/compile would have it, too, where it is made for one of them.
$(addprefix $(BUILD)/obj/,networks/%.o $(addprefix src/,program/%.o embed/%.o) \
  $(addprefix analysis/,figure/%.o lab/%.o report/%.o)): private compile += $(cold)

$(BUILD)/obj/%.o: %.c $(BUILD)/compile
	@mkdir -p $(@D)
	$(quiet)$(compile) -MMD -MP -c $< -o $@

# The page of `ifbam report`, with the plotting library that it uses.
$(BUILD)/report-resource.c $(BUILD)/report-resource.h: analysis/report/report.gresource.xml $(wildcard analysis/report/*)
	@mkdir -p $(@D)
	$(quiet)glib-compile-resources --sourcedir=analysis/report --c-name=ifbam_report \
	  --internal --generate --target=$@ $<

# The page of `ifbam lab`, with the core; of no size where there is none.
ifeq ($(WASM_FROM),$(BUILD))
$(BUILD)/core.wasm.gz: $(if $(with_wasm),$(BUILD)/core.wasm)
	@mkdir -p $(@D)
	$(quiet)$(if $(with_wasm),$(if $(ZOPFLI),$(ZOPFLI) --i15 -c,gzip -9nc) $<,: )>$@
else
$(BUILD)/core.wasm $(BUILD)/core.wasm.gz: $(BUILD)/%: $(WASM_FROM)/%
	@mkdir -p $(@D)
	@cp $< $@
endif

$(BUILD)/lab-resource.c $(BUILD)/lab-resource.h: analysis/lab/lab.gresource.xml $(wildcard analysis/lab/*) $(BUILD)/core.wasm.gz
	@mkdir -p $(@D)
	$(quiet)glib-compile-resources --sourcedir=analysis/lab --sourcedir=$(BUILD) --c-name=ifbam_lab \
	  --internal --generate --target=$@ $<

$(BUILD)/obj/analysis/lab/lab.o: $(BUILD)/lab-resource.h

# The object of FMUs.
$(BUILD)/fmu-resource.c $(BUILD)/fmu-resource.h: src/embed/fmu.gresource.xml $(BUILD)/fmu.so
	$(quiet)glib-compile-resources --sourcedir=$(BUILD) --c-name=ifbam_fmu \
	  --internal --generate --target=$@ $<

$(BUILD)/obj/src/embed/fmu-export.o: $(BUILD)/fmu-resource.h

# What a network in C is put together of: headers of laws and schemes, each with a zero at its end.
c_headers := $(wildcard elements/*.h src/engine/*-stage.h src/engine/stage.h) src/element/extrapolation.h src/element/guard.h \
  $(addprefix src/base/,number-put.h interpolant.h interval.h waveform.h fresnel.h sine.h power.h table.h wave.h \
  program.h operations.h elementary.h elementary.c quick-exponential.h)
c_texts   := $(wildcard src/embed/c/*)

$(BUILD)/c-resource/done: $(c_headers) $(c_texts) Makefile
	@rm -rf $(@D)
	@for f in $(c_headers) $(c_texts); do to=$${f#src/embed/c/}; to=$(@D)/$${to#src/}; mkdir -p $${to%/*}; { cat $$f; printf '\0'; } >$$to; done
	@{ echo '<gresources><gresource prefix="/ifbam/c">'; cd $(@D); find . -type f ! -name '*.xml' | LC_ALL=C sort \
	  | sed 's|^\./\(.*\)|<file>\1</file>|'; echo '</gresource></gresources>'; } >$(@D)/c.gresource.xml
	@touch $@

$(BUILD)/c-resource.c $(BUILD)/c-resource.h: $(BUILD)/c-resource/done
	$(quiet)glib-compile-resources --sourcedir=$(BUILD)/c-resource --c-name=ifbam_c --internal --generate --target=$@ \
	  $(BUILD)/c-resource/c.gresource.xml

$(BUILD)/obj/src/embed/c-headers.o: $(BUILD)/c-resource.h

$(BUILD)/c-resource.o $(BUILD)/report-resource.o $(BUILD)/lab-resource.o $(BUILD)/fmu-resource.o: %.o: %.c $(BUILD)/compile
	$(quiet)$(compile) -c $< -o $@

$(BUILD)/obj/analysis/report/html-page.o: $(BUILD)/report-resource.h

$(BUILD)/libifbam.a: $(library_objects)
	@rm -f $@
	$(quiet)$(AR) rcs $@ $^

$(BUILD)/$(SONAME): $(library_objects) src/embed/ifbam.map
	$(quiet)$(CC) -shared -Wl,-soname,$(SONAME) -Wl,--version-script,src/embed/ifbam.map $(CFLAGS) \
	  $(LDFLAGS) $(library_objects) $(shared_libraries) $(LDLIBS) -o $@

$(BUILD)/libifbam.so: $(BUILD)/$(SONAME)
	@ln -sf $(SONAME) $@

# With PKG_CONFIG_PATH=build, `pkg-config ifbam-1` takes this one, and nothing has to be installed.
$(BUILD)/ifbam-1-uninstalled.pc: src/program/ifbam-1-uninstalled.pc.in Makefile
	@mkdir -p $(@D)
	$(quiet)sed -e 's|@SOURCE@|$(CURDIR)|' -e 's|@BUILD@|$(abspath $(BUILD))|' \
	  -e 's|@VERSION@|$(VERSION)|' $< >$@

# The core alone, against src/port in the place of GLib: it imports the C library and its mathematics.
core_objects := $(core_sources:%.c=$(BUILD)/core/%.o)
core_compile  = $(CC) -Isrc/port -Isrc -I. $(CPPFLAGS) $(CFLAGS) $(needed_cflags) $(cold)

$(BUILD)/core/%.o: %.c $(BUILD)/compile
	@mkdir -p $(@D)
	$(quiet)$(core_compile) -MMD -MP -c $< -o $@

$(BUILD)/core.so: $(core_objects)
	$(quiet)$(CC) -shared $(if $(findstring -fsanitize,$(CFLAGS)),,-Wl,-z,defs) $(CFLAGS) $(LDFLAGS) $^ -lm $(LDLIBS) -o $@

# The same with what importers of FMUs ask for, and they see nothing else of it: the object of all FMUs.
# No sanitizer goes into it: programs that import it have none, and could not load it.
fmu_flags    = $(filter-out -fsanitize% -fno-sanitize%,$(CFLAGS) $(LDFLAGS))
fmu_objects := $(patsubst %.c,$(BUILD)/$(if $(findstring -fsanitize,$(CFLAGS)),fmu,core)/%.o,$(core_sources) $(fmu_sources))

ifeq ($(FMU_FROM),$(BUILD))
$(BUILD)/fmu.so: $(fmu_objects) src/embed/fmu.map
	$(quiet)$(CC) -shared -s -Wl,-z,defs -Wl,--version-script,src/embed/fmu.map $(fmu_flags) $(filter %.o,$^) -lm $(LDLIBS) -o $@
else
$(BUILD)/fmu.so: $(FMU_FROM)/fmu.so
	@mkdir -p $(@D)
	@cp $< $@
endif

$(BUILD)/fmu/%.o: %.c $(BUILD)/compile
	@mkdir -p $(@D)
	$(quiet)$(CC) -Isrc/port -Isrc -I. $(CPPFLAGS) $(fmu_flags) $(needed_cflags) -MMD -MP -c $< -o $@

# The core for pages: WebAssembly, which has no C library; src/port/libc stands in its place.
wasm_objects := $(wasm_sources:%.c=$(BUILD)/wasm/%.o)
wasm_compile  = $(WASM_CC) --target=wasm32 -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -ffreestanding -nostdlibinc -isystem src/port/libc \
  -Isrc/port -Isrc -I. -Oz -Wno-pass-failed -Wno-excess-initializers $(filter-out -fPIC -Wmissing-prototypes,$(needed_cflags))
ifneq (,$(with_wasm))
all: $(BUILD)/core.wasm
else
all: still
.PHONY: still
still:
	@echo 'clang or wasm-ld is missing (make deps): there is no $(BUILD)/core.wasm, and pages stay still'
endif

$(BUILD)/wasm/compile: FORCE
	@mkdir -p $(@D)
	@echo '$(wasm_compile)' | cmp -s - $@ || echo '$(wasm_compile)' >$@

$(BUILD)/wasm/%.o: %.c $(BUILD)/wasm/compile
	@mkdir -p $(@D)
	$(quiet)$(wasm_compile) -MMD -MP -c $< -o $@

# What the plain cycle moves nodes by, on each move of a slider, in pairs of numbers; all else as small as may be.
$(BUILD)/wasm/src/engine/scheme-flip-flop.o: wasm_compile += -Os

# What a page asks for: the rest is left out.
wasm_offered := malloc free $(addprefix ifbam_core_,new free said read read_text parse add_course compile stride last_step n_nodes find_node advance row rows \
  record n_signals signals cycle shape n_events event $(addprefix scheme_energy_,begin name advance))

wasm_features := $(addprefix --enable-,simd bulk-memory nontrapping-float-to-int sign-ext mutable-globals)
wasm_passes   := $(addprefix --,dce remove-unused-module-elements duplicate-function-elimination dae-optimizing \
  simplify-locals optimize-instructions precompute remove-unused-brs merge-blocks simplify-locals vacuum merge-locals \
  coalesce-locals rse vacuum reorder-locals merge-similar-functions inlining-optimizing converge) -s 2

ifeq ($(WASM_FROM),$(BUILD))
# Nothing is imported; the stack is first, so that it can't run into anything.
$(BUILD)/core.wasm: $(wasm_objects)
	$(quiet)$(WASM_LD) --no-entry $(wasm_offered:%=--export=%) --gc-sections --strip-all --compress-relocations --stack-first \
	  -z stack-size=1048576 $^ -o $@
	$(if $(WASM_OPT),$(quiet)$(WASM_OPT) $(wasm_features) $(wasm_passes) $@ -o $@)
endif

# The program holds the library, so that it runs from anywhere.
$(BUILD)/ifbam: $(program_objects) $(BUILD)/libifbam.a
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--export-dynamic-symbol=blas_memory_alloc $^ $(libraries) $(cmark) $(LDLIBS) -o $@

# The same program for many processes: `make MPI=1`. Its one file of its own stands before the library's in its place.
mpi_flags := -I/usr/include/scotch $(shell pkg-config --cflags ompi-c 2>/dev/null)
mpi_libraries := $(shell pkg-config --libs ompi-c 2>/dev/null) -lptscotch -lscotch -lptscotcherr

$(BUILD)/obj/$(mpi_sources:.c=.o): private compile += $(mpi_flags)

$(BUILD)/ifbam-mpi: $(program_objects) $(call objects_of,$(mpi_sources)) $(BUILD)/libifbam.a
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--export-dynamic-symbol=blas_memory_alloc $^ $(libraries) $(cmark) $(mpi_libraries) $(LDLIBS) -o $@

with_mpi := $(and $(shell pkg-config --exists ompi-c && echo yes),$(wildcard /usr/include/scotch/ptscotch.h))
ifneq (,$(filter-out 0 no,$(MPI)))
all: $(BUILD)/ifbam-mpi
ifeq (,$(with_mpi))
$(error MPI=1 wants Open MPI and PT-Scotch: run "make deps" first)
endif
endif

# The demo; it is not installed. It holds no page, so that its pictures wait for nothing that pages hold.
$(BUILD)/without-pages.a: $(filter-out %/lab/lab.o %/embed/fmu-export.o,$(call objects_of,$(library_sources)))
	@rm -f $@
	$(quiet)$(AR) rcsT $@ $^

$(BUILD)/paper: $(BUILD)/obj/networks/paper.o $(BUILD)/without-pages.a
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(libraries) $(LDLIBS) -o $@

# The classes describe themselves: the manual is never behind them.
$(BUILD)/classes.man: $(BUILD)/ifbam
	$(quiet)$(BUILD)/ifbam elements --man >$@

$(man_pages): $(BUILD)/%: src/program/%.in $(BUILD)/classes.man
	$(quiet)sed -e 's/@VERSION@/$(VERSION)/' -e '/^@ELEMENTS@$$/{r $(BUILD)/classes.man' -e 'd}' $< >$@

include src/embed/introspection.mk tests/tests.mk debian/packages.mk

# ---- running

.PHONY: demo
demo: $(BUILD)/paper
	@echo 'demo: repeating the paper, with its figures in $(BUILD)/demo/'
	@mkdir -p $(BUILD)/demo
	@$(BUILD)/paper $(BUILD)/demo >$(BUILD)/demo/result.txt || { cat $(BUILD)/demo/result.txt; exit 1; }
	@echo 'demo: its figures are there; building the program with its pages, $(BUILD)/ifbam'
	+@$(MAKE) --no-print-directory $(BUILD)/ifbam
	@cat $(BUILD)/demo/result.txt
	@echo 'demo: this text is in $(BUILD)/demo/result.txt, the pictures are $(BUILD)/demo/figure-*.png and .svg'

# The figures of the shipped networks, beside their files.
# NAME:SPEED
movies := pendulum:1 crane:1 double-pendulum:1 slider-crank:0.1 engine:0.2 four-bar:1 parallelogram:1 half-car:1 marble:0.2 marble-table:0.2 pendulum-hit:1 rod-chain:1 rope-swing:1 falling-bar:0.2 leash:1 charpy:0.5 free-kick:0.5

.PHONY: gallery
gallery: $(BUILD)/ifbam
	@set -e; for network in networks/*.ini; do echo "  $${network%.ini}.svg"; \
	  $(BUILD)/ifbam plot course "$$network" -o "$${network%.ini}.svg"; done
	@$(BUILD)/ifbam campbell networks/turbine.ini --speed speed=20rpm:60rpm --signal propeller-shaft.torque -o networks/turbine-campbell.svg
	@$(BUILD)/ifbam modes networks/three-dof.ini --sensitivity -o networks/three-dof-sensitivity.svg >/dev/null
	@printf 'frequency\n9.5\n24\n48\n' >$(BUILD)/measured.csv
	@$(BUILD)/ifbam fit networks/three-dof.ini --to $(BUILD)/measured.csv --vary k1.stiffness,k3.stiffness -o networks/three-dof-fit.svg >/dev/null
	@$(BUILD)/ifbam orbit networks/duffing.ini --over push.frequency=10Hz:4.6Hz --set m1.position=0mm --signal m1.position -o networks/duffing-orbit.svg
	@$(BUILD)/ifbam section networks/impact-oscillator.ini --over shaker.frequency=1.6Hz:2.6Hz --points 240 --last 24 --signal m1.position -o networks/impact-oscillator-section.svg
	@$(BUILD)/ifbam plot orders networks/run-up.ini --over shaft.angle --order 1,2 --segment 4 -o networks/run-up-orders.svg
	@set -e; for movie in $(movies); do network=networks/$${movie%%:*}; echo "  $$network-movie.svg"; \
	  $(BUILD)/ifbam plot movie "$$network.ini" --speed "$${movie##*:}" -o "$$network-movie.svg"; done

# The figures of the source's pages (Graphviz)
.PHONY: figures
figures:
	@set -e; for source in src/figures/*.dot; do dot -Tsvg "$$source" -o "$${source%.dot}.svg"; done

# ---- layout

formatted := $(wildcard $(foreach d,src/* src/port/libc src/port/libc/sys elements analysis/* networks tests tests/bench tests/classes tests/fuzz tests/faults tests/matrix,$(d)/*.[ch]))
.PHONY: format format-check
format:
	clang-format -i $(formatted)

format-check:
	clang-format --dry-run --Werror $(formatted)

# The pages' own files; the library beside them is as it was published.
lab_scripts := $(addprefix analysis/lab/,core.js quantities.js plane-lines.js diagram.js plane.js charts.js modes.js element-words.js parameter-rows.js runs.js scheme-energy.js \
  address.js drag.js controls.js lab.js)
.PHONY: lint
lint:
	NODE_PATH=/usr/share/nodejs eslint --format unix analysis/report/report.js
	tidy -quiet -errors analysis/report/report.html
	@{ echo '(() => {'; cat $(lab_scripts); echo '})();'; } | NODE_PATH=/usr/share/nodejs eslint --format unix --stdin \
	  --rule 'indent: off' --rule 'max-len: [error, 120]' \
	  --rule 'no-use-before-define: [error, { functions: false, variables: false }]' --global BigInt,DecompressionStream
	sed -e '/@@VIEW@@/{r analysis/lab/view.html' -e 'd}' analysis/lab/lab.html | tidy -quiet -errors

# ---- installing

bindir     := $(PREFIX)/bin
libdir     := $(PREFIX)/lib
includedir := $(PREFIX)/include/ifbam-$(API)
datadir    := $(PREFIX)/share
mandir     := $(datadir)/man
compdir    := $(datadir)/bash-completion/completions
to         := $(DESTDIR)
# Where Debian's Python looks: for packages in /usr, else for what is installed beside them.
pythondir  ?= $(PREFIX)/lib/$(if $(filter /usr,$(PREFIX)),python3,$(shell /usr/bin/python3 -c \
  'import sys; print("python%d.%d" % sys.version_info[:2])' 2>/dev/null || echo python3))/dist-packages
# Public headers name each other by their directories; a program includes <ifbam.h>.
installed_as := s|^[a-z]*/||;s|^embed/ifbam\.h|ifbam.h|
FULL_SONAME := libifbam.so.$(VERSION)

.PHONY: install uninstall
install: all
	$(INSTALL) -d $(to)$(bindir) $(to)$(libdir)/pkgconfig $(to)$(libdir)/girepository-1.0 \
	  $(to)$(includedir) $(to)$(datadir)/gir-1.0 $(to)$(mandir)/man1 $(to)$(mandir)/man5 \
	  $(to)$(compdir)
	$(INSTALL) -m 755 $(BUILD)/ifbam $(to)$(bindir)/ifbam
	$(INSTALL) -m 644 $(BUILD)/$(SONAME) $(to)$(libdir)/$(FULL_SONAME)
	ln -sf $(FULL_SONAME) $(to)$(libdir)/$(SONAME)
	ln -sf $(SONAME) $(to)$(libdir)/libifbam.so
	for header in $(public_headers); do \
	  $(INSTALL) -D -m 644 $$header $(to)$(includedir)/$$(echo $$header | sed '$(installed_as)') || exit 1; \
	done
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(libdir))|' -e 's|@VERSION@|$(VERSION)|' -e 's|@API@|$(API)|' \
	  src/program/ifbam-1.pc.in >$(to)$(libdir)/pkgconfig/ifbam-1.pc
	$(INSTALL) -m 644 $(BUILD)/ifbam.1 $(to)$(mandir)/man1
	$(INSTALL) -m 644 $(BUILD)/ifbam-network.5 $(to)$(mandir)/man5
	$(INSTALL) -m 644 src/program/ifbam.bash-completion $(to)$(compdir)/ifbam
ifneq (,$(with_gir))
	$(INSTALL) -m 644 $(gir) $(to)$(datadir)/gir-1.0
	$(INSTALL) -m 644 $(typelib) $(to)$(libdir)/girepository-1.0
	$(INSTALL) -D -m 644 $(python_module) $(to)$(pythondir)/gi/overrides/Ifbam.py
endif
	@test -n "$(DESTDIR)" || test "$$(id -u)" != 0 || ldconfig

uninstall:
	rm -f $(to)$(bindir)/ifbam $(addprefix $(to)$(libdir)/,$(FULL_SONAME) $(SONAME) libifbam.so) \
	  $(to)$(libdir)/pkgconfig/ifbam-1.pc $(to)$(mandir)/man1/ifbam.1 $(to)$(mandir)/man5/ifbam-network.5 \
	  $(to)$(compdir)/ifbam \
	  $(to)$(datadir)/gir-1.0/$(notdir $(gir)) $(to)$(libdir)/girepository-1.0/$(notdir $(typelib)) \
	  $(to)$(pythondir)/gi/overrides/Ifbam.py \
	  $(addprefix $(to)$(includedir)/,$(shell echo $(public_headers) | xargs -n 1 | sed '$(installed_as)'))
	-@find $(to)$(includedir) -depth -type d -empty -delete 2>/dev/null

.PHONY: clean FORCE
clean:
	rm -rf $(BUILD)

.DELETE_ON_ERROR:
-include $(patsubst %.o,%.d,$(library_objects) $(program_objects) $(core_objects) $(fmu_objects) $(wasm_objects) $(test_objects)) $(BUILD)/obj/tests/fuzz/fuzz.d $(BUILD)/core/tests/test-runtime.d \
  $(BUILD)/obj/networks/paper.d

endif
