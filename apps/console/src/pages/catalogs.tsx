import { useState } from "preact/hooks";
import { ApiProblem, call, type SignedIn } from "../api.ts";
import type { PageProps } from "../parts/page-props.ts";
import { useLoad } from "../parts/load.ts";
import {
  Badge,
  Card,
  Empty,
  Facts,
  Page,
  ProblemNote,
  Short,
  Shown,
  Table,
  Time,
  type Tone,
} from "../parts/ui.tsx";
import type { CatalogDetail, CatalogEntity, CatalogEntry, CatalogSettings } from "../records.ts";
import { go, Link } from "../router.tsx";
import { Relations } from "./catalog-graph.tsx";
import { keepDraft, keptDraft } from "./program-session.ts";

/** The APIs that agents may use: all of them, or one with its entities. */
export function Catalogs({ who, place }: PageProps) {
  const [, id] = place.parts;
  return id === undefined ? <List /> : <One key={id} id={id} who={who} />;
}

function List() {
  const loaded = useLoad<readonly (CatalogEntry & { readonly entities: number })[]>("/v1/registry");
  return (
    <Page title="Catalogs" lead="The APIs that agents may use here, and what each has.">
      <Shown of={loaded}>
        {(catalogs) =>
          catalogs.length === 0 ? (
            <Empty title="No catalog is on offer.">
              Start the server with <code>--catalogs DIR</code>, or with <code>--api DOCUMENT</code>{" "}
              for an API that has one.
            </Empty>
          ) : (
            <Card>
              <Table
                label="Catalogs"
                head={["Catalog", "What it is", "Entities", "Capabilities", "State"]}
              >
                {catalogs.map((one) => (
                  <tr key={one.entry_id}>
                    <td>
                      <Link to={`/catalogs/${encodeURIComponent(one.entry_id)}`}>{one.label}</Link>{" "}
                      <span class="dim small">{one.entry_id}</span>
                    </td>
                    <td>{one.description}</td>
                    <td class="num">{one.entities}</td>
                    <td class="num">{one.capabilities}</td>
                    <td>
                      <CatalogState of={one} />
                    </td>
                  </tr>
                ))}
              </Table>
            </Card>
          )
        }
      </Shown>
    </Page>
  );
}

function CatalogState({ of: { credentials, not_loaded: faults = [] } }: { of: CatalogEntry }) {
  if (!credentials) return <Badge tone="warn">needs a credential</Badge>;
  return faults.length === 0 ? (
    <Badge tone="good">ready</Badge>
  ) : (
    <Badge tone="warn">
      {faults.length === 1 ? "1 part left out" : `${faults.length} parts left out`}
    </Badge>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  create: "info",
  update: "info",
  action: "info",
  delete: "bad",
};

function One({ id, who }: { id: string; who: SignedIn }) {
  const loaded = useLoad<CatalogDetail>(`/v1/registry/${encodeURIComponent(id)}`);
  return (
    <Page title={loaded.data?.label ?? id} lead={<Link to="/catalogs">All catalogs</Link>}>
      <Shown of={loaded}>
        {(catalog) => (
          <>
            <Card>
              <Facts
                of={[
                  ["What it is", catalog.description],
                  ["State", <CatalogState key="s" of={catalog} />],
                  ["Tags", catalog.tags.length === 0 ? "none" : catalog.tags.join(", ")],
                  [
                    "Version",
                    <span key="v">
                      {catalog.version}, <Short id={catalog.digest} />
                    </span>,
                  ],
                  ["Made of", <Origin key="o" of={catalog} />],
                ]}
              />
            </Card>
            <Relations entities={catalog.entities} />
            <LeftOut of={catalog} />
            <Card title={`${catalog.entities.length} entities`}>
              <Table label="Entities" head={["Entity", "What it is", "What can be done", "Try it"]}>
                {catalog.entities.map((one) => (
                  <tr key={one.entity}>
                    <td>
                      <code>{one.entity}</code>
                    </td>
                    <td>{one.description}</td>
                    <td>
                      {one.capabilities.map(({ label, kind, description: about }) => (
                        <span key={label} title={about}>
                          <Badge tone={TONES[kind] ?? "quiet"}>{label}</Badge>{" "}
                        </span>
                      ))}
                    </td>
                    <td>
                      <Try api={catalog.entry_id} of={one} />
                    </td>
                  </tr>
                ))}
              </Table>
            </Card>
            <Differs id={catalog.entry_id} who={who} />
            <Taught id={catalog.entry_id} entities={catalog.entities.map(({ entity }) => entity)} />
          </>
        )}
      </Shown>
    </Page>
  );
}

type Capability = CatalogEntity["capabilities"][number];

/** A first text for a capability, to be completed by names that the editor offers. */
function textFor(entity: string, { kind, label }: Capability): string {
  switch (kind) {
    case "query":
      return `${entity}.limit(5)`;
    case "search":
      return `${entity}~"words"`;
    case "get":
      return `${entity}("1")`;
    case "create":
      return `${entity}.${label}()`;
    default:
      return `${entity}("1").${label}()`;
  }
}

const FIRST = ["query", "search", "get"];

/** The capability that is tried unless another one is chosen: one that reads, and needs as little as possible. */
const firstOf = (capabilities: readonly Capability[]): number =>
  Math.max(
    0,
    FIRST.map((kind) => capabilities.findIndex((one) => one.kind === kind)).find((at) => at >= 0) ??
      0,
  );

/** Opens the page of programs on an entity, with a text for a capability written there. Nothing is run, and nothing typed is lost unasked. */
function Try({ api, of: { entity, capabilities } }: { api: string; of: CatalogEntity }) {
  const [isAsked, setAsked] = useState(false);
  const [at, setAt] = useState(() => firstOf(capabilities));
  const chosen = capabilities[at];
  if (chosen === undefined) return null;
  const program = textFor(entity, chosen);
  const open = () => {
    keepDraft({ api, entity, also: [], program });
    go("/program");
  };
  const begin = () => {
    const typed = keptDraft().program.trim();
    if (typed === "" || typed === program) open();
    else setAsked(true);
  };
  return isAsked ? (
    <>
      <span>The page of programs has a text of yours. </span>
      <button type="button" onClick={open}>
        Replace it
      </button>{" "}
      <button type="button" onClick={() => go("/program")}>
        Go on with it
      </button>
    </>
  ) : (
    <span class="row">
      <select
        aria-label={`What to try of ${entity}`}
        value={String(at)}
        onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
      >
        {capabilities.map(({ label }, n) => (
          <option key={label} value={String(n)}>
            {label}
          </option>
        ))}
      </select>
      <button type="button" onClick={begin}>
        Try {entity}
      </button>
    </span>
  );
}

/** The document that it was made of, and since when; by its digest a newer one is told apart. */
function Origin({ of: { origin } }: { of: CatalogDetail }) {
  if (origin === undefined) return <>not kept with this catalog</>;
  return (
    <>
      <code>{origin.source}</code>, read <Time at={origin.read_at} />: {origin.reached} of{" "}
      {origin.operations} operations, document <Short id={origin.digest} />
    </>
  );
}

/** What is left out and why: by the import of its document, and where a part of its files has a fault. */
function LeftOut({ of: { origin, not_loaded: faults = [] } }: { of: CatalogDetail }) {
  const { left_out: lines = [], omitted = 0 } = origin ?? {};
  return (
    <Card title="What is left out, and why">
      {faults.length === 0 ? null : (
        <Table label="Parts that are left out" head={["Part", "Why"]}>
          {faults.map(({ part, why }) => (
            <tr key={part}>
              <td>
                <code>{part}</code>
              </td>
              <td>{why}</td>
            </tr>
          ))}
        </Table>
      )}
      {lines.length === 0 ? null : (
        <details>
          <summary>{`${lines.length + omitted} of its document, by the import`}</summary>
          <ul class="words">
            {lines.map((line, n) => (
              <li key={n}>{line}</li>
            ))}
          </ul>
          {omitted === 0 ? null : <p class="dim">{omitted} more are not shown.</p>}
        </details>
      )}
      {faults.length > 0 || lines.length > 0 ? null : (
        <Empty title="Nothing is left out.">
          {origin === undefined
            ? "All parts of its files are loaded. What an import left out of a document was not kept with this catalog."
            : "All parts of its files are loaded, and the import left nothing out."}
        </Empty>
      )}
    </Card>
  );
}

/** Where the API answered otherwise than the catalog says: told to operators alone. */
function Differs({ id, who }: { id: string; who: SignedIn }) {
  const isOperator = who.roles.operator !== undefined;
  const loaded = useLoad<CatalogSettings>(
    isOperator ? `/v1/settings/catalogs/${encodeURIComponent(id)}` : null,
  );
  if (!isOperator) return null;
  return (
    <Card title="Where its API answers otherwise">
      <Shown of={loaded}>
        {({ drift: { since, signs } }) =>
          signs.length === 0 ? (
            <Empty title="Nothing was seen.">
              In the last 30 days, since <Time at={since} />, all answers to calls of your tenant
              were as the catalog says. A newer document is merged in by{" "}
              <code>plasm catalog refresh</code>.
            </Empty>
          ) : (
            <>
              <Table
                label="Answers that are otherwise than the catalog says"
                head={["Sign", "How often", "The last one", "When"]}
              >
                {signs.map(({ sign, count, last, last_at: at }) => (
                  <tr key={sign}>
                    <td>
                      <Badge tone="warn">{sign}</Badge>
                    </td>
                    <td class="num">{count}</td>
                    <td>{last}</td>
                    <td>
                      <Time at={at} />
                    </td>
                  </tr>
                ))}
              </Table>
              <p class="more dim">
                Counted in calls of your tenant over the last 30 days, since <Time at={since} />, by
                all servers on this store. <code>plasm catalog refresh</code> merges in a newer
                document.
              </p>
            </>
          )
        }
      </Shown>
    </Card>
  );
}

/** What an agent reads before it writes a program on an entity: word by word what the server sends. */
function Taught({ id, entities }: { id: string; entities: readonly string[] }) {
  const [entity, setEntity] = useState(entities[0] ?? "");
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const teach = async () => {
    setProblem(null);
    try {
      const session = await call<{ readonly prompt: string }>("/execute", {
        method: "POST",
        isHarmless: true,
        body: { seeds: [{ api: id, entity }], notation: "names", read_only: true },
      });
      setText(session.prompt);
    } catch (thrown) {
      setText(null);
      setProblem(
        thrown instanceof ApiProblem ? thrown : new ApiProblem(0, "defect", String(thrown)),
      );
    }
  };
  return (
    <Card title="What an agent is taught">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void teach();
        }}
      >
        <div class="row">
          <label for="entity">Entity</label>
          <select
            id="entity"
            value={entity}
            onChange={({ currentTarget }) => setEntity(currentTarget.value)}
          >
            {entities.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
          <button type="submit">Show</button>
          <span class="dim small">Opens a session of its own that reads only.</span>
        </div>
      </form>
      {problem === null ? null : <ProblemNote problem={problem} />}
      {text === null ? null : <pre tabIndex={0}>{text}</pre>}
    </Card>
  );
}
