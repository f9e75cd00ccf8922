import { assertProperty } from "@plasm/testkit";
import { test } from "vitest";
import { properties } from "../../../test/properties/catalog-files.ts";

test.each(properties.map((property) => [property.says, property] as const))(
  "%s",
  (_says, property) => assertProperty(property),
  60_000,
);
