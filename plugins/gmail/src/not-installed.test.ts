import { expect, it, vi } from "vitest";
import { addressesIn } from "./build-message.ts";
import { Unfit } from "./read-environment.ts";

vi.mock("node:module", () => ({
  createRequire: () => () => {
    throw new Error("Cannot find module 'nodemailer/lib/addressparser'");
  },
}));

it("18.20 where nodemailer is not installed, a mail says so, and how to install it", () => {
  expect(() => addressesIn("ann@example.com")).toThrow(Unfit);
  expect(() => addressesIn("ann@example.com")).toThrow("npm install nodemailer@10");
});
