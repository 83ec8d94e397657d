# Tidewaiter. `make` or `make help` lists what there is to do.

SHELL := /bin/bash
GO ?= go
export CGO_ENABLED ?= 0
export GOFLAGS ?= -buildvcs=false -trimpath

VERSION := $(shell git describe --always --dirty 2>/dev/null || echo development)
SOURCES := $(shell find cmd internal -name '*.go' -not -name '*_test.go') go.mod go.sum

.PHONY: help run test test-long bench bench-large accuracy guide generate check-generated lint check-deploy deps clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

bin/tidewaiter: $(SOURCES) $(shell find internal -type f -not -name '*.go')
	$(GO) build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o $@ ./cmd/tidewaiter

run: bin/tidewaiter ## build, and run the service with a demo organisation on 127.0.0.1:8080
	./bin/tidewaiter demo --addr 127.0.0.1:8080 --data ./data

# These knock at the program that is built for use: a race detector of theirs would
# look at the test alone.
BLACK_BOX := ./test/browser ./test/conformance ./test/faults

# The race detector looks at all but SQLite, which is translated from C: its code shares
# nothing between connections, and takes many times as long when it is looked at. What
# vet finds, lint has found.
RACE := -race -gcflags='modernc.org/...=-race=false' -vet=off

test: deps lint check-generated ## everything that has to hold, on SQLite and on a real PostgreSQL
	$(GO) run ./test/servers env CGO_ENABLED=1 $(GO) test $(RACE) -timeout 9m $$($(GO) list ./... | grep -v -E '/test/(browser|conformance|faults)$$')
	$(GO) run ./test/servers $(GO) test -vet=off -timeout 9m $(BLACK_BOX)

test-long: deps ## the tests that take their time, such as 500 kills
	$(GO) run ./test/servers env TIDEWAITER_LONG=1 $(GO) test -timeout 85m -v ./test/faults/... ./internal/evidence

bench: ## measure speed and memory, and write docs/benchmarks.md
	$(GO) run ./test/servers $(GO) run ./test/bench -out docs/benchmarks.md

bench-large: ## the same with 10,000,000 declarations: half an hour more, and 35 GB of disk meanwhile
	$(GO) run ./test/servers $(GO) run ./test/bench -large -out docs/benchmarks.md

accuracy: ## measure how often the helpers are right, and write docs/accuracy.md
	@if [ -d ../shared/tariff ]; then $(GO) run ./test/accuracy -out docs/accuracy.md -date $$(date +%F); \
	else echo "make accuracy: nothing measured, as the published texts are not at ../shared/tariff"; fi

guide: deps ## take the pictures of docs/guide.md anew
	TIDEWAITER_GUIDE=$(CURDIR)/docs/guide $(GO) test ./test/browser -count=1 -run TestGuide

generate: bin/tidewaiter ## write the documents that are made from the program
	./bin/tidewaiter docs docs

check-generated: ## fail when such a document is stale
	@fresh=$$(mktemp -d) && $(GO) run ./cmd/tidewaiter docs "$$fresh" && \
	for f in openapi.json rules.md lifecycles.md config.schema.json; do \
		diff -u "docs/$$f" "$$fresh/$$f" >/dev/null || { echo "docs/$$f is stale: run make generate"; rm -rf "$$fresh"; exit 1; }; \
	done; rm -rf "$$fresh"

lint: ## gofmt, vet and staticcheck
	@unformatted=$$(gofmt -l cmd internal test) && { [ -z "$$unformatted" ] || { echo "run gofmt on: $$unformatted"; exit 1; }; }
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.7.0 ./...

HELM := v3.19.5
check-deploy: ## render the Helm chart, and look at all that is in deploy/
	GOBIN=$(CURDIR)/bin $(GO) install helm.sh/helm/v3/cmd/helm@$(HELM)
	TIDEWAITER_HELM=$(CURDIR)/bin/helm $(GO) test -count=1 ./test/deploy

deps: ## install the programs that the tests need and are missing
	@./scripts/deps

clean: ## remove what was built
	rm -rf bin
