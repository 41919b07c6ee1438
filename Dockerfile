# One image for every role: what a container does is said by ROLES (see docker-compose.yml and deploy/kubernetes).
# To build on the very bytes that you have vetted, name them: --build-arg NODE_IMAGE=node@sha256:...
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN node tools/prepare.mjs && npm run --silent sbom > dist/sbom.cdx.json

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
# Each process answers /healthz and /metrics on METRICS_PORT, whatever its role.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || 9464}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# As the launcher starts it: what a start makes stays, and is not looked through for garbage before there are 64 MB.
CMD ["node", "--initial-old-space-size=64", "dist/process.js"]
