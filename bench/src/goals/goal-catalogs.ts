import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { openPublishedCatalogs } from "@plasm/catalogs";
import { type Catalog, openCatalog } from "@plasm/core";
import { catalogFromOpenApi, parseOpenApi } from "@plasm/importers";
import { loadCatalogDirectory } from "@plasm/runtime";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Sample catalogs of this repository. */
const SAMPLES = [
  ...["orchard", "quay", "yard", "depot"].map((name) => `packages/testkit/catalogs/${name}`),
  ...["tram", "ferry", "crane", "guild", "museum"].map(
    (name) => `packages/testkit/formats/${name}`,
  ),
  "apps/cli/tasks/catalogs/bookshop",
  "bench/tasks/catalogs/clinic",
];

/** Public documents that are imported as they are, by the id of their catalog. */
const DOCUMENTS = {
  airbyte: "airbyte.local-config",
  anchore: "anchore.io",
  apicurio: "apicurio.local-registry",
  ecommerce: "apideck.com-ecommerce",
  apisguru: "apis.guru",
  appwrite: "appwrite.io-client",
  fasta: "deutschebahn.com-fasta",
  linguistics: "digitallinguistics.io",
  discourse: "discourse.local",
  dnd5e: "dnd5eapi.co",
  bcnews: "gov.bc.ca-news",
  microcks: "microcks.local",
  stf: "openstf.io",
  qualpay: "qualpay.com",
  inventory: "redhat.com-catalog_inventory",
  reverb: "reverb.com",
  slicebox: "slicebox.local",
  tcgdex: "tcgdex.net",
  supersim: "twilio.com-twilio_supersim_v1",
} as const;

/** Public documents that goals were written for last, and nothing was made for: the control. */
const CONTROL = {
  intellifi: "intellifi.nl",
  proxy: "twilio.com-twilio_proxy_v1",
  studio: "twilio.com-twilio_studio_v1",
  numbers: "nexmo.com-numbers",
  sms: "sms77.io",
  translations: "xtrf.eu",
  pads: "etherpad.local",
} as const;

async function imported(entryId: string, document: string): Promise<Catalog> {
  const file = join(root, "e2e/src/census/documents", `${document}.json.gz`);
  const parsed = parseOpenApi(gunzipSync(readFileSync(file)).toString("utf8"));
  const texts = await catalogFromOpenApi(parsed, {
    entryId,
    validate: false,
    server: "https://example.com",
  });
  const opened = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: texts.domain },
    mappings: { file: "mappings.yaml", text: texts.mappings },
  });
  if (opened.catalog === null) throw new Error(`${document} gives no catalog that loads`);
  return opened.catalog;
}

/** The forty catalogs that the goals are about: published ones, samples, and imports as nobody edited them. */
export async function goalCatalogs(): Promise<readonly Catalog[]> {
  const published = (await openPublishedCatalogs()).list();
  const samples = await loadCatalogDirectory(SAMPLES.map((path) => join(root, path)));
  const [broken] = samples.skipped;
  if (broken !== undefined) throw new Error(`${broken.entryId} does not load`);
  const own = [...published, ...samples.list()].map(({ catalog }) => catalog);
  return [...own, ...(await importedAll(DOCUMENTS))];
}

/** The catalogs of the control, which compete with the forty. */
export const controlCatalogs = (): Promise<readonly Catalog[]> => importedAll(CONTROL);

async function importedAll(documents: Readonly<Record<string, string>>): Promise<Catalog[]> {
  const all: Catalog[] = [];
  for (const [entryId, document] of Object.entries(documents))
    all.push(await imported(entryId, document));
  return all;
}
