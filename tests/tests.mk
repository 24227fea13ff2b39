# tests.mk: tests, sanitizers, coverage, fuzzing and benchmarks
# SPDX-License-Identifier: GPL-3.0-or-later

# ---- test programs

.PHONY: check asan
# The same test of what both have as with GLib.
$(BUILD)/tests/test-runtime-core: $(BUILD)/core/tests/test-runtime.o $(core_objects)
	@mkdir -p $(@D)
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm $(LDLIBS) -lcmocka -o $@

$(addprefix $(BUILD)/tests/,test-core test-matrix): | $(BUILD)/core.so
$(BUILD)/tests/test-corpus: $(BUILD)/obj/tests/fuzz/fuzz.o
# It lets each call of the library of HDF5 fail.
$(BUILD)/tests/test-store: wrapped := $(shell sed -n 's/^WRAP .*, \(H5[A-Za-z0-9_]*\), -1.*/-Wl,--wrap=\1/p' tests/test-store.c)
# It counts how often rows are factored, and steps are taken.
$(BUILD)/tests/test-heaps: wrapped := $(addprefix -Wl$(comma)--wrap=,ifbam_solver_factor ifbam_event_step)
# It counts the steps that find an event.
$(BUILD)/tests/test-event-parts: wrapped := -Wl,--wrap=ifbam_event_step
# It counts how often a network is compiled.
$(BUILD)/tests/test-model: wrapped := $(addprefix -Wl$(comma)--wrap=,ifbam_model_new ifbam_auto_step \
  ifbam_equilibrium_new)
# It lets these refuse.
$(BUILD)/tests/test-refusals: wrapped := $(addprefix -Wl$(comma)--wrap=,g_try_malloc g_try_malloc0 ifbam_memory_lack \
  LAPACKE_dsyevd LAPACKE_dsyev LAPACKE_dgesvj LAPACKE_dgeev LAPACKE_dstev LAPACKE_dgelsy LAPACKE_dgeqp3 LAPACKE_dormqr LAPACKE_dtrtrs \
  LAPACKE_dgesvd LAPACKE_dgesv dsyev_ dgeev_ dsaupd_c dnaupd_c dneupd_c \
  cholmod_analyze cholmod_factorize cholmod_solve2 umfpack_di_symbolic umfpack_zi_symbolic umfpack_di_numeric \
  umfpack_zi_numeric umfpack_di_wsolve umfpack_zi_wsolve)

# What tests are linked with.
archive ?= $(BUILD)/libifbam.a
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(call objects_of,$(test_support)) $(archive)
	@mkdir -p $(@D)
	$(quiet)$(CC) $(CFLAGS) $(LDFLAGS) $(wrapped) $(filter %.o,$^) $(filter %.a,$^) $(libraries) $(LDLIBS) -lcmocka -o $@

.SECONDARY: $(test_objects)

# Lets calls of the system fail, for test-faults.py.
$(BUILD)/tests/faults.so: tests/faults/faults.c $(BUILD)/compile
	@mkdir -p $(@D)
	$(quiet)$(CC) -std=gnu17 -O1 -Wall -Wextra -shared -fPIC $< -o $@ -ldl

# Those that take longest begin.
longest   := $(addprefix tests/test-,faults.py report.py readme.sh crash.py command-line.sh options.py) \
  $(addprefix $(BUILD)/tests/test-,matrix state stability) tests/test-matrix.py
all_tests := $(sort $(test_programs) $(test_scripts))
check: all $(if $(with_mpi),$(BUILD)/ifbam-mpi) $(BUILD)/core.so $(BUILD)/paper $(BUILD)/tests/faults.so $(test_programs)
	@BUILD=$(BUILD) V=$(V) tests/run-tests $(filter $(longest),$(all_tests)) $(filter-out $(longest),$(all_tests))

# Introspection is left out: python is no program of ours, and its interpreter is not instrumented; so are what builds a copy
# of its own, asks a browser, kills a process at an instant, or reads the source, scripts whose commands test-command-line.sh
# gives, too, and programs that do arithmetic for long in the same arrays. What tests do again and again they do less often;
# `make trust` leaves nothing out (ASAN_EFFORT=usual).
ASAN_EFFORT ?= brief
sanitize   := -fsanitize=address,undefined -fno-sanitize-recover=all
not_brief  := $(patsubst %,tests/test-%,benchmarks.py cautions.sh check-large.py checkpoint.py columns.py crash.py damage.py demo.sh doc.sh \
  elements.py fmu.py generated.py hdf5-links.py lab.py lab-page.py layers.py lessons.py long.py massless-modes.py matrix.py measures.py mechanism-answers.py messages.sh modelica.py movie.py \
  newcomer.py notebook.py options.py random-response.py ranks.py raw-objects.py readme.sh report.py response.sh result.py run-up.py same-as.py section.py stability.sh state-space.py sweep.sh \
  symbols.sh teaching.sh users.py verdict.py wasm.py)
not_brief_suites := $(patsubst %,test-%,heaps refinement scales waves)
asan_brief := TEST_EFFORT=brief TEST_SEEDS=4 TEST_NETWORKS=4 USERS=4
asan: $(BUILD)/core.wasm.gz $(BUILD)/fmu.so
	@ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=$(if $(filter brief,$(ASAN_EFFORT)),0,1) \
	LSAN_OPTIONS=suppressions=$(CURDIR)/tests/leaks.supp:print_suppressions=0 \
	UBSAN_OPTIONS=print_stacktrace=1 \
	G_SLICE=always-malloc $(if $(filter brief,$(ASAN_EFFORT)),$(asan_brief),TEST_TIMEOUT=3600) \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/asan WASM_FROM=$(BUILD) FMU_FROM=$(BUILD) with_gir= without_bench=yes LDFLAGS='$(sanitize)' \
	  $(if $(filter brief,$(ASAN_EFFORT)),test_scripts='$(filter-out $(not_brief),$(test_scripts))' \
    suites='$(filter-out $(not_brief_suites),$(suites))') \
	  cold=-O0 CFLAGS='-O1 -g1 -fno-omit-frame-pointer $(sanitize)' check

# ---- benchmarks

#   make bench-deps   installs what they compare with (Debian, through apt)
#   make bench        runs them; CASES="chain-1e6 two-dof" only some; BENCH_RESULTS= keeps no results
bench_sources := $(filter-out tests/bench/yardsticks.c tests/bench/sundials.c, \
  $(wildcard tests/bench/*.c))
with_odeint   := $(if $(wildcard /usr/include/boost/numeric/odeint.hpp),$(shell command -v $(CXX)))
with_sundials := $(and $(wildcard /usr/include/ida/ida.h),$(wildcard /usr/include/cvode/cvode.h))
bench_objects := $(bench_sources:tests/bench/%.c=$(BUILD)/bench/%.o) $(BUILD)/bench/yardsticks.o \
  $(if $(with_odeint),$(BUILD)/bench/odeint.o) $(if $(with_sundials),$(BUILD)/bench/sundials.o)
bench_libraries := $(if $(with_sundials),-lsundials_ida -lsundials_cvode -lsundials_nvecserial)
bench_machine := -O3 -march=native -mprefer-vector-width=512 -ffp-contract=off -fno-math-errno \
  -fno-trapping-math -Wall -Wextra -Wshadow
BENCH_RESULTS ?= tests/bench/results

.PHONY: bench bench-deps
# What the tests don't run is built beside them, or it falls behind what it measures.
check: $(if $(without_bench),,$(BUILD)/bench/bench)
bench-deps:
	$(call apt_install,lammps libboost-dev libsundials-dev ngspice python3-scipy python3-siconos g++ \
	  $(if $(shell command -v gnuplot),,gnuplot-nox))

# What is installed later is used then.
$(BUILD)/bench/with: FORCE
	@mkdir -p $(@D)
	@echo '$(with_odeint) $(with_sundials)' | cmp -s - $@ || echo '$(with_odeint) $(with_sundials)' >$@

$(bench_sources:tests/bench/%.c=$(BUILD)/bench/%.o): $(BUILD)/bench/%.o: tests/bench/%.c \
  $(BUILD)/compile $(BUILD)/bench/with
	@mkdir -p $(@D)
	$(quiet)$(compile) $(if $(with_odeint),-DBENCH_ODEINT) \
	  $(if $(with_sundials),-DBENCH_SUNDIALS) -MMD -MP -c $< -o $@

# The yardsticks are made for the machine; the library is not.
$(BUILD)/bench/yardsticks.o $(BUILD)/bench/sundials.o: $(BUILD)/bench/%.o: tests/bench/%.c \
  $(BUILD)/compile
	@mkdir -p $(@D)
	$(quiet)$(CC) -std=gnu17 $(bench_machine) -Wstrict-prototypes -Wmissing-prototypes -MMD -MP -c $< -o $@

$(BUILD)/bench/odeint.o: tests/bench/odeint.cpp $(BUILD)/compile
	@mkdir -p $(@D)
	$(quiet)$(CXX) -std=gnu++17 $(bench_machine) -MMD -MP -c $< -o $@

$(BUILD)/bench/bench: $(bench_objects) $(BUILD)/libifbam.a
	$(quiet)$(if $(with_odeint),$(CXX),$(CC)) $(CFLAGS) $(LDFLAGS) $^ $(libraries) \
	  $(bench_libraries) $(LDLIBS) -o $@

bench: $(BUILD)/bench/bench
	@echo 'arithmetic in the hand-written loops:'
	@tests/bench/vectorised $(BUILD)/bench/yardsticks.o
	@$(BUILD)/bench/bench --folder $(BUILD)/bench $(BENCH_RESULTS:%=--results %) \
	  --commit "$$(GIT_OPTIONAL_LOCKS=0 git describe --always --dirty 2>/dev/null || echo unknown)" \
	  $(CASES)
	@test -z '$(BENCH_RESULTS)' || tests/bench/plot $(BUILD)/bench/bench $(BENCH_RESULTS)

-include $(bench_objects:.o=.d)

# ---- threads under the thread sanitizer, which must be silent

# Threads of the engines, and two that compile each shipped network at once; those of sweeps wait for GLib's locks, which are
# not instrumented. What draws has no threads.

.PHONY: tsan
TSAN_EFFORT ?= brief
tsan := $(BUILD)/tsan
tsan_suites := test-matrix test-model
tsan: $(BUILD)/fmu.so
	@$(MAKE) --no-print-directory BUILD=$(tsan) CC=clang FMU_FROM=$(BUILD) archive=$(tsan)/undrawn.a LDFLAGS=-fsanitize=thread \
	  CFLAGS='-O1 -g1 -fno-omit-frame-pointer -Wno-pass-failed -fsanitize=thread' $(tsan_suites:%=$(tsan)/tests/%)
	$(if $(filter brief,$(TSAN_EFFORT)),MATRIX_PART=3) G_SLICE=always-malloc TSAN_OPTIONS=halt_on_error=1 $(tsan)/tests/test-matrix compiled line
	$(asan_brief) G_SLICE=always-malloc TSAN_OPTIONS=halt_on_error=1 $(tsan)/tests/test-model
	$(if $(filter brief,$(TSAN_EFFORT)),,G_SLICE=always-malloc TSAN_OPTIONS=halt_on_error=1 $(tsan)/tests/test-matrix compiled)

$(BUILD)/undrawn.a: $(filter-out $(patsubst %,$(BUILD)/obj/%/%,analysis/figure analysis/lab analysis/report), \
  $(call objects_of,$(library_sources))) $(BUILD)/fmu-resource.o $(BUILD)/c-resource.o
	@rm -f $@
	$(quiet)$(AR) rcsT $@ $^

# ---- what Clang warns of, in all that there is

.PHONY: warnings
warnings: $(addprefix $(BUILD)/,report-resource.h lab-resource.h fmu-resource.h c-resource.h)
	@echo $(library_sources) $(program_sources) networks/paper.c | xargs -P $(shell nproc) -n 8 \
	  clang $(needed_cppflags) $(CPPFLAGS) $(needed_cflags) -Werror -fsyntax-only

# ---- which lines and branches the tests run: build/coverage/index.html, and a table of files, worst first

#   make coverage        (make dev-deps installs gcovr)
# Left out are branches that a check of a caller's own mistake makes (g_return_if_fail, g_assert), which no
# caller of ours may take, and those that macros for memory and cleanup make where the source has none.
# Functions are not inlined, nor are the laws' and the arithmetic of powers, which have to be elsewhere: each branch of
# the source counts once, where it stands. Threads may lose a count of many, which is no matter here; atomic counts take
# several times as long.
gcovr := gcovr --root . --gcov-ignore-parse-errors --object-directory $(BUILD)/coverage --filter src/ --filter elements/ --filter analysis/ \
  --exclude-unreachable-branches --exclude-throw-branches \
  --exclude-branches-by-pattern '.*(g_return_(val_)?if_fail|g_assert|g_auto|g_new|g_renew|g_clear_|IFBAM_SHORT_LIST|G_DEFINE_|G_DECLARE_).*'

.PHONY: coverage
coverage:
	-@TEST_SEEDS=8 TEST_NETWORKS=8 USERS=10 ODD=all FAULTS=more TEST_TIMEOUT=3600 $(MAKE) --no-print-directory BUILD=$(BUILD)/coverage LDFLAGS=--coverage \
	  CFLAGS='-O1 -g -fno-inline -DIFBAM_COUNTED --coverage' check
	@$(gcovr) --branches --sort-percentage --txt $(BUILD)/coverage/branches.txt --html-nested $(BUILD)/coverage/index.html
	@sed 's/^/  /' $(BUILD)/coverage/branches.txt | cut -c1-80
	@$(gcovr) --print-summary >/dev/null 2>&1; tail -3 $(BUILD)/coverage/branches.txt

# ---- readers that get any bytes at all, under sanitizers: FUZZ_SECONDS of it, from corpus and networks on

#   make fuzz FUZZ_SECONDS=3600 FUZZ_OPTIONS='-fork=1 -ignore_crashes=1 -ignore_timeouts=1'
# What is found stands in build/fuzz/found/; what is new, for the next time, in build/fuzz/corpus/.
FUZZ_SECONDS ?= 60
fuzz := $(BUILD)/fuzz
fuzz_flags := -fsanitize=address,undefined -fno-sanitize-recover=all

.PHONY: fuzz
fuzz: $(BUILD)/ifbam
	@$(MAKE) --no-print-directory BUILD=$(fuzz) WASM_FROM=$(BUILD) FMU_FROM=$(BUILD) CC=clang with_gir= \
	  CFLAGS='-O0 -g1 -fno-omit-frame-pointer -Wno-excess-initializers -fsanitize=fuzzer-no-link $(fuzz_flags)' $(fuzz)/fuzzer
	@mkdir -p $(fuzz)/found $(fuzz)/corpus $(fuzz)/seeds
	@cp tests/fuzz/corpus/* networks/*.ini $(fuzz)/seeds
	@for file in networks/invalid/*.ini; do cp "$$file" "$(fuzz)/seeds/invalid-$${file##*/}"; done
	@tests/fuzz/dictionary $(BUILD)/ifbam >$(fuzz)/words
	G_SLICE=always-malloc ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
	  $(fuzz)/fuzzer -max_total_time=$(FUZZ_SECONDS) -max_len=4000 -timeout=20 -report_slow_units=2 \
	  -rss_limit_mb=3000 -print_final_stats=1 -artifact_prefix=$(fuzz)/found/ -dict=$(fuzz)/words \
	  $(FUZZ_OPTIONS) $(fuzz)/corpus $(fuzz)/seeds

# Of what draws, and writes programs, readers know nothing.
$(BUILD)/readers.a: $(filter-out $(patsubst %,$(BUILD)/obj/%/%,analysis/figure analysis/lab analysis/report src/embed), \
  $(call objects_of,$(library_sources)))
	@rm -f $@
	$(quiet)$(AR) rcsT $@ $^

$(BUILD)/fuzzer: $(BUILD)/obj/tests/fuzz/fuzz.o $(BUILD)/readers.a
	$(quiet)$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) $^ $(libraries) $(LDLIBS) -o $@

# ---- what takes a night: both compilers' sanitizers, threads, each fault, hours of any bytes

.PHONY: trust
trust: all $(BUILD)/tests/faults.so
	@TEST_EFFORT=full TEST_TIMEOUT=36000 $(MAKE) --no-print-directory check
	@$(MAKE) --no-print-directory ASAN_EFFORT=usual asan
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/clang CC=clang ASAN_EFFORT=usual asan
	@$(MAKE) --no-print-directory TSAN_EFFORT=usual tsan
	@BUILD=$(BUILD) FAULTS=all USERS=100 TEST_TIMEOUT=36000 tests/run-tests tests/test-faults.py tests/test-users.py
	@$(MAKE) --no-print-directory $(BUILD)/tests/test-refinement
	@BUILD=$(BUILD) tests/test-crash.py 300
	@BUILD=$(BUILD) tests/test-result.py 60
	@BUILD=$(BUILD) tests/test-long.py 1e10
	@$(BUILD)/tests/test-refinement 1000
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=$(TRUST_SECONDS) FUZZ_OPTIONS=-fork=$(shell nproc)
TRUST_SECONDS ?= 14400
