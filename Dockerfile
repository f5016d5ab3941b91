# syntax=docker/dockerfile:1

FROM node:26-slim AS dependencies
WORKDIR /portbook
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:26-slim AS pages
WORKDIR /portbook
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY formats ./formats
COPY web ./web
COPY scripts/pages.ts scripts/fingerprint.ts ./scripts/
RUN node scripts/pages.ts

FROM node:26-slim
LABEL org.opencontainers.image.title="Portbook" \
      org.opencontainers.image.description="Self-hosted data product catalog for data meshes" \
      org.opencontainers.image.licenses="Apache-2.0"
# Behind a reverse proxy, set PORTBOOK_TRUSTED_PROXIES to its address or range.
# The memory settings are the same as in scripts/run.mjs.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    PORTBOOK_DATA_DIR=/data \
    MALLOC_MMAP_THRESHOLD_=131072 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    NODE_OPTIONS=--max-semi-space-size=8
WORKDIR /portbook
COPY --from=dependencies /portbook/node_modules ./node_modules
COPY LICENSE package.json ./
COPY formats ./formats
COPY server ./server
COPY --from=pages /portbook/web/dist ./web/dist
# Served under /guides, and loaded by `serve --demo`.
COPY docs/guides ./docs/guides
COPY examples ./examples

# Portbook only writes to this folder, so the root file system may be read-only. Without DATABASE_URL,
# it contains Portbook's own PostgreSQL, whose programs are dependencies.
RUN mkdir /data && chown node:node /data && chmod 700 /data
VOLUME /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The server is the first process and receives signals directly, without a shell or npm in between.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "server/main.ts"]
