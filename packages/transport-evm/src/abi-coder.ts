import type { Json } from "@plasm/core";
import { RunFailure, failure } from "@plasm/runtime";
import type * as Abi from "ethers/abi";
import type { ParamType } from "ethers/abi";

/** The ABI coder that EVM transports use. */
export type AbiCoder = typeof Abi;

let coder: Promise<AbiCoder> | null = null;

/**
 * How much more than an answer holds may be read out of it. Contracts write each part once; an answer whose
 * parts all point to one place would have a few bytes be millions of values.
 */
const MOST_INFLATION = 2;

/** Few catalogs speak to a chain, so that whoever has one installs what reads its contracts. */
async function installed(imported: () => Promise<AbiCoder>): Promise<AbiCoder> {
  try {
    return await imported();
  } catch {
    coder = null;
    throw new RunFailure(
      failure(
        "argument_invalid",
        'Contracts are read with the package "ethers", which is not installed here.',
        "let the operator install it where Node finds it from plasm: npm install ethers@6, or npm install --global ethers@6 beside a global plasm",
      ),
    );
  }
}

async function load(imported: () => Promise<AbiCoder>): Promise<AbiCoder> {
  const coding = await installed(imported);
  coding.AbiCoder._setDefaultMaxInflation(MOST_INFLATION);
  return coding;
}

/** The ABI coder, loaded when it is first needed. Throws RunFailure where it is not installed. */
export function abiCoder(
  imported: () => Promise<AbiCoder> = () => import("ethers/abi"),
): Promise<AbiCoder> {
  coder ??= load(imported);
  return coder;
}

const MOST_KNOWN = 500;
const known = new Map<string, Abi.Interface>();

/** A readable ABI text, read once; the rules of the format have checked it (MAP-051). */
export function abiOf(coding: AbiCoder, text: string): Abi.Interface {
  const found = known.get(text);
  if (found !== undefined) return found;
  const read = new coding.Interface([text]);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, read);
  return read;
}

/**
 * A decoded value as JSON (MAP-054): integers as decimal text, bytes and addresses as lower-case 0x hex,
 * arrays as lists, tuples as objects where every part has a name. What an indexed text or list left in its
 * topic is a hash, in hex.
 */
export function abiJson(value: unknown, param: ParamType): Json {
  if (param.baseType === "array" && param.arrayChildren !== null) {
    const child = param.arrayChildren;
    return listOf(value).map((item) => abiJson(item, child));
  }
  if (param.baseType === "tuple" && param.components !== null)
    return tuple(value, param.components);
  return scalar(value);
}

/** Decoded lists are array-like and iterate by their positions, whatever their parts are called. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? Array.from(value as readonly unknown[]) : [];
}

function tuple(value: unknown, components: readonly ParamType[]): Json {
  if (!Array.isArray(value)) return scalar(value);
  const parts = listOf(value);
  const named = components.map((each, at) => [each.name, abiJson(parts[at], each)] as const);
  const names = new Set(named.map(([name]) => name));
  const whole = names.size === named.length && !names.has("");
  return whole ? Object.fromEntries(named) : named.map(([, part]) => part);
}

function scalar(value: unknown): Json {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value;
  // What an indexed text or list left: its hash.
  if (isIndexed(value)) return value.hash?.toLowerCase() ?? null;
  return null;
}

function isIndexed(value: unknown): value is { readonly hash: string | null } {
  return typeof value === "object" && value !== null && "hash" in value;
}

/**
 * A hex quantity of JSON-RPC as decimal text; null where it is none. No quantity has more than 256 bits, and
 * longer ones would take long to write out.
 */
export function quantityText(value: Json | undefined): string | null {
  if (typeof value !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(value)) return null;
  return BigInt(value).toString();
}

/** A number as a hex quantity of JSON-RPC; null where it is no whole number from 0. */
export function quantityOf(value: Json): string | null {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^\d{1,78}$/.test(text)) return null;
  return `0x${BigInt(text).toString(16)}`;
}
