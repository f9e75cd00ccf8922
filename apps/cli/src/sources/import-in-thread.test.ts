import { catalogFromText, type FromTextOptions, OpenApiError } from "@plasm/importers";
import { expect, it } from "vitest";
import { catalogFromThread } from "./import-in-thread.ts";

const options: FromTextOptions = {
  from: "harbour.json",
  url: null,
  isEndpoint: false,
  only: [],
  form: "yaml",
};

const document = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Harbour", version: "1" },
  servers: [{ url: "https://api.example.com" }],
  paths: {
    "/boats": {
      get: {
        responses: {
          200: {
            description: "boats",
            content: {
              "application/json": {
                schema: {
                  type: "array",
                  items: { type: "object", properties: { id: { type: "string" } } },
                },
              },
            },
          },
        },
      },
    },
  },
});

/** A text that is taken once. */
const taking = (text: string) => ({ take: () => text });

it.each([
  ["within its limits", undefined],
  ["beyond them, without them", { maxOldGenerationSizeMb: 4 }],
])("makes the same catalog in a thread: %s", async (_how, limits) => {
  const made = await catalogFromThread(taking(document), options, limits);
  expect(made).toEqual(await catalogFromText(taking(document), options));
  expect(made.entryId).toBe("harbour");
});

it("tells what a thread refuses", async () => {
  const refused = catalogFromThread(taking('{"openapi": "3.1.0", "paths": {}}'), options);
  await expect(refused).rejects.toThrow(OpenApiError);
  await expect(refused).rejects.toThrow("no operations");
});
