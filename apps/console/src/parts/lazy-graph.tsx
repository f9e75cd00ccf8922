import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Graph } from "./graph.tsx";

type GraphProps = Parameters<typeof Graph>[0];

/** A graph whose drawing is loaded when one is to be seen; where it cannot be, the words beside it say the same. */
export function LazyGraph(props: GraphProps) {
  const [drawing, setDrawing] = useState<{ readonly of: FunctionComponent<GraphProps> } | null>(
    null,
  );
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let isGone = false;
    import("./graph.tsx").then(
      ({ Graph: of }) => {
        if (!isGone) setDrawing({ of });
      },
      () => {
        if (!isGone) setMissing(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (isMissing)
    return <p class="dim">The picture could not be loaded. The list below has it all.</p>;
  if (drawing === null) return <p class="dim loading">Drawing …</p>;
  return <drawing.of {...props} />;
}
