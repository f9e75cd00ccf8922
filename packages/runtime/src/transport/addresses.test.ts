import { describe, expect, test } from "vitest";
import { isPrivateAddress } from "./addresses.ts";

/** Every form in which IPv6 holds an IPv4 address; `inverted` is how Teredo writes its client. */
const FORMS: readonly (readonly [string, (v4: string) => string])[] = [
  ["IPv4", (v4) => v4],
  ["mapped", (v4) => `::ffff:${v4}`],
  ["mapped, long", (v4) => `0000:0000:0000:0000:0000:ffff:${groups(v4)}`],
  ["compatible", (v4) => `::${v4}`],
  ["translated", (v4) => `::ffff:0:${v4}`],
  ["NAT64", (v4) => `64:ff9b::${v4}`],
  ["6to4", (v4) => `2002:${groups(v4)}::1`],
  ["Teredo server", (v4) => `2001:0:${groups(v4)}::f7f7:f7f7`],
  ["Teredo client", (v4) => `2001:0:808:808::${groups(v4, 0xff)}`],
  ["ISATAP", (v4) => `2606:4700::5efe:${groups(v4)}`],
  ["ISATAP, of the world", (v4) => `2606:4700::200:5efe:${groups(v4)}`],
];

function groups(v4: string, invert = 0): string {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split(".").map((part) => Number(part) ^ invert);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

const PRIVATE = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
];

describe.each(FORMS)("18.19 RUN-140 %s", (form, written) => {
  test.each(PRIVATE)("%s is private", (v4) => {
    expect(isPrivateAddress(written(v4))).toBe(true);
  });

  test.each(["8.8.8.8", "93.184.216.34", "172.32.0.1", "168.63.129.17"])("%s is public", (v4) => {
    expect(isPrivateAddress(written(v4)), `${form} ${written(v4)}`).toBe(false);
  });
});

test.each([
  ["::1", true],
  ["::", true],
  ["fd00::1", true],
  ["fe80::1", true],
  ["fe80::1%eth0", true],
  ["fec0::1", true],
  ["ff02::1", true],
  ["100::1", true],
  ["64:ff9b:1::a00:1", true],
  ["2001:db8::1", true],
  ["2606:4700:4700::1111", false],
  ["2a00:1450:4001:81b::200e", false],
])("18.19 RUN-140 %s", (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});
