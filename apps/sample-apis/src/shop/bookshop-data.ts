import { rfc3339, Seeded, unixSeconds } from "./seeded.ts";
import type { Collection } from "./serve-collections.ts";

interface Customer {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly city: string;
  readonly vip: boolean;
  readonly joined: string;
  /** euros, as text */
  readonly credit: string;
  readonly tags: readonly string[];
  readonly preferences: {
    readonly newsletter: boolean;
    readonly language: string;
    readonly "favourite genre": string | null;
  };
}

interface Book {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly genre: string;
  readonly price: number;
  /** euros, as text; null if unknown */
  readonly cost: string | null;
  readonly stock: number;
  readonly reorder_level: number;
  readonly published: string | null;
  readonly pages: number | null;
  readonly tags: readonly string[];
  readonly format: { readonly binding: string; readonly "weight g": number };
}

interface Line {
  readonly no: string;
  readonly book: string;
  readonly quantity: number;
  readonly unit_price: number;
}

interface Order {
  readonly id: number;
  readonly customer: number;
  readonly state: string;
  readonly channel: string;
  readonly placed: string;
  /** seconds since 1970; null until it leaves */
  readonly shipped: number | null;
  /** euros, as text, before the discount */
  readonly total: string;
  readonly discount: number | null;
  readonly coupon: string | null;
  readonly note: string | null;
  readonly lines: readonly Line[];
}

interface Review {
  readonly id: number;
  readonly book: string;
  readonly customer: number;
  readonly stars: number;
  readonly text: string | null;
  readonly written: string;
}

interface Coupon {
  readonly code: string;
  readonly percent: number;
  readonly min_total: number | null;
  readonly expires: string;
  readonly uses: number;
  readonly max_uses: number | null;
  readonly active: boolean;
}

export interface Bookshop {
  readonly customers: readonly Customer[];
  readonly books: readonly Book[];
  readonly orders: readonly Order[];
  readonly reviews: readonly Review[];
  readonly coupons: readonly Coupon[];
}

const FIRST = "Ada Ben Cleo Dario Edda Finn Gita Hugo Iris Jonas Kira Leo Mona Nils Olga".split(
  " ",
);
const LAST = "Abel Berg Costa Dorn Egger Falk Greco Holm".split(" ");
const CITIES = ["Lisbon", "Oslo", "Graz", "Turin", "Ghent"];
const GENRES = ["novel", "crime", "science", "history", "children", "poetry"];
const AUTHORS = "M. Aller|T. Brandt|Y. Castel|R. Dunne|S. Eide|P. Fiore|L. Grant|N. Hasek".split(
  "|",
);
const ADJECTIVES = "Silent Red Hidden Last Winter Paper Distant Broken Golden Small".split(" ");
const NOUNS = "Harbour Garden Letter River Clock Mountain Orchard Window".split(" ");
const PRAISE = [
  "Could not put it down",
  "Too long",
  "A gift for my sister",
  "Damaged cover",
  "Lovely prose",
];
const NOTES = [
  "leave at the door",
  "gift wrap please",
  "call before delivery",
  "urgent: birthday on Friday",
];

const cents = (random: Seeded, low: number, high: number): number =>
  random.between(low * 100, high * 100) / 100;

const customersOf = (random: Seeded): readonly Customer[] =>
  Array.from({ length: 60 }, (_, at) => {
    const name = `${FIRST[at % FIRST.length]} ${LAST[Math.floor(at / 8)]}`;
    return {
      id: 101 + at,
      name,
      email: random.chance(0.2) ? null : `${name.toLowerCase().replace(" ", ".")}@mail.example`,
      city: random.pick(CITIES),
      vip: random.chance(0.25),
      joined: random.day("2022-01-01", "2026-06-30"),
      credit: cents(random, 0, 60).toFixed(2),
      tags: random.some(["school", "club", "wholesale", "blocked"], 2),
      preferences: {
        newsletter: random.chance(0.5),
        language: random.pick(["en", "de", "pt"]),
        "favourite genre": random.chance(0.3) ? null : random.pick(GENRES),
      },
    };
  });

const booksOf = (random: Seeded): readonly Book[] =>
  Array.from({ length: 80 }, (_, at) => {
    const price = cents(random, 6, 45);
    return {
      id: `bk${at + 1}`,
      title: `The ${ADJECTIVES[at % 10]} ${NOUNS[(at + Math.floor(at / 10)) % 8]}`,
      author: random.pick(AUTHORS),
      genre: random.pick(GENRES),
      price,
      cost: random.chance(0.1) ? null : (price * (0.4 + random.next() * 0.5)).toFixed(2),
      stock: random.chance(0.1) ? 0 : random.between(1, 60),
      reorder_level: random.between(5, 20),
      published: random.chance(0.1) ? null : random.day("1995-01-01", "2026-03-31"),
      pages: random.chance(0.15) ? null : random.between(60, 900),
      tags: random.some(["signed", "bestseller", "sale", "import"], 2),
      format: { binding: random.pick(["hard", "soft"]), "weight g": random.between(120, 1400) },
    };
  });

const couponsOf = (random: Seeded): readonly Coupon[] =>
  Array.from({ length: 40 }, (_, at) => ({
    code: `${random.pick(["SPRING", "READ", "THANKS", "FRIEND"])}${at + 10}`,
    percent: random.pick([5, 10, 15, 20, 25, 30]),
    min_total: random.chance(0.4) ? null : random.between(20, 90),
    expires: random.day("2025-01-01", "2029-12-31"),
    uses: random.between(0, 40),
    max_uses: random.chance(0.4) ? null : random.between(10, 50),
    active: random.chance(0.7),
  }));

function orderOf(
  random: Seeded,
  at: number,
  books: readonly Book[],
  coupons: readonly Coupon[],
): Order {
  const id = 5001 + at;
  const lines = Array.from({ length: random.between(1, 4) }, (_, no) => {
    const book = random.pick(books);
    const unit_price = random.chance(0.3) ? Math.round(book.price * 90) / 100 : book.price;
    return { no: `${id}-${no + 1}`, book: book.id, quantity: random.between(1, 4), unit_price };
  });
  const total =
    lines.reduce(
      (sum, { quantity, unit_price }) => sum + Math.round(quantity * unit_price * 100),
      0,
    ) / 100;
  const state = random.pick(["new", "paid", "shipped", "delivered", "cancelled"]);
  const placed = random.moment("2025-09-01", "2026-08-31");
  const left = state === "shipped" || state === "delivered";
  return {
    id,
    customer: 101 + random.between(0, 54),
    state,
    channel: random.pick(["web", "store", "phone"]),
    placed: rfc3339(placed),
    shipped: left ? unixSeconds(placed) + random.between(3, 200) * 3600 : null,
    total: total.toFixed(2),
    discount: random.chance(0.6) ? null : cents(random, 1, 9),
    coupon: random.chance(0.7) ? null : random.pick(coupons).code,
    note: random.chance(0.75) ? null : random.pick(NOTES),
    lines,
  };
}

const reviewsOf = (random: Seeded, books: readonly Book[]): readonly Review[] =>
  Array.from({ length: 90 }, (_, at) => ({
    id: 1 + at,
    book: random.pick(books.slice(0, 50)).id,
    customer: 101 + random.between(0, 59),
    stars: random.between(1, 5),
    text: random.chance(0.2) ? null : random.pick(PRAISE),
    written: rfc3339(random.moment("2025-11-01", "2026-08-31")),
  }));

/** The bookshop's data, the same at every call. */
export function bookshopData(): Bookshop {
  const random = new Seeded(20_260_901);
  const customers = customersOf(random);
  const books = booksOf(random);
  const coupons = couponsOf(random);
  const orders = Array.from({ length: 120 }, (_, at) => orderOf(random, at, books, coupons));
  return { customers, books, orders, coupons, reviews: reviewsOf(random, books) };
}

const NOW = "2026-09-01T12:00:00Z";

/** What the bookshop's API serves. */
export const bookshopCollections = (data: Bookshop): readonly Collection[] => [
  {
    name: "customers",
    key: "id",
    rows: data.customers,
    paging: "page",
    filters: ["city", "vip"],
    search: "name",
    create: (body, count) => ({
      email: null,
      city: null,
      vip: false,
      joined: NOW.slice(0, 10),
      credit: "0.00",
      tags: [],
      preferences: {},
      ...body,
      id: 101 + count,
    }),
    update: ["name", "email", "city", "vip", "tags"],
    actions: {
      "add-credit": {
        takes: ["amount", "reason"],
        apply: (row, { amount }) => {
          row["credit"] = (Number(row["credit"]) + Number(amount)).toFixed(2);
        },
      },
      message: { takes: ["subject", "body"], apply: () => undefined },
    },
  },
  {
    name: "books",
    key: "id",
    rows: data.books,
    paging: "page",
    filters: ["genre"],
    search: "title",
    update: ["title", "price", "stock", "reorder_level", "tags"],
    delete: true,
    actions: { reorder: { takes: ["quantity"], apply: () => undefined } },
  },
  {
    name: "orders",
    key: "id",
    rows: data.orders,
    paging: "cursor",
    filters: ["state", "customer"],
    update: ["note", "discount"],
    actions: {
      ship: {
        takes: ["carrier"],
        apply: (row) => {
          row["state"] = "shipped";
        },
      },
      cancel: {
        takes: ["reason"],
        apply: (row) => {
          row["state"] = "cancelled";
        },
      },
    },
  },
  {
    name: "lines",
    key: "no",
    rows: data.orders.flatMap(({ lines }) => lines),
    paging: "whole",
    filters: [],
  },
  {
    name: "reviews",
    key: "id",
    rows: data.reviews,
    paging: "offset",
    filters: ["book", "customer"],
    create: (body, count) => ({ text: null, ...body, id: 1 + count, written: NOW }),
    delete: true,
  },
  {
    name: "coupons",
    key: "code",
    rows: data.coupons,
    paging: "whole",
    filters: [],
    create: (body) => ({ min_total: null, max_uses: null, uses: 0, active: true, ...body }),
    update: ["percent", "expires", "max_uses", "active"],
  },
];
