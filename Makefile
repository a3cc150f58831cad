.DEFAULT_GOAL := help
# Else make looks for sources of each of the thousand files that programs are built from.
MAKEFLAGS += --no-builtin-rules
.PHONY: help run test conformance proofs schemathesis lint format seed audit audit-dependencies openapi-diff openapi-lint examples client-types client clients-check wallet-files postman integrity sbom reproject tenants shard simulate-shards simulate mutants model model-mutants rotate backup restore attack bench up down build clean .env

SOURCES := $(shell find src config scripts test/simulation test/model test/support/doubles test/support/stripe test/support/mercado-pago test/support/pix-api \
  $(wildcard test/support/wallet-files.ts test/support/wallet-kit.ts test/support/watched.ts test/support/statements.ts test/support/tenants.ts) -name '*.ts' -not -path 'src/panel/*' 2>/dev/null)
PANEL_SOURCES := $(shell find src/panel -type f 2>/dev/null)
SECRETS := JWT_SECRET SECRETS_KEY KEY_PEPPER BOOTSTRAP_OPERATOR_PASSWORD METRICS_TOKEN \
  MONGODB_KEY MONGODB_ROOT_PASSWORD MONGODB_PASSWORD ELASTICSEARCH_PASSWORD REDIS_PASSWORD
# npm writes it last, so that nothing is installed again after an `npm ci` by hand.
INSTALLED := node_modules/.package-lock.json
COMPILED := dist/.built
PANEL := dist/panel/index.html
CLIENT := dist/client/portico-client.tgz
CLIENT_SOURCES := $(filter src/client/%,$(SOURCES)) docs/guide/clients.md package.json tsconfig.client.json
BUILT := $(COMPILED) $(PANEL) $(CLIENT)

help: ## Show the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 28

$(INSTALLED): package.json package-lock.json .npmrc
	@echo 'installing Node.js packages'
	@npm ci --loglevel=error
	@touch $@

$(COMPILED): $(INSTALLED) $(SOURCES) rolldown.config.js tsconfig.json
	@echo 'compiling'
	@npx rolldown --config rolldown.config.js > /dev/null
	@touch $@

# The panel has the client and pure rules of the modules in it.
$(PANEL): $(INSTALLED) $(PANEL_SOURCES) $(filter src/%,$(SOURCES))
	@echo 'building the panel'
	@NODE_ENV=production npx vite build src/panel --config src/panel/vite.config.ts
	@touch $@

$(CLIENT): $(COMPILED) $(CLIENT_SOURCES)
	@echo 'packing the client'
	@npx tsc -p tsconfig.client.json
	@node --enable-source-maps dist/scripts/client/pack.js
	@touch $@

build: $(BUILT) ## Install the packages and compile.

# The heap of a container with 512 MiB: by default garbage may grow with the memory of the machine.
HEAP := --max-old-space-size=384

run: $(BUILT) ## Start everything on this machine, with demo data; PROVIDERS=doubles has live keys lead to doubles.
	@node --enable-source-maps $(HEAP) dist/$(if $(filter doubles,$(PROVIDERS)),test/support/doubles,scripts)/run.js

test: $(BUILT) ## Run all tests against the real engines.
	@node --enable-source-maps dist/scripts/engines/cli.js install
	@npx jest $(if $(JEST_REPORT),--json --outputFile=$(JEST_REPORT))

# Stripe's own server for tests, which holds requests against the OpenAPI document: `stripe-mock`, or Go to install it.
STRIPE_MOCK := github.com/stripe/stripe-mock@v0.203.0

# The simulator keeps its payments in MongoDB, so it is tried along with the engines.
conformance: export PROVIDER := $(PROVIDER)
conformance: $(BUILT) ## Try a connector against a provider's sandbox: make conformance PROVIDER=stripe, settings as for make run.
ifeq ($(PROVIDER),simulator)
	@npx jest test/integration/simulator.test.ts
else ifeq ($(PROVIDER),stripe-mock)
	@command -v stripe-mock > /dev/null || GOBIN=$(CURDIR)/dist/tools go install $(STRIPE_MOCK)
	@PATH="$(CURDIR)/dist/tools:$$PATH" npx jest --config test/conformance/jest.config.js stripe-mock
else
	@npx jest --config test/conformance/jest.config.js sandbox
	@echo 'the transcript, without card numbers and secrets: dist/conformance/$(PROVIDER).txt'
endif

# Nothing but the model needs it, and it brings eighty packages along.
QUINT := dist/tools/quint/node_modules/.package-lock.json
$(QUINT): test/model/quint/package.json test/model/quint/package-lock.json
	@mkdir -p dist/tools/quint && cp $^ dist/tools/quint
	@npm ci --prefix dist/tools/quint --ignore-scripts --loglevel=error > /dev/null
	@touch $@

model: $(BUILT) $(QUINT) ## Check the model and play its traces to the program: make model TRACES=500 PLAYED=100 SEED=1
	@node --enable-source-maps dist/test/model/cli.js

model-mutants: $(BUILT) $(QUINT) ## Change the model or the program, which the other has to notice: make model-mutants MUTANT=alert
	@node --enable-source-maps dist/test/model/try-mutants.js

proofs: export PROOFS=1
proofs: test ## The same tests, with races, kills and generated input repeated far more often.

schemathesis: $(BUILT) ## Look for what contradicts the OpenAPI document: make schemathesis EXAMPLES=100 SEED=7
	@node --enable-source-maps $(HEAP) dist/scripts/schemathesis.js

lint: $(INSTALLED) ## Check types, style, and who imports whom.
	@npx tsc
	@npx tsc -p src/panel
	@npx biome check
	@npx depcruise --config .dependency-cruiser.js src scripts test

format: $(INSTALLED) ## Format the sources.
	@npx biome check --write

seed: $(BUILT) ## Add half a year of history: make seed CHARGES=10000 MERCHANTS=8 SEED=1
	@node --enable-source-maps dist/scripts/seed.js

audit: $(BUILT) ## Check the whole ledger: balances, statements, charges, refunds, alerts.
	@node --enable-source-maps dist/scripts/check-ledger.js

reproject: $(BUILT) ## Build views anew while they serve: make reproject VIEW=charges,statement
	@node --enable-source-maps dist/scripts/reproject.js

tenants: $(BUILT) ## Name the tenant on documents of older versions, while gateways work.
	@node --enable-source-maps dist/scripts/tenants.js

shard: $(BUILT) ## Spread the collections over the shards of a MongoDB cluster, by tenant.
	@node --enable-source-maps dist/scripts/tenants.js shard

simulate-shards: $(BUILT) ## Compute the load of shards: make simulate-shards TENANTS=20000 CHARGES=10000
	@node --enable-source-maps dist/scripts/simulate-shards.js

simulate: $(BUILT) ## Play the gateway in one process, on seeds: make simulate SEEDS=200, or SEED=7 ROUNDS=8
	@node --enable-source-maps --max-semi-space-size=64 dist/test/simulation/cli.js

mutants: $(BUILT) ## Plant bugs that the simulation has to find: make mutants MUTANT=refund
	@node --enable-source-maps dist/test/simulation/mutants/try-mutants.js

rotate: $(BUILT) ## Make anew what still needs an older one of SECRETS_KEY and KEY_PEPPER.
	@node --enable-source-maps dist/scripts/rotate.js

backup: $(BUILT) ## Save the write store: make backup FILE=portico.backup
	@node --enable-source-maps dist/scripts/backup.js

restore: $(BUILT) ## Fill an empty write store: make restore FILE=portico.backup
	@node --enable-source-maps dist/scripts/restore.js

audit-dependencies: $(BUILT) ## Check licences, hashes, install scripts and known weaknesses of packages.
	@node --enable-source-maps dist/scripts/audit-dependencies.js

# The OpenAPI document of the last release, and the program that compares: `oasdiff`, or Go to run it.
RELEASED = $(shell ls docs/openapi/*.json.gz | sort -V | tail -1)
OASDIFF = $(shell command -v oasdiff || echo go run github.com/oasdiff/oasdiff@v1.35.0)

openapi-diff: $(BUILT) ## Fail where the API breaks clients of the last release; needs oasdiff or Go.
	@set -e; folder=$$(mktemp -d); trap 'rm -rf $$folder' EXIT; \
	  gunzip -c $(RELEASED) | node dist/scripts/comparable-openapi.js > $$folder/released.json; \
	  node dist/scripts/openapi.js | node dist/scripts/comparable-openapi.js > $$folder/current.json; \
	  $(OASDIFF) breaking --flatten-allof --fail-on ERR --severity-levels docs/openapi/severity-levels.txt \
	    --err-ignore docs/openapi/accepted-changes.txt \
	    $$folder/released.json $$folder/current.json

openapi-lint: $(BUILT) ## Hold the OpenAPI document against the recommended rules of Redocly and Spectral, from npm.
	@set -e; folder=$$(mktemp -d); trap 'rm -rf $$folder' EXIT; \
	  node dist/scripts/openapi.js > $$folder/openapi.json; \
	  npx --yes @redocly/cli@2.77.0 lint --extends recommended-strict $$folder/openapi.json; \
	  npx --yes @stoplight/spectral-cli@6.16.3 lint --fail-severity warn --ruleset docs/openapi/spectral.yaml \
	    $$folder/openapi.json

# Files of tests whose merchants, charges and answers are as a reader's would be.
EXAMPLES_FROM = $(filter-out %/guides.test.ts %/panel.test.ts %/client.test.ts %/docs-page.test.ts \
  %/live-offers.test.ts %/production-guide.test.ts %/quarter.test.ts, \
  $(wildcard test/api/*.test.ts)) test/integration/provider-notifications.test.ts test/security/keys.test.ts \
  test/security/two-people.test.ts test/security/documents.test.ts test/security/audit-chain.test.ts \
  test/integration/retention.test.ts

examples: $(BUILT) ## Write the examples of the OpenAPI document anew; or add those of new routes: make examples FROM=test/api/…
	@set -e; RECORD_EXAMPLES=$$(mktemp -d); export RECORD_EXAMPLES; trap 'rm -rf $$RECORD_EXAMPLES' EXIT; \
	  npx jest $(or $(FROM),$(EXAMPLES_FROM)) --selectProjects engines; \
	  KEEP_EXAMPLES=$(if $(FROM),1) node --enable-source-maps dist/scripts/examples/write-examples.js

client-types: $(COMPILED) ## Write the generated part of the client anew, after a change of the API's shape.
	@node --enable-source-maps dist/scripts/client/write-types.js

client: $(CLIENT) ## Pack the TypeScript client: dist/client/portico-client.tgz, which the gateway serves.
	@echo $(CLIENT)

clients-check: $(BUILT) ## Have three generated clients and the Postman collection do what guides show; needs the network.
	@node --enable-source-maps dist/scripts/clients-check.js

postman: $(BUILT) ## Write a Postman collection of all that secret keys may do: make postman KEY=sk_test_… MASTER_KEY=sk_test_…
	@node --enable-source-maps dist/scripts/postman.js

wallet-files: $(BUILT) ## Make a device wallet's root, certificate and token for the guide of payments: dist/wallet.
	@node --enable-source-maps dist/test/support/wallet-files.js

integrity: $(BUILT) ## Write the hashes of the checkout page, which a release has in docs/integrity.json.
	@node --enable-source-maps dist/scripts/integrity.js > docs/integrity.json
	@echo 'docs/integrity.json'

sbom: $(BUILT) ## List what runs in production, as CycloneDX, and its licences: dist/sbom.
	@mkdir -p dist/sbom
	@node --enable-source-maps dist/scripts/sbom.js > dist/sbom/portico.cdx.json
	@node --enable-source-maps dist/scripts/licences.js > dist/sbom/licences.txt
	@echo 'dist/sbom/portico.cdx.json, dist/sbom/licences.txt'

attack: $(BUILT) ## Attack a gateway that runs here, and measure others' calls: make attack PORT=3000 SECONDS=15
	@node --enable-source-maps dist/scripts/attack.js

bench: $(BUILT) ## Measure against the raw stores.
	@node --enable-source-maps dist/scripts/bench/bench.js

# Adds what is missing to a file that an older version made.
.env:
	@umask 077; touch $@; for name in $(SECRETS); do grep -q "^$$name=" $@ || \
	  echo "$$name=$$(head -c 32 /dev/urandom | base64 | tr -d '+/=\n')" >> $@; done

up: .env ## Run with Docker: real MongoDB, Elasticsearch and Redis.
	docker compose build gateway
	docker compose up --detach --wait
	@echo 'https://localhost:8443 (own certificate: curl -k); operator@localhost.test has its password in .env'

down: ## Stop what `make up` started; the data stays.
	docker compose down

clean: ## Remove what was built, installed and stored.
	rm -rf dist node_modules .engines .schemathesis .data
