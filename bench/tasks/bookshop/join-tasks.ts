import { groups, least, rows, rowWhere, type Task } from "../task.ts";
import type { Bookshop } from "@plasm/sample-apis/shop";

const day = (moment: string): string => moment.slice(0, 10);

/** Rows of one list by those of another. */
export const BOOKSHOP_JOINS: readonly Task<Bookshop>[] = [
  {
    id: "b38",
    kind: "join",
    ask: "Names of the customers who have a new order, each once.",
    expect: ({ orders, customers }) => {
      const ids = new Set(
        orders.filter(({ state }) => state === "new").map(({ customer }) => customer),
      );
      return rows(customers.filter(({ id }) => ids.has(id)).map(({ name }) => [name]));
    },
  },
  {
    id: "b39",
    kind: "join",
    ask: "Titles of the books that got a review with one star, each once.",
    expect: ({ reviews, books }) => {
      const ids = new Set(reviews.filter(({ stars }) => stars === 1).map(({ book }) => book));
      return rows(books.filter(({ id }) => ids.has(id)).map(({ title }) => [title]));
    },
  },
  {
    id: "b40",
    kind: "join",
    ask: "Of each review with five stars: the title of the book and the name of who wrote it.",
    expect: ({ reviews, books, customers }) =>
      rows(
        reviews
          .filter(({ stars }) => stars === 5)
          .map(({ book, customer }) => [
            rowWhere(books, ({ id }) => id === book).title,
            rowWhere(customers, ({ id }) => id === customer).name,
          ]),
      ),
  },
  {
    id: "b41",
    kind: "join",
    ask: "Ids of all orders with a coupon of 20 percent or more.",
    expect: ({ orders, coupons }) =>
      rows(
        orders
          .filter(
            ({ coupon }) =>
              coupon !== null && rowWhere(coupons, ({ code }) => code === coupon).percent >= 20,
          )
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "b42",
    kind: "join",
    ask: "Which customers have never ordered anything? Ids.",
    expect: ({ orders, customers }) => {
      const ids = new Set(orders.map(({ customer }) => customer));
      return rows(customers.filter(({ id }) => !ids.has(id)).map(({ id }) => [id]));
    },
  },
  {
    id: "b43",
    kind: "join",
    ask: "Ids of the books that nobody has reviewed.",
    expect: ({ reviews, books }) => {
      const ids = new Set(reviews.map(({ book }) => book));
      return rows(books.filter(({ id }) => !ids.has(id)).map(({ id }) => [id]));
    },
  },
  {
    id: "b44",
    kind: "join",
    ask: "All paid orders with the name and city of the customer: order id, name, city.",
    expect: ({ orders, customers }) =>
      rows(
        orders
          .filter(({ state }) => state === "paid")
          .map(({ id, customer }) => {
            const { name, city } = rowWhere(customers, (one) => one.id === customer);
            return [id, name, city];
          }),
      ),
  },
  {
    id: "b45",
    kind: "join",
    ask: "For every VIP customer the name and the number of orders, also where it is none.",
    expect: ({ orders, customers }) =>
      rows(
        customers
          .filter(({ vip }) => vip)
          .map(({ id, name }) => [name, orders.filter(({ customer }) => customer === id).length]),
      ),
  },
  {
    id: "b46",
    kind: "join",
    ask: "Every review of a crime book: review id, stars and the book's title.",
    expect: ({ reviews, books }) =>
      rows(
        reviews.flatMap(({ id, stars, book }) => {
          const { genre, title } = rowWhere(books, (one) => one.id === book);
          return genre === "crime" ? [[id, stars, title]] : [];
        }),
      ),
  },
  {
    id: "b47",
    kind: "join",
    ask: "The titles in order 5010, and how many copies of each.",
    expect: ({ orders, books }) =>
      rows(
        rowWhere(orders, ({ id }) => id === 5010).lines.map(({ book, quantity }) => [
          rowWhere(books, ({ id }) => id === book).title,
          quantity,
        ]),
      ),
  },
  {
    id: "b48",
    kind: "join",
    ask: "The cheapest book of each genre: genre, title and price.",
    expect: ({ books }) =>
      rows(
        groups(books, ({ genre }) => genre).flatMap(([genre, list]) =>
          least(list, 1, ({ price }) => price).map(({ title, price }) => [genre, title, price]),
        ),
      ),
  },
  {
    id: "b49",
    kind: "join",
    ask: "How many copies of each book are in the orders of customer 113 together? Book id and copies.",
    expect: ({ orders }) => {
      const lines = orders
        .filter(({ customer }) => customer === 113)
        .flatMap((order) => order.lines);
      return rows(
        groups(lines, ({ book }) => book).map(([book, list]) => [
          book,
          list.reduce((n, { quantity }) => n + quantity, 0),
        ]),
      );
    },
  },
  {
    id: "b50",
    kind: "join",
    ask: "Reviews whose writer lives in Oslo, about books that cost more than 30 euros: review id.",
    expect: ({ reviews, books, customers }) =>
      rows(
        reviews
          .filter(
            ({ book, customer }) =>
              rowWhere(books, ({ id }) => id === book).price > 30 &&
              rowWhere(customers, ({ id }) => id === customer).city === "Oslo",
          )
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "b51",
    kind: "join",
    ask: "For each new order the order's id, the day it was placed (no time) and the customer's email address.",
    expect: ({ orders, customers }) =>
      rows(
        orders
          .filter(({ state }) => state === "new")
          .map(({ id, placed, customer }) => [
            id,
            day(placed),
            rowWhere(customers, (one) => one.id === customer).email,
          ]),
      ),
  },
];
