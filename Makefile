# Everything runs on a machine with Go and git.
export CGO_ENABLED = 0

BINARY = bin/syncproof
VERSION ?= dev

.PHONY: demo build test race lint fuzz bench clean

demo: build ## build, play the built-in demo, print its report
	$(BINARY) demo

build:
	go build -trimpath -ldflags "-s -w -X github.com/syncproof/syncproof/internal/cli.version=$(VERSION)" -o $(BINARY) ./cmd/syncproof

test: ## unit, scenario and command-line tests: no cluster, no network
	go test ./...

race: ## the same with the race detector, in another order, uncached; needs a C compiler
	CGO_ENABLED=1 go test -race -shuffle=on -count=1 -timeout 30m ./...

lint:
	test -z "$$(gofmt -l . | tee /dev/stderr)"
	go vet ./...
	go tool -modfile=tools.mod staticcheck ./...
	go tool -modfile=tools.mod go-errorlint ./...

fuzz: ## a minute on every fuzz target
	@for pkg in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
	    echo "$$pkg $$target"; go test -run '^$$' -fuzz "^$$target$$" -fuzztime 60s $$pkg || exit 1; \
	  done; \
	done

bench:
	go test -run '^$$' -bench . -benchmem ./internal/...

clean:
	rm -rf bin
