FROM node:22.23.3-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# Packages that run, in a layer that changes only with the lock file.
FROM base AS dependencies
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev

FROM base AS build
RUN --mount=type=cache,target=/root/.npm npm ci
COPY tsconfig.json rolldown.config.js ./
COPY config config
COPY src src
COPY scripts scripts
RUN npx rolldown --config rolldown.config.js && npx vite build src/panel --config src/panel/vite.config.ts

FROM node:22.23.3-slim
# DATA_DIR is for the locks of the scripts, as of dist/scripts/reproject.js.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/tmp
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/dist dist
# Guides and examples, which the gateway serves.
COPY docs docs
COPY README.md CHANGELOG.md SECURITY.md CONTRIBUTING.md ./
# `node`, as a number, which Kubernetes can tell from root (runAsNonRoot).
USER 1000:1000
EXPOSE 3000
# A worker answers too. Where the process has a certificate, that is for other names than 127.0.0.1.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=6 CMD ["node", "-e", "\
  require(process.env.TLS_CERT ? 'https' : 'http') \
    .get({ host: '127.0.0.1', port: process.env.PORT || 3000, path: '/health/live', rejectUnauthorized: false }, \
      (response) => process.exit(response.statusCode === 200 ? 0 : 1)) \
    .on('error', () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/src/main/main.js"]
