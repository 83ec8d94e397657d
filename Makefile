# Tidewaiter. `make` or `make help` lists what there is to do.

SHELL := /bin/bash
GO ?= go
export CGO_ENABLED ?= 0
export GOFLAGS ?= -buildvcs=false -trimpath

# Tools for checks, tests, releases and the Helm chart. Their versions are set only here.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0
GOSEC := github.com/securego/gosec/v2/cmd/gosec@v2.29.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.8.0
HELM := helm.sh/helm/v3/cmd/helm@v3.19.5
OASDIFF := github.com/oasdiff/oasdiff@v1.36.0
OAPI_CODEGEN := github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
RELEASE_GO := go1.26.8

TOOLS := $(STATICCHECK) $(GOSEC) $(GOVULNCHECK) $(HELM) $(OAPI_CODEGEN) $(OASDIFF)
tool = bin/$(notdir $(1))

VERSION := $(shell ./scripts/version)
STAMP := -X main.version=$(VERSION) -X main.commit=$(shell git rev-parse HEAD 2>/dev/null) \
	-X main.committed=$(shell TZ=UTC git log -1 --format=%cd --date=format-local:%FT%TZ 2>/dev/null)
SOURCES := $(shell find cmd internal -name '*.go' -not -name '*_test.go') go.mod go.sum

.PHONY: help run test test-long fuzz bench bench-large accuracy fit guide pack generate clients check-generated lint secure release check-deploy deps clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

bin/tidewaiter: $(SOURCES) $(shell find internal -type f -not -name '*.go')
	@echo "Building the program; the first time takes some minutes."
	$(GO) build -trimpath -ldflags "-s -w $(STAMP)" -o $@ ./cmd/tidewaiter

# A tool is built once, and again if its version changes.
$(addprefix bin/,$(notdir $(TOOLS))): bin/%:
	GOBIN=$(CURDIR)/bin/new $(GO) install $(filter %/$*,$(TOOLS))
	mv bin/new/$(firstword $(subst @, ,$*)) $@

run: bin/tidewaiter ## build, and run the service with a demo organisation on localhost:8080, with webhooks to this machine
	./bin/tidewaiter demo --addr 127.0.0.1:8080 --data ./data --log-level warn --allow-private-webhooks

# These test the built program from outside: the race detector would only see the test.
# The fault tests mostly wait, and so run beside the others. go test does not know that they depend on the program.
# test/servers tells it: they run again after each change to the sources, and a change to a test repeats only its package.
BLACK_BOX := ./test/faults ./test/browser ./test/bench ./test/clients ./test/conformance ./test/newhub ./test/schema ./test/security ./test/upgrade ./cmd/release

# Packages without goroutines, also in their tests, need no race detector; internal/archtest
# checks that.
UNRACED := ./clients/generate ./internal/access/appearance ./internal/access/strength ./internal/archtest ./internal/assist/explain \
	./internal/assist/extract ./internal/assist/mapping ./internal/audit/merkle ./internal/console/chart ./internal/console/design \
	./internal/console/sheets ./internal/document/csvio ./internal/document/email \
	./internal/document/pdf ./internal/document/pdfwriter ./internal/document/safexml ./internal/document/source ./internal/document/xlsxio \
	./internal/document/xmltree ./internal/filing/attachment ./internal/filing/checklist ./internal/filing/deadline ./internal/filing/lifecycle \
	./internal/filing/rules ./internal/hmrc/emcs ./internal/hmrc/emcs/followup ./internal/hmrc/emcs/life ./internal/hmrc/emcs/rulebook \
	./internal/hmrc/ens ./internal/hmrc/ens/codelist ./internal/hmrc/ens/element ./internal/hmrc/ens/rule ./internal/hmrc/ens/schema \
	./internal/hmrc/inventory ./internal/hmrc/pushpull ./internal/hmrc/wco ./internal/hmrc/wco/amended ./internal/hmrc/wco/amendment \
	./internal/hmrc/wco/cdscode ./internal/hmrc/wco/charge ./internal/hmrc/wco/check ./internal/hmrc/wco/codelist ./internal/hmrc/wco/dataset \
	./internal/hmrc/wco/notification ./internal/hmrc/wco/pointer ./internal/hub/cbam ./internal/hub/corporate \
	./internal/hub/customs/analysis ./internal/hub/customs/datamodel ./internal/hub/customs/fields ./internal/hub/customs/importer \
	./internal/hub/customs/importline ./internal/hub/customs/product ./internal/hub/emcs ./internal/hub/exportcontrol \
	./internal/hub/gvms ./internal/hub/ics2 ./internal/hub/shared/declared ./internal/hub/shared/goods ./internal/hub/shared/ownreference \
	./internal/hub/shared/party ./internal/hub/shared/sanction ./internal/hub/tax ./internal/hub/trade ./internal/hub/tss ./internal/ops/backup \
	./internal/ops/filemode ./internal/ops/instance ./internal/ops/marker ./internal/platform/apierr \
	./internal/platform/calendar ./internal/platform/config ./internal/platform/disk ./internal/platform/lazyregexp ./internal/platform/quantity \
	./internal/platform/sdnotify ./internal/platform/sorting ./internal/platform/secret ./internal/platform/tenant ./internal/records/evidence ./internal/records/evidence/check \
	./internal/records/paste ./internal/records/worksheet ./internal/tariff/book \
	./internal/tariff/measure ./internal/tariff/nomenclature ./internal/tariff/recording ./internal/tariff/table ./internal/tariff/texts \
	./internal/webhook/numbers ./internal/webhook/portal ./test/deploy

# This runs other programs on the OpenAPI document.
CONTRACT := ./test/contract

# The race detector runs only the concurrent tests of the console: all of them would take
# three minutes more.
CONSOLE := ./internal/console
CONSOLE_AT_ONCE := ^Test(PageOfMovingDeclaration|DeclarationToCleared|SetUpAtOnce|ExpiryWarning|Mail|Morning|DeletionUnderHold|ErasureGoesOn)$$

# The race detector runs all others, the longest first. It does not instrument SQLite, which
# is translated from C: its code shares nothing between connections, and would be many times
# slower. lint runs vet. Three packages at a time, and four tests of each, keep two processors busy, as tests also wait.
RACED := $(GO) list ./internal/store ./internal/app ./test/webhooks ./internal/records/bulk ./... | awk '!seen[$$0]++' | grep -v -x -F -f <($(GO) list $(BLACK_BOX) $(CONTRACT) $(UNRACED) $(CONSOLE))
RACE := CGO_ENABLED=1 GOGC=400 GORACE=atexit_sleep_ms=200 $(GO) test -race -gcflags='modernc.org/...=-race=false' -vet=off -timeout 20m -p 3 -parallel 4

# Their tests that race nothing which others do not: files of maximum size, long lists, plans of statements, whole moves,
# rights and migrations of databases, editions of the tariff, published rules of origin, generated declarations, the
# demo, the OpenAPI document, its recorded examples, and thousands of endpoints: the race detector follows at most
# 8,128 goroutines, and has crashed near that.
UNRACED_TESTS := ^Test(SheetMemory|WorkbookBombs|EndlessFile|PublishedFiles|OldestBlock|FiltersAndWords|EventFilters|History|OwnIndexFile|MoveThereAndBack|EarlierEditionsGiveTheSameBytes|EarlierTablesGiveTheSameBytes|StoredTablesAreWhatChanged|DiffPages|DiffOfTablesReadsChapters|ReportOfMeasures|ReportIsReplaced|ReportIsRefused|Entire|CutFiles|Gather|Failure|RemovedDeclarations|EstimateOfWhatIsDeclared|CBAMRates|PublishedSubmissions|PlansOfRecordedCalls|LinkedSums|AcceptedGoodsLimits|GeneratedDeclarations|UsualDocumentsStayTheSame|DocumentIsCompressed|EveryOperationHasExamples|ExamplesHaveTheRightStatus|NullableMembersArePresent|SchemaNames|Enumerations|Select|ExamplesAreRecorded|EditionOfSubmission|NoFalseQualifies|Demo|DemoStaysHome|Kinds|SchemasForTypedClients|EventsAreKeptForTheRetentionPeriod|ConditionalRequests|MarksOfConnectedRecords|EventExamples|VATPeriodsLapse|OrderOfClients|EntriesOfALedger|RightsReportEveryMissingPolicy|OrderOfReferences|ConcernedBy|TablesBecomePartitioned|MoveFindsDifferences|MoveRefuses|RowLevelSecurityOnEveryTable|MigrateCreatesTheRole|MoveTakesNewTables|AnswersOfOlderReleases|MigrateRefusesStrongRoles|ReplacedPostgresIsRefused|HoldsStatementCount|MigrateRepairsRights|PlansOfLogs|PlansOfMetrics|PlansOfDeliveries|ExportOfMany|ImportAgain|Export|SheetTooLargeAsJSON|Columns|DiffOfRowsIsThatOfCodes|Diff|PublishedLists|DiffOfTables|EndlessFiles|CSV|CBAM|Lines|DeprecationHeaders|DeprecationInDocument|GramAbove|Tolerances|ShareOfCompiledRules|PublishedTable|PublishedTextileNotes|Archive|InterruptedRunGoesOn|ManyHangingEndpointsDelayNoOther)$$
UNRACED_OF := ./internal/api ./internal/app ./internal/assist/classify ./internal/hmrc/simulator/cdssim ./internal/hub/customs ./internal/records/bulk ./internal/records/whatif ./internal/tariff/reference ./internal/records/search ./internal/store ./internal/tariff/official ./internal/tariff/origin ./internal/webhook ./test/webhooks

# go test reuses the results of all packages until something that they depend on changes: without a change, only the
# checks remain. `go clean -testcache` forgets the results.
test: deps lint secure check-generated $(call tool,$(OASDIFF)) ## all tests and checks, on SQLite and on a real PostgreSQL
	$(GO) run ./test/servers -memory env $(RACE) -skip '$(UNRACED_TESTS)' $$($(RACED))
	$(GO) run ./test/servers -memory env $(RACE) -run '$(CONSOLE_AT_ONCE)' $(CONSOLE)
	$(GO) run ./test/servers -memory $(GO) test -vet=off -timeout 20m -parallel 4 -run '$(UNRACED_TESTS)' $(UNRACED_OF)
	$(GO) run ./test/servers -memory env GOGC=400 TIDEWAITER_GOVULNCHECK=$(CURDIR)/$(call tool,$(GOVULNCHECK)) TIDEWAITER_OASDIFF=$(CURDIR)/$(call tool,$(OASDIFF)) \
		$(GO) test -vet=off -timeout 20m -p 2 -parallel 8 ./test/faults ./test/browser $(CONSOLE) $(CONTRACT) $(BLACK_BOX) $(UNRACED)

# One package at a time: a release build beside the fault tests would slow the service too much.
test-long: ## the long tests, such as 500 kills
	./scripts/deps long
	$(GO) run ./test/servers env TIDEWAITER_LONG=1 $(GO) test -count=1 -p 1 -timeout 85m -v ./test/faults/... ./test/browser ./test/conformance $(CONTRACT) ./test/schema ./test/security ./test/upgrade ./test/webhooks $(CONSOLE) ./internal/store ./internal/records/evidence ./internal/hub/customs ./internal/hmrc/ens ./internal/tariff/duty ./cmd/release

fuzz: ## fuzz every decoder, FUZZTIME=10m each, and keep what fails
	./scripts/fuzz

bench: ## measure speed and memory, and write docs/benchmarks.md
	$(GO) run ./test/servers $(GO) run ./test/bench -out docs/benchmarks.md

bench-large: ## the same with 10,000,000 declarations: half an hour more, and 35 GB of disk meanwhile
	$(GO) run ./test/servers $(GO) run ./test/bench -large -out docs/benchmarks.md

fit: ## repeat the fit of the classifier's and the reader's confidences and weights, and print it
	@if [ -d ../shared/tariff ]; then $(GO) run ./test/accuracy -fit; \
	else echo "make fit: nothing fitted, as the published texts are not at ../shared/tariff"; fi

accuracy: ## measure how often classifier, extraction and mapping are right, and write docs/accuracy.md
	@if [ -d ../shared/tariff ]; then $(GO) run ./test/accuracy -out docs/accuracy.md -date $$(date +%F); \
	else echo "make accuracy: nothing measured, as the published texts are not at ../shared/tariff"; fi

guide: deps ## make the pictures of docs/guide.md again
	TIDEWAITER_GUIDE=$(CURDIR)/docs/guide $(GO) test ./test/browser -count=1 -run TestGuide

pack: ## pack the included tariff and texts for the program
	TIDEWAITER_PACK=write $(GO) test -count=1 -run '^TestPackedFiles$$' ./internal/tariff ./internal/assist/explain ./internal/demo ./internal/hmrc/wco/cdscode

generate: pack bin/tidewaiter $(call tool,$(OAPI_CODEGEN)) ## write what is generated from the program: documents and API clients
	./bin/tidewaiter docs docs
	@./scripts/clients $(call tool,$(OAPI_CODEGEN))

clients: $(call tool,$(OAPI_CODEGEN)) ## write the API clients that are generated from docs/openapi.json
	@./scripts/clients $(call tool,$(OAPI_CODEGEN))

check-generated: $(call tool,$(OAPI_CODEGEN)) ## fail if a generated file is out of date
	@fresh=$$(mktemp -d) && $(GO) run ./cmd/tidewaiter docs "$$fresh" && \
	for f in openapi.json rules.md lifecycles.md config.schema.json; do \
		diff -u "docs/$$f" "$$fresh/$$f" >/dev/null || { echo "docs/$$f is stale: run make generate"; rm -rf "$$fresh"; exit 1; }; \
	done; rm -rf "$$fresh"
	@./scripts/clients --check $(call tool,$(OAPI_CODEGEN))

# Tools that read all sources at once otherwise spend half their time on garbage collection.
lint secure: export GOGC := 400
lint secure: export GOMEMLIMIT := 3GiB

lint: $(call tool,$(STATICCHECK)) ## gofmt, vet and staticcheck
	@unformatted=$$(gofmt -l clients/generate clients/go cmd internal test) && { [ -z "$$unformatted" ] || { echo "run gofmt on: $$unformatted"; exit 1; }; }
	$(GO) vet ./...
	$(GO) vet -tags jumpingclock ./internal/app
	$(call tool,$(STATICCHECK)) ./...

secure: $(call tool,$(GOSEC)) $(call tool,$(GOVULNCHECK)) ## gosec, the licences of linked modules, and known vulnerabilities
	@./scripts/gosec $(call tool,$(GOSEC))
	@$(GO) run ./cmd/release licences >/dev/null
	@./scripts/vulnerabilities $(call tool,$(GOVULNCHECK))

# If the vulnerability database cannot be reached, a release needs UNCHECKED=1.
release: export REQUIRED := $(if $(UNCHECKED),,1)
release: lint secure ## the files of a release, in dist/
	rm -rf dist
	GOTOOLCHAIN=$(RELEASE_GO) $(GO) run ./cmd/release build

check-deploy: $(call tool,$(HELM)) ## render the Helm chart, and check all files in deploy/
	TIDEWAITER_HELM=$(CURDIR)/$(call tool,$(HELM)) $(GO) test -count=1 ./test/deploy

deps: ## install missing programs that the tests need
	@./scripts/deps

clean: ## remove built files
	rm -rf bin dist
