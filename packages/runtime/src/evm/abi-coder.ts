import type * as Abi from "ethers/abi";

/** The ABI coder that EVM transports use. */
export type AbiCoder = typeof Abi;

let coder: Promise<AbiCoder> | null = null;

/**
 * How much more than an answer holds may be read out of it. Contracts write each part once; an answer whose
 * parts all point to one place would have a few bytes be millions of values.
 */
const MOST_INFLATION = 2;

async function load(): Promise<AbiCoder> {
  const coding = await import("ethers/abi");
  coding.AbiCoder._setDefaultMaxInflation(MOST_INFLATION);
  return coding;
}

/** The ABI coder, loaded when it is first needed: few catalogs speak to a chain. */
export function abiCoder(): Promise<AbiCoder> {
  coder ??= load();
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
