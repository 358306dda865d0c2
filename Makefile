# Everything here needs Go and make alone. The tools are Go modules pinned in
# tools/, built from source on first use and kept in Go's build cache or .cache.

SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

# One version for the binary, the image, the manifests and their webhook paths.
VERSION := $(shell cat VERSION)

GO ?= go
CONTAINER_TOOL ?= docker
IMAGE ?= xflops/flame-hook:v$(VERSION)

# Where generated files are written: the repository, or a scratch directory for verify.
OUT ?= .
CACHE := $(CURDIR)/.cache

GO_TOOL := $(GO) tool -modfile=tools/go.mod
CONTROLLER_GEN := $(GO_TOOL) controller-gen
CRD_REF_DOCS := $(GO_TOOL) crd-ref-docs

GOLANGCI_LINT_VERSION := $(shell sed -n 's|.*github.com/golangci/golangci-lint/v2 \(v[0-9.]*\).*|\1|p' tools/golangci-lint/go.mod)
GOLANGCI_LINT := $(CACHE)/bin/golangci-lint-$(GOLANGCI_LINT_VERSION)-$(shell $(GO) env GOVERSION)

# The modules with code of their own, and those that only test.
CODE_MODULES := . $(patsubst %/go.mod,%,tools/go.mod $(wildcard test/*/go.mod test/*/*/go.mod))
CONFORMANCE_MODULES := $(filter-out test/e2e,$(patsubst %/go.mod,%,$(wildcard test/*/go.mod test/*/*/go.mod)))
ALL_MODULES := $(CODE_MODULES) tools/golangci-lint
GO_SOURCES := $(wildcard *.go) $(wildcard */)

# The race detector needs a C compiler. Without one the tests run without it; CI insists.
HAVE_CC := $(shell command -v $(firstword $(shell $(GO) env CC)) 2>/dev/null)
ifneq ($(CI),)
RACE := -race
else ifneq ($(HAVE_CC),)
RACE := -race
endif
ifneq ($(RACE),)
TEST_ENV := CGO_ENABLED=1
endif
ifneq ($(CI),)
COVER := -covermode=atomic -coverprofile=coverage.txt
endif

# What a person wants to add; the scenarios take longer than go test's own limit.
TEST_FLAGS ?=
E2E_FLAGS ?= -timeout=60m
BENCH_FLAGS ?= -benchtime=300ms -count=3
FLEET ?= 200,1000

.PHONY: help
help: ## Lists the targets.
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1|\2/p' $(firstword $(MAKEFILE_LIST)) | while IFS='|' read -r name text; do printf '  %-15s %s\n' $$name "$$text"; done

# Product

.PHONY: build
build: ## Builds bin/flame-hook: static, reproducible, with the version stamped in.
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION)' -o bin/flame-hook ./cmd/flame-hook

.PHONY: run
run: ## Starts the hook on loopback and shows what it answers for examples/minimal.yaml.
	@$(GO) run ./internal/walkthrough

.PHONY: demo
demo: ## Shows a FlameCluster come up on an embedded control plane (the first build takes minutes).
	cd test/e2e && $(GO) run ./demo

.PHONY: image
image: ## Builds the container image (CONTAINER_TOOL=docker or podman).
	$(CONTAINER_TOOL) build --build-arg VERSION=$(VERSION) -t $(IMAGE) .

.PHONY: sbom
sbom: build ## Writes bin/sbom.cdx.json, the bill of materials of bin/flame-hook.
	cd tools && $(GO) run ./sbom -binary $(CURDIR)/bin/flame-hook -version $(VERSION) -out $(CURDIR)/bin/sbom.cdx.json

.PHONY: metacontroller
metacontroller: ## Takes bin/metacontroller out of its image, by METACONTROLLER_DIGEST=sha256:..., for e2e.
	@test -n '$(METACONTROLLER_DIGEST)' || { echo 'set METACONTROLLER_DIGEST to the digest (sha256:...) of a metacontrollerio/metacontroller image'; exit 1; }
	@mkdir -p bin
	$(GO_TOOL) crane export metacontrollerio/metacontroller@$(METACONTROLLER_DIGEST) - | tar -xOf - usr/bin/metacontroller > bin/metacontroller
	chmod +x bin/metacontroller

# Tests

.PHONY: test
test: ## Runs the tests, with the race detector where there is a C compiler.
	@$(if $(RACE),:,echo 'no C compiler found: running without the race detector')
	$(TEST_ENV) $(GO) test $(RACE) $(COVER) $(TEST_FLAGS) ./...
	cd tools && $(GO) test $(TEST_FLAGS) ./...
	@$(if $(COVER),$(GO) tool cover -func=coverage.txt | tail -n 1,:)

.PHONY: conformance
conformance: ## Runs the test-only modules: the CRD's verdict, Pod Security, kstatus.
	@status=0; for module in $(CONFORMANCE_MODULES); do \
		echo "cd $$module && $(GO) test ./..."; (cd $$module && $(GO) test $(TEST_FLAGS) ./...) || status=1; done; exit $$status

.PHONY: e2e
e2e: ## Runs the scenarios on an embedded control plane (the first build takes minutes).
	cd test/e2e && $(GO) test -json -count=1 -vet=off $(E2E_FLAGS) ./... | $(GO) run ./report

.PHONY: bench
bench: ## Runs the benchmarks, and prints tables with ratios behind what benchstat reads.
	@$(GO) test -run '^$$' -bench . -benchmem -p 1 $(BENCH_FLAGS) ./... | $(GO) run ./internal/benchtable

.PHONY: bench-fleet
bench-fleet: ## Measures FLEET (200,1000) FlameClusters, and writes the section of docs/performance.md anew.
	cd test/e2e && $(GO) run ./fleet -clusters $(FLEET) -docs ../../docs

# Code

.PHONY: fmt
fmt: ## Formats all Go code.
	gofmt -s -w $(GO_SOURCES)

.PHONY: lint
lint: $(GOLANGCI_LINT) ## Checks format, go vet and golangci-lint in all modules.
	@unformatted=$$(gofmt -s -l $(GO_SOURCES)); if [ -n "$$unformatted" ]; then echo "not formatted (make fmt):"; echo "$$unformatted"; exit 1; fi
	@status=0; for module in $(CODE_MODULES); do echo "go vet, golangci-lint: $$module"; \
		(cd $$module && $(GO) vet ./... && $(GOLANGCI_LINT) run --allow-parallel-runners --config $(CURDIR)/.golangci.yml ./...) || status=1; done; exit $$status

$(GOLANGCI_LINT): tools/golangci-lint/go.mod
	@echo 'building golangci-lint $(GOLANGCI_LINT_VERSION), once; this takes minutes'
	cd tools/golangci-lint && CGO_ENABLED=0 $(GO) build -trimpath -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: vulncheck
vulncheck: ## Looks for known vulnerabilities, where their database can be reached.
	@log=$$(mktemp) && trap 'rm -f "$$log"' EXIT && \
	if $(GO_TOOL) govulncheck ./... >"$$log" 2>&1; then cat "$$log"; \
	elif grep -q 'fetching vulnerabilities' "$$log"; then echo 'the vulnerability database cannot be reached: not checked'; \
	else cat "$$log"; exit 1; fi

.PHONY: generate
generate: ## Generates the deepcopy code.
	@mkdir -p $(OUT)/api/v1alpha1
	$(CONTROLLER_GEN) object paths=./api/... output:object:dir=$(OUT)/api/v1alpha1

.PHONY: manifests
manifests: ## Generates the CRD and manifests/install.yaml, and checks every kustomize component.
	@mkdir -p $(CACHE)/crd $(OUT)/crd
	$(CONTROLLER_GEN) crd:generateEmbeddedObjectMeta=true paths=./api/... output:crd:dir=$(CACHE)/crd
	cd tools && $(GO) run ./crd -in $(CACHE)/crd/flame.xflops.io_flameclusters.yaml -out $(abspath $(OUT))/crd/flame.xflops.io_flameclusters.yaml
	cd tools && $(GO) run ./manifests -root $(CURDIR) -version $(VERSION) -crd $(abspath $(OUT))/crd/flame.xflops.io_flameclusters.yaml -out $(abspath $(OUT))

.PHONY: docs
docs: ## Generates docs/api.md, the reference of the API, and the pictures.
	@mkdir -p $(OUT)/docs
	cd tools && $(GO) run ./flow -in ../docs/flow.txt -out $(abspath $(OUT))/docs/flow.svg
	cd tools && $(GO) run ./dashboard -in ../manifests/components/monitoring/dashboard.json -out $(abspath $(OUT))/docs/dashboard.svg
	$(CRD_REF_DOCS) --log-level=ERROR --config=tools/crd-ref-docs/config.yaml --source-path=./api/v1alpha1 --renderer=markdown --templates-dir=tools/crd-ref-docs --output-path=$(OUT)/docs/api.md

.PHONY: verify
verify: ## Fails when a generated file or a go.mod is stale.
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	$(MAKE) --no-print-directory generate manifests docs OUT="$$dir" && \
	stale=$$(cd "$$dir" && find . -type f | while read -r file; do diff -u "$(CURDIR)/$$file" "$$file" >&2 || echo "$$file"; done) && \
	if [ -n "$$stale" ]; then echo "stale, run make generate manifests docs:"; echo "$$stale"; exit 1; fi
	@set -e; for module in $(ALL_MODULES); do echo "go mod tidy -diff: $$module"; (cd $$module && $(GO) mod tidy -diff); done

.PHONY: clean
clean: ## Removes what was built here (Go's caches stay).
	rm -rf bin .cache coverage.txt
