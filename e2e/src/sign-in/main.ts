/**
 * The long form of the cross product of sign-ins: `main.ts PROGRAMS KILLS`, programs for each account and surface. Says what came of it as
 * JSON on the last line of stdout.
 */
import { crossProduct } from "./cross-product.ts";
import { SignInWorld } from "./sign-in-world.ts";

const [programs = "", kills = ""] = process.argv.slice(2);
const began = performance.now();
const world = await SignInWorld.start(["ann", "bob"]);
const started = performance.now();
try {
  const outcome = await crossProduct(world, { programs: Number(programs), kills: Number(kills) });
  const ms = { start: Math.round(started - began), all: Math.round(performance.now() - began) };
  console.log(JSON.stringify({ ...outcome, ms }));
} finally {
  await world.close();
}
