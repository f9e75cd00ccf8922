import {
  average,
  cents,
  greatest,
  groups,
  oneNumber,
  rows,
  inOrder,
  sum,
  oneText,
  type Task,
} from "../task.ts";
import type { Bookshop } from "@plasm/sample-apis/shop";

const money = (value: string): number => Number(value);
const left = ({ placed, shipped }: Bookshop["orders"][number]): number =>
  shipped === null ? Number.NaN : (shipped - Date.parse(placed) / 1000) / 86_400;

const SUMS: readonly Task<Bookshop>[] = [
  {
    id: "b52",
    kind: "sum",
    ask: "What are all delivered orders worth together, before discounts?",
    expect: ({ orders }) =>
      oneNumber(
        sum(orders.filter(({ state }) => state === "delivered").map(({ total }) => money(total))),
        1e-6,
      ),
  },
  {
    id: "b53",
    kind: "sum",
    ask: "What does a poetry book cost on average?",
    expect: ({ books }) =>
      oneNumber(
        average(books.filter(({ genre }) => genre === "poetry").map(({ price }) => price)),
        0.006,
      ),
  },
  {
    id: "b54",
    kind: "sum",
    ask: "How many orders are in each state?",
    expect: ({ orders }) =>
      rows(groups(orders, ({ state }) => state).map(([state, list]) => [state, list.length])),
  },
  {
    id: "b55",
    kind: "sum",
    ask: "For each genre: how many books there are, and how many copies are in stock in all.",
    expect: ({ books }) =>
      rows(
        groups(books, ({ genre }) => genre).map(([genre, list]) => [
          genre,
          list.length,
          sum(list.map(({ stock }) => stock)),
        ]),
      ),
  },
  {
    id: "b56",
    kind: "sum",
    ask: "For each city: the number of customers, and how many of them are VIPs.",
    expect: ({ customers }) =>
      rows(
        groups(customers, ({ city }) => city).map(([city, list]) => [
          city,
          list.length,
          list.filter(({ vip }) => vip).length,
        ]),
      ),
  },
  {
    id: "b57",
    kind: "sum",
    ask: "How many orders were placed in each month of 2026?",
    expect: ({ orders }) => {
      const months = groups(
        orders.filter(({ placed }) => placed.startsWith("2026")),
        ({ placed }) => placed.slice(0, 7),
      );
      const named = (name: (month: string) => unknown) =>
        rows(months.map(([month, list]) => [name(month), list.length]));
      return {
        oneOf: [
          named((month) => month),
          named((month) => Number(month.slice(5))),
          named((month) => `${month}-01`),
        ],
      };
    },
  },
  {
    id: "b58",
    kind: "sum",
    ask: "For each book with at least three reviews: the book and its average stars, rounded to two decimals.",
    expect: ({ reviews }) =>
      rows(
        groups(reviews, ({ book }) => book)
          .filter(([, list]) => list.length >= 3)
          .map(([book, list]) => [book, cents(average(list.map(({ stars }) => stars)))]),
      ),
  },
  {
    id: "b59",
    kind: "sum",
    ask: "The smallest and the largest total among paid orders.",
    expect: ({ orders }) => {
      const totals = orders
        .filter(({ state }) => state === "paid")
        .map(({ total }) => money(total));
      return rows([[Math.min(...totals), Math.max(...totals)]]);
    },
  },
  {
    id: "b60",
    kind: "sum",
    ask: "What percentage of all orders was cancelled? To one decimal.",
    expect: ({ orders }) =>
      oneNumber(
        (100 * orders.filter(({ state }) => state === "cancelled").length) / orders.length,
        0.051,
      ),
  },
  {
    id: "b61",
    kind: "sum",
    ask: "Which three customers spent most, counting the totals of their delivered orders? Customer id and sum, the largest first.",
    expect: ({ orders }) => {
      const delivered = orders.filter(({ state }) => state === "delivered");
      const spent = groups(delivered, ({ customer }) => String(customer)).map(
        ([customer, list]) =>
          [customer, cents(sum(list.map(({ total }) => money(total))))] as const,
      );
      return inOrder(greatest(spent, 3, ([, total]) => total));
    },
  },
  {
    id: "b62",
    kind: "sum",
    ask: "How many customers joined in each year?",
    expect: ({ customers }) =>
      rows(
        groups(customers, ({ joined }) => joined.slice(0, 4)).map(([year, list]) => [
          year,
          list.length,
        ]),
      ),
  },
  {
    id: "b63",
    kind: "sum",
    ask: "Which genres have more than twelve books? Genre and number.",
    expect: ({ books }) =>
      rows(
        groups(books, ({ genre }) => genre)
          .filter(([, list]) => list.length > 12)
          .map(([genre, list]) => [genre, list.length]),
      ),
  },
];

const COMPUTED: readonly Task<Bookshop>[] = [
  {
    id: "b64",
    kind: "computed",
    ask: "What would each crime book cost with 10 percent on top, rounded to cents? Title and new price.",
    expect: ({ books }) =>
      rows(
        books
          .filter(({ genre }) => genre === "crime")
          .map(({ title, price }) => [title, cents(price * 1.1)]),
      ),
  },
  {
    id: "b65",
    kind: "computed",
    ask: "For each poetry book: id, and what its copies in stock are worth at their price.",
    expect: ({ books }) =>
      rows(
        books
          .filter(({ genre }) => genre === "poetry")
          .map(({ id, price, stock }) => [id, cents(price * stock)]),
      ),
  },
  {
    id: "b66",
    kind: "computed",
    ask: "What are all copies of all books in stock worth at their prices?",
    expect: ({ books }) => oneNumber(sum(books.map(({ price, stock }) => price * stock)), 1e-6),
  },
  {
    id: "b67",
    kind: "computed",
    ask: "The five books with the largest margin (price minus cost), the largest first: id and margin.",
    expect: ({ books }) => {
      const margins = books.flatMap(({ id, price, cost }) =>
        cost === null ? [] : [[id, cents(price - money(cost))] as const],
      );
      return inOrder(greatest(margins, 5, ([, margin]) => margin));
    },
  },
  {
    id: "b68",
    kind: "computed",
    ask: "For each paid order what remains to be paid: the total minus the discount, which may be missing. Order id and amount.",
    expect: ({ orders }) =>
      rows(
        orders
          .filter(({ state }) => state === "paid")
          .map(({ id, total, discount }) => [id, cents(money(total) - (discount ?? 0))]),
      ),
  },
  {
    id: "b69",
    kind: "computed",
    ask: "Ids of all books whose margin (price minus cost) is less than a fifth of the price.",
    expect: ({ books }) =>
      rows(
        books
          .filter(({ price, cost }) => cost !== null && price - money(cost) < price / 5)
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "b70",
    kind: "computed",
    ask: "For each delivered order: its id, and how many full days passed from being placed to leaving the shop.",
    expect: ({ orders }) =>
      rows(
        orders
          .filter(({ state }) => state === "delivered")
          .map((order) => [order.id, Math.floor(left(order))]),
      ),
  },
  {
    id: "b71",
    kind: "computed",
    ask: "Ids of all orders that took more than seven days from being placed to leaving the shop.",
    expect: ({ orders }) => rows(orders.filter((order) => left(order) > 7).map(({ id }) => [id])),
  },
  {
    id: "b72",
    kind: "computed",
    ask: "One line for each science book that reads like: The Red Garden by M. Aller",
    expect: ({ books }) =>
      rows(
        books
          .filter(({ genre }) => genre === "science")
          .map(({ title, author }) => [`${title} by ${author}`]),
      ),
  },
  {
    id: "b73",
    kind: "computed",
    ask: "First names of the customers in Oslo (the part of the name before the blank), with their ids.",
    expect: ({ customers }) =>
      rows(
        customers
          .filter(({ city }) => city === "Oslo")
          .map(({ id, name }) => [id, name.split(" ")[0]]),
      ),
  },
  {
    id: "b74",
    kind: "computed",
    ask: "For each coupon with a limit: its code and how often it can still be used, 0 if it was used more often than allowed.",
    expect: ({ coupons }) =>
      rows(
        coupons.flatMap(({ code, uses, max_uses }) =>
          max_uses === null ? [] : [[code, Math.max(0, max_uses - uses)]],
        ),
      ),
  },
  {
    id: "b75",
    kind: "computed",
    ask: "For each novel its id and a word: short under 200 pages, long over 500, else medium, and unknown where the pages are not known.",
    expect: ({ books }) => {
      const word = (pages: number | null): string => {
        if (pages === null) return "unknown";
        if (pages < 200) return "short";
        return pages > 500 ? "long" : "medium";
      };
      return rows(
        books.filter(({ genre }) => genre === "novel").map(({ id, pages }) => [id, word(pages)]),
      );
    },
  },
  {
    id: "b76",
    kind: "computed",
    ask: "How many orders were placed on a Saturday or Sunday (UTC)?",
    expect: ({ orders }) =>
      oneNumber(
        orders.filter(({ placed }) => [0, 6].includes(new Date(placed).getUTCDay())).length,
      ),
  },
  {
    id: "b77",
    kind: "computed",
    ask: "What is a page worth? For each history book of which price and pages are known: id and price for 100 pages, rounded to cents.",
    expect: ({ books }) =>
      rows(
        books.flatMap(({ id, genre, price, pages }) =>
          genre === "history" && pages !== null ? [[id, cents((price / pages) * 100)]] : [],
        ),
      ),
  },
];

const TEXTS: readonly Task<Bookshop>[] = [
  {
    id: "b78",
    kind: "text",
    ask: "A text with a line for each book that is out of stock, ordered by title, each like: - The Red Garden (history)",
    expect: ({ books }) =>
      oneText(
        books
          .filter(({ stock }) => stock === 0)
          .toSorted((a, b) => (a.title < b.title ? -1 : 1))
          .map(({ title, genre }) => `- ${title} (${genre})`)
          .join("\n"),
      ),
  },
  {
    id: "b79",
    kind: "text",
    ask: "One line of text with the names of the VIP customers in Turin, in alphabetical order, with a comma and a blank between them.",
    expect: ({ customers }) =>
      oneText(
        customers
          .filter(({ vip, city }) => vip && city === "Turin")
          .map(({ name }) => name)
          .toSorted()
          .join(", "),
      ),
  },
  {
    id: "b80",
    kind: "text",
    ask: "A sentence of this form with the right numbers: There are 4 crime books, and the dearest costs 12.5 euros.",
    expect: ({ books }) => {
      const crime = books.filter(({ genre }) => genre === "crime").map(({ price }) => price);
      return oneText(
        `There are ${crime.length} crime books, and the dearest costs ${Math.max(...crime)} euros.`,
      );
    },
  },
];

/** Sums, computed values and texts. */
export const BOOKSHOP_VALUES: readonly Task<Bookshop>[] = [...SUMS, ...COMPUTED, ...TEXTS];
