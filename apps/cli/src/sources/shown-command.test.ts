import { expect, it } from "vitest";
import { shownCommand } from "./shown-command.ts";

it.each([
  ['npx -y server-files "./my reports"', 'npx -y server-files "./my reports"'],
  [
    "node db.js --dsn postgres://ann:s3cret@db/shop?a=1",
    "node db.js --dsn postgres://ann:***@db/shop?a=1",
  ],
  ["node db.js --dsn=postgres://ann:s3cret@db/shop", "node db.js --dsn=postgres://ann:***@db/shop"],
  ["node db.js --dsn postgres://ann@db/shop", "node db.js --dsn postgres://ann@db/shop"],
  ["npx tracker --api-key s3cret --limit 5", "npx tracker --api-key *** --limit 5"],
  ["npx tracker --token=s3cret", "npx tracker --token=***"],
  ["docker run -i -e TRACKER_TOKEN=s3cret tracker", "docker run -i -e TRACKER_TOKEN=*** tracker"],
  ["docker run -i -e TRACKER_TOKEN tracker", "docker run -i -e TRACKER_TOKEN tracker"],
  ["npx tracker --token --verbose", "npx tracker --token --verbose"],
  [
    'npx remote https://x.example/mcp --header "Authorization: Bearer s3cret"',
    'npx remote https://x.example/mcp --header "Authorization: ***"',
  ],
  ['npx remote --header "X: Bearer s3cret"', 'npx remote --header "X: Bearer ***"'],
  ["https://x.example/mcp?api_key=s3cret&page=2", "https://x.example/mcp?api_key=***&page=2"],
  ["https://ann:s3cret@x.example/mcp", "https://ann:***@x.example/mcp"],
  ["node keyboard.js --max-tokens 5 --monkey 7", "node keyboard.js --max-tokens 5 --monkey 7"],
])("SURF-78 hides what is secret of %s", (from, shown) => {
  expect(shownCommand(from)).toBe(shown);
});
