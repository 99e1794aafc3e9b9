# Builds the service, and the wallet and the button that it offers.
#   docker build --build-arg BASE_URL=https://pay.example.com -t service-button .
# BASE_URL is built into the wallet that users download. It must be the public URL of the service.
# EXTENSION_KEY (also --build-arg) determines the wallet's ID in Chromium browsers, see docs/publishing.md.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
ARG BASE_URL
ARG EXTENSION_KEY
RUN test -n "$BASE_URL" && node --import tsx scripts/build.ts
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/protocol ./protocol
COPY --from=build /app/server ./server
COPY --from=build /app/scripts/move-database.ts ./scripts/move-database.ts
COPY --from=build /app/look ./look
COPY --from=build /app/docs/pictures ./docs/pictures
COPY --from=build /app/dist ./dist
ARG BASE_URL
ENV BASE_URL=$BASE_URL
RUN install -d -o node -g node -m 700 /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]
