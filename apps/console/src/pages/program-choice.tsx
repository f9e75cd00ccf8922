import { useEffect, useMemo, useState } from "preact/hooks";
import { useLoad } from "../parts/load.ts";
import { Empty, ProblemNote } from "../parts/ui.tsx";
import type { CatalogDetail, CatalogEntry } from "../records.ts";
import { isSameSeed, seedName } from "./mistakes.tsx";
import type { ProgramDraft } from "./program-session.ts";

interface ProgramChoiceProps {
  readonly draft: ProgramDraft;
  readonly isBusy: boolean;
  readonly onChange: (more: Partial<ProgramDraft>) => void;
}

/** What can be called stands before what first needs a credential; else as it came. */
const callableFirst = (all: readonly CatalogEntry[] | null): readonly CatalogEntry[] | null =>
  all?.toSorted((a, b) => Number(b.credentials) - Number(a.credentials)) ?? null;

const optionText = ({ label, credentials }: CatalogEntry): string =>
  credentials ? label : `${label} (needs a credential)`;

/** What the program is on: a catalog and the entity to begin with. */
export function ProgramChoice({ draft, isBusy, onChange }: ProgramChoiceProps) {
  const catalogs = useLoad<readonly CatalogEntry[]>("/v1/registry");
  const chosen = useLoad<CatalogDetail>(
    draft.api === "" ? null : `/v1/registry/${encodeURIComponent(draft.api)}`,
  );
  const all = useMemo(() => callableFirst(catalogs.data), [catalogs.data]);
  const entities = chosen.data?.entities ?? [];
  useEffect(() => {
    if (draft.api === "" && all?.[0] !== undefined)
      onChange({ api: all[0].entry_id, entity: "", also: [] });
  }, [all, draft.api]);
  useEffect(() => {
    const [first] = entities;
    if (draft.entity === "" && first !== undefined) onChange({ entity: first.entity });
  }, [chosen.data, draft.entity]);
  const problem = catalogs.problem ?? chosen.problem;
  if (all?.length === 0)
    return (
      <Empty title="No catalog is on offer.">
        Start the server with <code>--catalogs DIR</code>.
      </Empty>
    );
  return (
    <>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div class="filter">
        <label>
          Catalog
          <select
            value={draft.api}
            disabled={isBusy}
            onChange={({ currentTarget }) =>
              onChange({ api: currentTarget.value, entity: "", also: [] })
            }
          >
            {(all ?? []).map((one) => (
              <option key={one.entry_id} value={one.entry_id}>
                {optionText(one)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Begin with
          <select
            value={draft.entity}
            disabled={isBusy}
            onChange={({ currentTarget }) => onChange({ entity: currentTarget.value, also: [] })}
          >
            {entities.map(({ entity }) => (
              <option key={entity} value={entity}>
                {entity}
              </option>
            ))}
          </select>
        </label>
        <Further catalogs={all ?? []} draft={draft} isBusy={isBusy} onChange={onChange} />
        {draft.also.map((seed) => (
          <button
            key={JSON.stringify(seed)}
            type="button"
            disabled={isBusy}
            onClick={() => onChange({ also: draft.also.filter((one) => !isSameSeed(one, seed)) })}
          >
            Without {seedName(seed, draft.api)}
          </button>
        ))}
      </div>
    </>
  );
}

/** Teaches an entity of any catalog beside the one that the program begins with: programs go over several. */
function Further({
  catalogs,
  draft,
  isBusy,
  onChange,
}: ProgramChoiceProps & { readonly catalogs: readonly CatalogEntry[] }) {
  const [api, setApi] = useState("");
  const chosen = useLoad<CatalogDetail>(
    api === "" ? null : `/v1/registry/${encodeURIComponent(api)}`,
  );
  const taught = [{ api: draft.api, entity: draft.entity }, ...draft.also];
  const rest = (chosen.data?.entities ?? []).filter(
    ({ entity }) => !taught.some((one) => isSameSeed(one, { api, entity })),
  );
  return (
    <>
      <label>
        Teach also, of
        <select
          value={api}
          disabled={isBusy}
          onChange={({ currentTarget }) => setApi(currentTarget.value)}
        >
          <option value="">nothing more</option>
          {catalogs.map((one) => (
            <option key={one.entry_id} value={one.entry_id}>
              {optionText(one)}
            </option>
          ))}
        </select>
      </label>
      {api === "" ? null : (
        <label>
          Its entity
          <select
            value=""
            disabled={isBusy}
            onChange={({ currentTarget }) => {
              onChange({ also: [...draft.also, { api, entity: currentTarget.value }] });
              setApi("");
            }}
          >
            <option value="" disabled>
              {chosen.problem?.message ?? (chosen.isLoading ? "Loading …" : "choose one")}
            </option>
            {rest.map(({ entity }) => (
              <option key={entity} value={entity}>
                {entity}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
