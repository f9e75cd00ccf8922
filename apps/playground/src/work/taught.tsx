import { Card, plainText } from "@plasm/console";

/** What a session has taught, as an agent reads it: the language once, and a table of each entity. */
export function Taught({ prompt }: { readonly prompt: string }) {
  return (
    <Card title="What the agent reads">
      <pre class="taught" tabIndex={0} aria-label="Instructions and tables">
        {plainText(prompt)}
      </pre>
    </Card>
  );
}
