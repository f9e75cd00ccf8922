import type { Problem } from "@plasm/agent-core";
import type { SeedChoice, ToolArguments } from "@plasm/agent-core/internal";
import { visibleLines } from "@plasm/core/internal";
import type {
  InputRequiredResult,
  Server,
  ServerContext as RequestContext,
} from "@modelcontextprotocol/server";
import { askForm, filledIn, type FormSetting } from "./ask-form.ts";

/** Names that one form asks about, and what each may mean: of more the model has to choose by the text. */
const MOST_CHOICES = 5;
const MOST_OPTIONS = 20;
const NAME = "choice";

/** What the person has chosen, by the name that a seed has. */
export class Chosen {
  readonly seeds: ReadonlyMap<string, { readonly api: string; readonly entity: string }>;

  constructor(seeds: Chosen["seeds"]) {
    this.seeds = seeds;
  }
}

const fieldOf = (index: number): string => `seed_${index + 1}`;
const BREAK = ": ";

const formOf = (choices: readonly SeedChoice[]) => ({
  type: "object" as const,
  properties: Object.fromEntries(
    choices.map(({ seed, options }, index) => [
      fieldOf(index),
      {
        type: "string" as const,
        title: visibleLines(seed).slice(0, 100),
        enum: options.map(({ api, entity }) => `${api}${BREAK}${entity}`),
      },
    ]),
  ),
  required: choices.map((_, index) => fieldOf(index)),
});

const messageOf = (choices: readonly SeedChoice[]): string => {
  const names = choices.map(({ seed }) => JSON.stringify(seed)).join(", ");
  return visibleLines(`Several APIs have what your agent calls ${names}. Which do you mean?`);
};

/** What a person said to a form, by the names that it asked about; null where they did not choose. */
function chosenIn(seeds: readonly string[], said: unknown): Chosen | null {
  const content = filledIn(said);
  if (content === null) return null;
  const pairs = seeds.map((seed, index) => {
    const value = content[fieldOf(index)];
    const [api = "", entity = ""] = typeof value === "string" ? value.split(BREAK) : [];
    return [seed, { api, entity }] as const;
  });
  return pairs.some(([, { api, entity }]) => api === "" || entity === "")
    ? null
    : new Chosen(new Map(pairs));
}

/** The same arguments, each seed without an API of a name that was asked about being what was chosen. */
export function withChosen(args: ToolArguments, { seeds: chosen }: Chosen): ToolArguments {
  const { seeds } = args;
  if (!Array.isArray(seeds)) return args;
  const named = (seeds as readonly unknown[]).map((seed) => {
    const { api, entity, ...others } = (seed ?? {}) as { api?: unknown; entity?: unknown };
    const meant = api === undefined && typeof entity === "string" ? chosen.get(entity) : undefined;
    return meant === undefined ? seed : { ...others, ...meant };
  });
  return { ...args, seeds: named };
}

/**
 * Asks the person of a call which of several entities its seeds mean, where their client fills in forms (TEACH-52). Null where nobody was asked, or
 * nobody chose: the text of the problem has the candidates, and the model chooses.
 */
export async function askToChoose(
  server: Server,
  setting: FormSetting,
  request: RequestContext,
  { choices }: Problem,
): Promise<InputRequiredResult | Chosen | null> {
  const isSmall = choices.every(({ options }) => options.length <= MOST_OPTIONS);
  if (choices.length > MOST_CHOICES || !isSmall) return null;
  const seeds = choices.map(({ seed }) => seed);
  const answer = await askForm(server, setting, request, {
    name: NAME,
    message: messageOf(choices),
    requestedSchema: formOf(choices),
    state: { seeds },
  });
  return answer !== null && "said" in answer ? chosenIn(seeds, answer.said) : answer;
}

/**
 * What the person of a call has chosen that was asked before, and comes again; null where that is nothing. What comes back is the client's own:
 * it names entities, which the call may use or not as any that it names.
 */
export function takeChoice(
  { modern }: Pick<FormSetting, "modern">,
  { mcpReq }: RequestContext,
): Chosen | null {
  if (!modern) return null;
  try {
    const { seeds } = JSON.parse(String(mcpReq.requestState())) as { seeds?: unknown };
    const isList = Array.isArray(seeds) && seeds.length <= MOST_CHOICES;
    return isList ? chosenIn(seeds.map(String), mcpReq.inputResponses?.[NAME]) : null;
  } catch {
    return null;
  }
}
