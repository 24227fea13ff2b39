# introspection.mk: data for other languages (GObject introspection), Python's module, and the library's reference
# SPDX-License-Identifier: GPL-3.0-or-later

gir     := $(BUILD)/Ifbam-$(API).gir
typelib := $(BUILD)/Ifbam-$(API).typelib
with_gir := $(if $(public_headers),$(shell command -v g-ir-scanner))
ifneq (,$(with_gir))
all: $(gir) $(typelib)
endif

# Python's own words for the library: PYTHONPATH=build/python finds them here.
python_module := $(BUILD)/python/gi/overrides/Ifbam.py
ifneq (,$(with_gir))
all: $(python_module)
endif

$(python_module): src/embed/Ifbam.py
	@mkdir -p $(@D)
	@cp $< $@

.PHONY: gir
gir: $(gir) $(typelib)

$(gir): $(public_headers) $(library_sources) $(BUILD)/libifbam.so
	$(quiet)LD_LIBRARY_PATH=$(BUILD) CC='$(CC)' CFLAGS='$(CPPFLAGS) $(CFLAGS)' LDFLAGS='$(LDFLAGS)' \
	g-ir-scanner --quiet --warn-all --warn-error --namespace=Ifbam --nsversion=$(API) \
	  --identifier-prefix=Ifbam --symbol-prefix=ifbam --include=GObject-2.0 --include=Gio-2.0 \
	  --pkg=gio-2.0 --pkg-export=ifbam-1 $(addprefix --c-include=,ifbam.h) \
	  -Isrc -Ianalysis -I. --library=ifbam --library-path=$(BUILD) -L$(BUILD) \
	  --output=$@ $(public_headers) $(library_sources)

$(typelib): $(gir)
	$(quiet)g-ir-compiler --output=$@ $<

# ---- the reference of the library: build/doc/

.PHONY: doc
doc: $(BUILD)/doc/index.html

$(BUILD)/doc.toml: src/embed/doc.toml.in Makefile
	@sed -e 's|@API@|$(API)|' $< >$@

$(BUILD)/doc/index.html: $(gir) $(BUILD)/doc.toml src/embed/begin.md
	@gi-docgen check --quiet --fatal-warnings --config=$(BUILD)/doc.toml $(gir)
	$(quiet)gi-docgen generate --quiet --fatal-warnings --no-namespace-dir \
	  --config=$(BUILD)/doc.toml --content-dir=src/embed --output-dir=$(@D) $(gir)
