# chatdb: make help lists the targets.

PREFIX ?= /usr/local
RELEASE := .build-release
# Without this option, the program finds many of its types by their names when it runs, and each start takes longer.
TYPES := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
FLAGS = -c release --scratch-path $(RELEASE) $(TYPES) $(MORE)
BUILD = CHATDB_STATIC=1 CHATDB_CPP_ARCHIVE=$$(scripts/cpp-archive.sh $(RELEASE)) swift build $(FLAGS)
CHATDB := $(RELEASE)/release/chatdb
LIBRARY := $(RELEASE)/release/libCChatDB.so
SONAME := $(shell sed -n 's/.*"-soname=\([^"]*\)".*/\1/p' Package.swift)
VERSION := $(shell sed -n 's/.*number = "\(.*\)"/\1/p' Sources/Reports/Report/Version.swift)
# What an app imports by ChatDBKit.
MODULES := ChatDBKit ChatDBArchives ChatDBEncryption ChatDBEngine ChatDBEnginePostgres \
	ChatDBEngineSQLite ChatDBInspection \
	ChatDBMigrations ChatDBNetwork ChatDBPresets ChatDBQRCodes ChatDBReposAgent ChatDBReposBoth ChatDBReposChat \
	ChatDBReposKit ChatDBSalvage ChatDBSchema
SOURCES := Sources Plugins Tests Examples Benchmarks migrations presets Package.swift

# The tests and the programs that they run are one build, so that nothing is compiled twice. It is a release build with
# four differences: a warning is an error, tests use what is internal, most modules are compiled in batches, and nothing
# has information for a debugger, which takes time to compile and to link.
TESTED := RELEASE=.build-tests MORE="-debug-info-format none -Xswiftc -enable-testing" CHATDB_TEST_BUILD=1
# The program of the tests is run itself: if four swift test run at once, one may find the build's database locked.
TEST = env CHATDB_TOOL=$(CURDIR)/$(CHATDB) CHATDB_LIBRARY=$(CURDIR)/$(LIBRARY) \
	$(RELEASE)/release/chatdbPackageTests.xctest --testing-library swift-testing

.PHONY: help deps demo build test tests run-tests lint format golden torture run-torture bench release library docs
.PHONY: install install-library clean

help:  ## print this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

deps:
	@scripts/deps.sh

demo: release  ## show the main functions on a new store, in a new folder
	@scripts/demo.sh $(CHATDB)

build: deps  ## build everything; warnings are errors
	@$(MAKE) $(TESTED) tests release library

test: deps  ## run every test
	@scripts/deps.sh tests & installed=$$!; $(MAKE) build && wait $$installed
	@$(MAKE) $(TESTED) run-tests

tests:
	swift build $(FLAGS) --build-tests

run-tests:
	@scripts/test.sh $(TEST)

lint: deps  ## check the style, strictly
	swift format lint --strict --parallel --recursive $(SOURCES)

format: deps  ## correct the style
	swift format --in-place --parallel --recursive $(SOURCES)

golden: build  ## record the snapshots and the generated documents again
	@CHATDB_RECORD_SNAPSHOTS=1 $(MAKE) $(TESTED) run-tests

torture: build  ## try every file operation of a migration, 100,000 random requests, and programs that share a server
	@CHATDB_TORTURE=full $(MAKE) $(TESTED) run-torture

run-torture:
	@$(TEST) --filter 'Torture|FaultHarness|StoreCreation|EndlessStore|DanglingChain|PresetImportProperty|ProtocolTests|PostgresWriters|ServerKill|PostgresRestart|CopyKill|CopyMemory'

bench: release  ## measure against the sqlite3 shell and psql; writes docs/benchmarks.md
	$(BUILD) --product benchmarks
	$(RELEASE)/release/benchmarks --tool $(CHATDB) --report docs/benchmarks.md

release: deps
	$(BUILD) --product chatdb

library: deps  ## build the C library
	$(BUILD) --product CChatDB

docs: deps  ## write the reference of the libraries into .build/docs
	swift package --allow-writing-to-directory .build/docs generate-documentation \
		--enable-experimental-combined-documentation --output-path .build/docs \
		$(foreach module,$(MODULES),--target $(module))
	@echo "open .build/docs with: python3 -m http.server -d .build/docs, then /documentation"

# -s: without the symbols that only a debugger uses, a program has little more than half of its bytes.
install: release  ## install into PREFIX (and DESTDIR), with completions and manual pages
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -s -m 755 $(CHATDB) $(DESTDIR)$(PREFIX)/bin/chatdb
	$(CHATDB) completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/chatdb
	$(CHATDB) completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_chatdb
	$(CHATDB) --experimental-dump-help \
		| scripts/manual.py $(RELEASE)/man $$($(CHATDB) --version | cut -d ' ' -f 2)
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(RELEASE)/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	$(CHATDB) completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/chatdb.fish

install-library:  ## install the C library, built by make library, into PREFIX (and DESTDIR)
	@test -f $(LIBRARY) || { echo "chatdb: $(LIBRARY) is missing; make library builds it" >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -s -m 755 $(LIBRARY) $(DESTDIR)$(PREFIX)/lib/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libchatdb.so
	install -m 644 C/chatdb.h $(DESTDIR)$(PREFIX)/include
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' C/chatdb.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/chatdb.pc

clean:  ## remove all build products
	rm -rf .build .build-release .build-tests
