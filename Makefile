.DEFAULT_GOAL := help
.PHONY: help run test proofs schemathesis lint format seed audit audit-dependencies reproject rotate backup restore bench up down build clean

SOURCES := $(shell find src config scripts -name '*.ts' 2>/dev/null)
INSTALLED := node_modules/.installed
BUILT := dist/.built

help: ## Show the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 28

$(INSTALLED): package.json package-lock.json .npmrc
	@echo 'installing Node.js packages'
	@npm ci --loglevel=error
	@touch $@

$(BUILT): $(INSTALLED) $(SOURCES) tsconfig.json tsconfig.build.json
	@echo 'compiling'
	@npx tsc -p tsconfig.build.json
	@touch $@

build: $(BUILT) ## Install the packages and compile.

run: $(BUILT) ## Start everything on this machine, with demo data.
	@node --enable-source-maps dist/scripts/run.js

test: $(BUILT) ## Run all tests against the real engines.
	@node --enable-source-maps dist/scripts/engines/cli.js install
	@npx jest $(if $(JEST_REPORT),--json --outputFile=$(JEST_REPORT))

proofs: export PROOFS=1
proofs: test ## The same tests, with races, kills and generated input repeated far more often.

schemathesis: $(BUILT) ## Look for what contradicts the OpenAPI document: make schemathesis EXAMPLES=100 SEED=7
	@node --enable-source-maps dist/scripts/schemathesis.js

lint: $(INSTALLED) ## Check types, style, and who imports whom.
	@npx tsc
	@npx biome check
	@npx depcruise --config .dependency-cruiser.js src scripts test

format: $(INSTALLED) ## Format the sources.
	@npx biome check --write

seed: $(BUILT) ## Add half a year of history: make seed CHARGES=10000 MERCHANTS=8 SEED=1
	@node --enable-source-maps dist/scripts/seed.js

audit: $(BUILT) ## Check the whole ledger: balances, statements, charges, refunds, alerts.
	@node --enable-source-maps dist/scripts/audit.js

reproject: $(BUILT) ## Build views anew while they serve: make reproject VIEW=charges,statement
	@node --enable-source-maps dist/scripts/reproject.js

rotate: $(BUILT) ## Make anew what still needs an older one of SECRETS_KEY and KEY_PEPPER.
	@node --enable-source-maps dist/scripts/rotate.js

backup: $(BUILT) ## Save the write store: make backup FILE=portico.backup
	@node --enable-source-maps dist/scripts/backup.js

restore: $(BUILT) ## Fill an empty write store: make restore FILE=portico.backup
	@node --enable-source-maps dist/scripts/restore.js

audit-dependencies: $(BUILT) ## Check licences, hashes, install scripts and known weaknesses of packages.
	@node --enable-source-maps dist/scripts/audit-dependencies.js

bench: $(BUILT) ## Measure against the raw stores.
	@node --enable-source-maps dist/scripts/bench/bench.js

.env:
	@umask 077; for name in JWT_SECRET SECRETS_KEY KEY_PEPPER BOOTSTRAP_OPERATOR_PASSWORD METRICS_TOKEN; do \
	  echo "$$name=$$(head -c 32 /dev/urandom | base64 | tr -d '+/=\n')"; done > $@

up: .env ## Run with Docker: real MongoDB, Elasticsearch and Redis.
	docker compose up --build --detach --wait
	@echo 'https://localhost:8443 (own certificate: curl -k); operator@localhost.test has its password in .env'

down: ## Stop what `make up` started; the data stays.
	docker compose down

clean: ## Remove what was built, installed and stored.
	rm -rf dist node_modules .engines .schemathesis .data
