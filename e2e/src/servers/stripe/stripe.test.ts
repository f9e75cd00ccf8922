import type { JsonObject } from "@plasm/core";
import { afterEach, expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { startStripe, TOKEN } from "./stripe-api.ts";

const world = useStarted(async (endings) => {
  const api = await startStripe(endings);
  const open = async (token: string) => {
    const data = await endings.directory("stripe");
    const env = { STRIPE_TOKEN: token };
    const plasm = await openCatalogEngine("stripe", `${api.url}/v1`, data, { env });
    endings.add(() => plasm.close());
    return plasm;
  };
  return { api, open, plasm: await open(TOKEN) };
});
afterEach(() => void world().api.taken());

/** The rows of the last result of a program. */
async function rows(program: string) {
  const { results } = await world().plasm.run(program);
  return results.at(-1) ?? [];
}

/** The id of the only row of a program. */
async function made(program: string): Promise<string> {
  const [row] = (await rows(program)) as readonly JsonObject[];
  const id = row?.["id"];
  if (typeof id !== "string") throw new Error("a row without an id");
  return id;
}

/** The writes that the API was asked for: method and path, and the members of the form. */
const written = () =>
  world()
    .api.requests.filter(({ line }) => !line.startsWith("GET"))
    .map(({ line, body }) => [line, Object.fromEntries(new URLSearchParams(body))]);

test("a list goes on after its last row, to its end", async () => {
  expect(await rows("Customer.aggregate(n=count)")).toEqual([{ n: 230 }]);
  expect(world().api.taken()).toEqual([
    "GET /v1/customers?limit=100",
    "GET /v1/customers?limit=100&starting_after=cus_131",
    "GET /v1/customers?limit=100&starting_after=cus_31",
  ]);
});

test("filters are the API's own", async () => {
  expect(await rows('Customer{email="c7@example.com"}[id, name, created]')).toEqual([
    { id: "cus_7", name: "Customer 7", created: 1_767_225_607 },
  ]);
  expect(world().api.taken()).toEqual(["GET /v1/customers?email=c7@example.com&limit=100"]);
});

test("a customer is made, changed and deleted; metadata is a form within the form", async () => {
  const id = await made(
    'Customer.create(email="bob@example.com", name="Bob", metadata={team: "blue"})[id]',
  );
  expect(
    await rows(`Customer("${id}").update(phone="112", metadata={room: "7"})[phone, metadata]`),
  ).toEqual([{ phone: "112", metadata: { team: "blue", room: "7" } }]);
  await rows(`Customer("${id}").delete()`);
  await expect(rows(`Customer("${id}")[name]`)).rejects.toThrow(`Customer:${id} does not exist`);
  expect(written()).toEqual([
    ["POST /v1/customers", { email: "bob@example.com", name: "Bob", "metadata[team]": "blue" }],
    [`POST /v1/customers/${id}`, { phone: "112", "metadata[room]": "7" }],
    [`DELETE /v1/customers/${id}`, {}],
  ]);
});

test("an invoice is drafted, filled, made final and paid; what is paid is not deleted", async () => {
  const id = await made(
    'Invoice.create(customer=Customer("cus_1"), collection_method=send_invoice, days_until_due=14)[id]',
  );
  const invoice = `Invoice("${id}")`;
  for (const amount of [500, 250])
    await rows(
      `InvoiceItem.create(customer=Customer("cus_1"), invoice=${invoice}, amount=${amount}, currency="eur")`,
    );
  expect(await rows(`${invoice}.lines[amount]`)).toEqual([{ amount: 250 }, { amount: 500 }]);
  expect(await rows(`${invoice}.finalize()[status, total]`)).toEqual([
    { status: "open", total: 750 },
  ]);
  await rows(`${invoice}.send()`);
  expect(await rows('Customer("cus_1").invoices{status=open}[id, amount_remaining]')).toEqual([
    { id, amount_remaining: 750 },
  ]);
  expect(await rows(`${invoice}.pay()[status, amount_paid]`)).toEqual([
    { status: "paid", amount_paid: 750 },
  ]);
  await expect(rows(`${invoice}.delete()`)).rejects.toThrow(
    "only delete an invoice while it is draft",
  );
  await expect(rows(`${invoice}.void()`)).rejects.toThrow("while it is open");
  expect(written().map(([line]) => line)).toEqual([
    "POST /v1/invoices",
    "POST /v1/invoiceitems",
    "POST /v1/invoiceitems",
    `POST /v1/invoices/${id}/finalize`,
    `POST /v1/invoices/${id}/send`,
    `POST /v1/invoices/${id}/pay`,
    `DELETE /v1/invoices/${id}`,
    `POST /v1/invoices/${id}/void`,
  ]);
});

test("a subscription has its prices in a list of forms, and is canceled", async () => {
  const price = await made(
    'Price.create(product=Product("prod_1"), currency="eur", unit_amount=900, recurring={interval: month})[id]',
  );
  const id = await made(
    `Subscription.create(customer=Customer("cus_2"), items=[{price: "price_1", quantity: 2}, {price: "${price}"}])[id]`,
  );
  expect(written()).toEqual([
    [
      "POST /v1/prices",
      { product: "prod_1", currency: "eur", unit_amount: "900", "recurring[interval]": "month" },
    ],
    [
      "POST /v1/subscriptions",
      {
        customer: "cus_2",
        "items[0][price]": "price_1",
        "items[0][quantity]": "2",
        "items[1][price]": price,
      },
    ],
  ]);
  expect(await rows('Customer("cus_2").subscriptions[id, status]')).toEqual([
    { id, status: "active" },
  ]);
  expect(await rows(`Subscription("${id}").cancel()[status]`)).toEqual([{ status: "canceled" }]);
  // Canceled ones are left out by the API unless all are asked for.
  expect(await rows('Customer("cus_2").subscriptions{status!=active}[id, status]')).toEqual([
    { id, status: "canceled" },
  ]);
  expect(await rows('Customer("cus_2").subscriptions{status=active}[id]')).toEqual([]);
  expect(await rows("Subscription{status=canceled}[id, customer]")).toMatchObject([{ id }]);
  expect(await rows('Product("prod_1").prices[unit_amount]')).toHaveLength(2);
});

test("a payment is held, captured in part and refunded in part; a declined card takes nothing", async () => {
  const id = await made(
    'PaymentIntent.create(amount=1000, currency="eur", customer=Customer("cus_3"), payment_method="pm_card", capture_method=manual)[id]',
  );
  const intent = `PaymentIntent("${id}")`;
  expect(await rows(`${intent}.confirm()[status]`)).toEqual([{ status: "requires_capture" }]);
  expect(await rows(`${intent}.capture(amount_to_capture=800)[status, amount_received]`)).toEqual([
    { status: "succeeded", amount_received: 800 },
  ]);
  await rows(`Refund.create(payment_intent=${intent}, amount=300)`);
  expect(await rows(`${intent}.charges[amount, amount_refunded]`)).toEqual([
    { amount: 800, amount_refunded: 300 },
  ]);
  await expect(rows(`Refund.create(payment_intent=${intent}, amount=900)`)).rejects.toThrow(
    "greater than",
  );
  await expect(rows(`${intent}.cancel()`)).rejects.toThrow("cannot cancel this PaymentIntent");
  const declined =
    'PaymentIntent.create(amount=5, currency="eur", payment_method="pm_card_chargeDeclined", confirm=true)';
  await expect(rows(declined)).rejects.toThrow("Your card was declined");
  expect(await rows("Charge.aggregate(n=count)")).toEqual([{ n: 1 }]);
  expect(await rows("Balance.get()[available]")).toEqual([
    { available: [{ amount: 4200, currency: "eur" }] },
  ]);
});

test("a key that the API does not know is refused in its words", async () => {
  const plasm = await world().open("rk_test_other");
  await expect(plasm.run("Product[name]")).rejects.toThrow("Invalid API Key provided");
});
