# Plasm as a container: one file and the catalogs on the image of Node, run by nobody's root.
# docs/deploying.md says how to run it. Give NODE_IMAGE a digest where builds must be repeatable.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY . .
RUN npx --yes pnpm@12.21.0 install --frozen-lockfile --ignore-scripts --filter "@plasm/cli..." \
    && node apps/cli/bundle.mjs \
    && (cd apps/console && node_modules/.bin/vite build) \
    && node apps/cli/copy-files.mjs \
    && node apps/cli/compile-catalogs.mjs \
    && mkdir --parents /made/catalogs \
    && cp --recursive apps/cli/dist/plasm.mjs apps/cli/dist/compiled apps/cli/dist/console apps/cli/dist/samples apps/cli/dist/licences.txt LICENSE NOTICE /made/ \
    && install --directory --owner=node --group=node --mode=0700 /made/data
WORKDIR /source/catalogs
RUN cp --parents ./*/domain.yaml ./*/mappings.yaml /made/catalogs/

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="plasm" \
      org.opencontainers.image.description="Plasm as an HTTP server, with MCP at /mcp." \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    PLASM_DATA=/data \
    PLASM_SECRETS_KEY_FILE=/key/secrets.key \
    XDG_CACHE_HOME=/data/cache
WORKDIR /plasm
COPY --from=build /made/plasm.mjs /made/licences.txt /made/LICENSE /made/NOTICE ./
COPY --from=build /made/catalogs ./catalogs
COPY --from=build /made/compiled ./compiled
COPY --from=build /made/console ./console
COPY --from=build /made/samples ./samples
COPY --from=build --chown=node:node /made/data /data
USER node
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:3000/v1/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/plasm/plasm.mjs"]
CMD ["serve", "--host", "0.0.0.0", "--port", "3000", "--auth", "required", "--catalogs", "/plasm/catalogs"]
