import { cents, deleted, effects, patched, posted, rowWhere, type Task } from "../task.ts";
import type { Bookshop } from "@plasm/sample-apis/shop";

/** Changes of the data, and calls for the world outside. */
export const BOOKSHOP_EFFECTS: readonly Task<Bookshop>[] = [
  {
    id: "b81",
    kind: "effect",
    ask: "Set the price of book bk7 to 19.90 euros.",
    expect: () => effects([patched("/books/bk7", { price: 19.9 })]),
  },
  {
    id: "b82",
    kind: "effect",
    ask: "Raise the price of every poetry book by 10 percent, rounded to cents.",
    expect: ({ books }) =>
      effects(
        books
          .filter(({ genre }) => genre === "poetry")
          .map(({ id, price }) => patched(`/books/${id}`, { price: cents(price * 1.1) })),
      ),
  },
  {
    id: "b83",
    kind: "effect",
    ask: "Ship order 5014 with the carrier PostNord.",
    expect: () => effects([posted("/orders/5014/ship", { carrier: "PostNord" })]),
  },
  {
    id: "b84",
    kind: "effect",
    ask: "Cancel all new orders that were placed before 2026, with the reason: too old",
    expect: ({ orders }) =>
      effects(
        orders
          .filter(({ state, placed }) => state === "new" && placed < "2026")
          .map(({ id }) => posted(`/orders/${id}/cancel`, { reason: "too old" })),
      ),
  },
  {
    id: "b85",
    kind: "effect",
    ask: "Order 30 copies from the publisher of each book that is out of stock.",
    expect: ({ books }) =>
      effects(
        books
          .filter(({ stock }) => stock === 0)
          .map(({ id }) => posted(`/books/${id}/reorder`, { quantity: 30 })),
      ),
  },
  {
    id: "b86",
    kind: "effect",
    ask: "For each crime book below its reorder level, order from the publisher as many copies as are missing to that level.",
    expect: ({ books }) =>
      effects(
        books
          .filter(({ genre, stock, reorder_level }) => genre === "crime" && stock < reorder_level)
          .map(({ id, stock, reorder_level }) =>
            posted(`/books/${id}/reorder`, { quantity: reorder_level - stock }),
          ),
      ),
  },
  {
    id: "b87",
    kind: "effect",
    ask: "Tag customer 102 with loyal, too; the tags that are there stay.",
    expect: ({ customers }) =>
      effects([
        patched("/customers/102", {
          tags: [...rowWhere(customers, ({ id }) => id === 102).tags, "loyal"],
        }),
      ]),
  },
  {
    id: "b88",
    kind: "effect",
    ask: "Add the tag classic to each book that was published before 2000, beside the tags it has.",
    expect: ({ books }) =>
      effects(
        books
          .filter(({ published }) => published !== null && published < "2000")
          .map(({ id, tags }) => patched(`/books/${id}`, { tags: [...tags, "classic"] })),
      ),
  },
  {
    id: "b89",
    kind: "effect",
    ask: "Enter a review by customer 130 of book bk20: five stars, with the text: Splendid, read it twice.",
    expect: () =>
      effects([
        posted("/reviews", {
          book: "bk20",
          customer: 130,
          stars: 5,
          text: "Splendid, read it twice.",
        }),
      ]),
  },
  {
    id: "b90",
    kind: "effect",
    ask: "Remove all reviews with one star that have no text.",
    expect: ({ reviews }) =>
      effects(
        reviews
          .filter(({ stars, text: said }) => stars === 1 && said === null)
          .map(({ id }) => deleted(`/reviews/${id}`)),
      ),
  },
  {
    id: "b91",
    kind: "effect",
    ask: "Issue a coupon AUTUMN26: 15 percent, until the end of November 2026, at most 100 uses.",
    expect: () =>
      effects([
        posted("/coupons", { code: "AUTUMN26", percent: 15, expires: "2026-11-30", max_uses: 100 }),
      ]),
  },
  {
    id: "b92",
    kind: "effect",
    ask: "Switch off every active coupon that expired before 2026.",
    expect: ({ coupons }) =>
      effects(
        coupons
          .filter(({ active, expires }) => active && expires < "2026")
          .map(({ code }) => patched(`/coupons/${code}`, { active: false })),
      ),
  },
  {
    id: "b93",
    kind: "effect",
    ask: "Give each VIP customer in Turin 5 euros credit, with the reason: thank you",
    expect: ({ customers }) =>
      effects(
        customers
          .filter(({ vip, city }) => vip && city === "Turin")
          .map(({ id }) =>
            posted(`/customers/${id}/add-credit`, { amount: 5, reason: "thank you" }),
          ),
      ),
  },
  {
    id: "b94",
    kind: "effect",
    ask: "For each new order by phone, message its customer with the subject Your order and a body like: Hello Ada Abel, order 5001 will leave soon.",
    expect: ({ orders, customers }) =>
      effects(
        orders
          .filter(({ state, channel }) => state === "new" && channel === "phone")
          .map(({ id, customer }) => {
            const { name } = rowWhere(customers, (one) => one.id === customer);
            return posted(`/customers/${customer}/message`, {
              subject: "Your order",
              body: `Hello ${name}, order ${id} will leave soon.`,
            });
          }),
      ),
  },
  {
    id: "b95",
    kind: "effect",
    ask: "Put [RUSH] and a blank before the note of each paid order that has a note.",
    expect: ({ orders }) =>
      effects(
        orders
          .filter(({ state, note }) => state === "paid" && note !== null)
          .map(({ id, note }) => patched(`/orders/${id}`, { note: `[RUSH] ${note}` })),
      ),
  },
  {
    id: "b96",
    kind: "effect",
    ask: "Enter a new customer, Rosa Lang from Ghent with the email address rosa@mail.example, and then a review by her of book bk5 with four stars.",
    expect: () =>
      effects([
        posted("/customers", { name: "Rosa Lang", city: "Ghent", email: "rosa@mail.example" }),
        posted("/reviews", { book: "bk5", customer: 161, stars: 4 }),
      ]),
  },
  {
    id: "b97",
    kind: "effect",
    ask: "Set the discount of each new order over 150 euros to a tenth of its total, rounded to cents.",
    expect: ({ orders }) =>
      effects(
        orders
          .filter(({ state, total }) => state === "new" && Number(total) > 150)
          .map(({ id, total }) =>
            patched(`/orders/${id}`, { discount: cents(Number(total) / 10) }),
          ),
      ),
  },
  {
    id: "b98",
    kind: "effect",
    ask: "We found two more copies of book bk10 and put them on the shelf: correct its stock.",
    expect: ({ books }) =>
      effects([
        patched("/books/bk10", { stock: rowWhere(books, ({ id }) => id === "bk10").stock + 2 }),
      ]),
  },
  {
    id: "b99",
    kind: "effect",
    ask: "Let coupon READ11 expire 30 days later than now planned.",
    expect: ({ coupons }) => {
      const { expires } = rowWhere(coupons, ({ code }) => code === "READ11");
      const later = new Date(Date.parse(expires) + 30 * 86_400_000).toISOString().slice(0, 10);
      return effects([patched("/coupons/READ11", { expires: later })]);
    },
  },
];
