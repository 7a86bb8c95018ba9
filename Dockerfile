# A small image that runs without root and with a read-only root file system:
#   docker build -t lectern .
#   docker run --rm --read-only -p 8080:8080 -v /path/to/scans:/scans:ro lectern /scans
FROM node:20-bookworm-slim AS build
WORKDIR /app
# What the addon is compiled with that decodes JPEG 2000 by the system’s OpenJPEG.
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev libopenjp2-7-dev pkg-config
COPY package.json package-lock.json .npmrc ./
COPY web/package.json ./web/package.json
COPY packages ./packages
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY web ./web
RUN npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
# Two memory arenas are enough for libvips’ threads; more of them only fragment.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 XDG_CACHE_HOME=/var/cache
# Chinese, Japanese and Korean on the covers of PDF documents; OpenJPEG.
RUN apt-get update && apt-get install -y --no-install-recommends fonts-droid-fallback libopenjp2-7 && rm -rf /var/lib/apt/lists/*
# A volume here keeps the caches; without one, nothing is stored on a read-only root file system.
RUN install -d -o node -g node /var/cache/lectern
WORKDIR /app
COPY package.json LICENSE ./
COPY bin ./bin
COPY assets ./assets
COPY samples ./samples
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages/openjpeg-native ./packages/openjpeg-native
COPY --from=build /app/dist ./dist
USER node
EXPOSE 8080
# By PORT and LECTERN_HTTP__PORT; a port in a flag or file needs --health-cmd with the address as an argument.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "bin/lectern.cjs", "check", "--health", "--timeout", "4"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "bin/lectern.cjs"]
