const PREFIX = "trace/";

/** Under which name processes tell each other that a trace has grown: no operation has it. */
export const newsOfTrace = ({
  scope,
  owner,
}: {
  readonly scope: string;
  readonly owner: string;
}): { readonly scope: string; readonly id: string } => ({ scope, id: `${PREFIX}${owner}` });

/** Whether news are of a trace, and of no operation. */
export const isOfTrace = ({ id }: { readonly id: string }): boolean => id.startsWith(PREFIX);
