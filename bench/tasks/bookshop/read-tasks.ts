import { greatest, inOrder, least, oneNumber, rows, rowWhere, type Task } from "../task.ts";
import type { Bookshop } from "@plasm/sample-apis/shop";

/** Reads, filters, order and pages. */
export const BOOKSHOP_READS: readonly Task<Bookshop>[] = [
  {
    id: "b01",
    kind: "read",
    ask: "Show customer 117: name, city and credit.",
    expect: ({ customers }) => {
      const { name, city, credit } = rowWhere(customers, ({ id }) => id === 117);
      return rows([[name, city, credit]]);
    },
  },
  {
    id: "b02",
    kind: "read",
    ask: "What do we charge for book bk12, and how many copies are on the shelf?",
    expect: ({ books }) => {
      const { price, stock } = rowWhere(books, ({ id }) => id === "bk12");
      return rows([[price, stock]]);
    },
  },
  {
    id: "b03",
    kind: "read",
    ask: "All coupons with their code and percent.",
    expect: ({ coupons }) => rows(coupons.map(({ code, percent }) => [code, percent])),
  },
  {
    id: "b04",
    kind: "read",
    ask: "What is in order 5010? Give book, quantity and unit price of each line.",
    expect: ({ orders }) =>
      rows(
        rowWhere(orders, ({ id }) => id === 5010).lines.map((line) => [
          line.book,
          line.quantity,
          line.unit_price,
        ]),
      ),
  },
  {
    id: "b05",
    kind: "read",
    ask: "Who placed order 5044? Give the name and the email address.",
    expect: ({ orders, customers }) => {
      const { customer } = rowWhere(orders, ({ id }) => id === 5044);
      const { name, email } = rowWhere(customers, ({ id }) => id === customer);
      return rows([[name, email]]);
    },
  },
  {
    id: "b06",
    kind: "read",
    ask: "Which reviews did customer 120 write? Give the book and the stars.",
    expect: ({ reviews }) =>
      rows(
        reviews.filter(({ customer }) => customer === 120).map(({ book, stars }) => [book, stars]),
      ),
  },
  {
    id: "b07",
    kind: "read",
    ask: "The orders of customer 113: id, state and total.",
    expect: ({ orders }) =>
      rows(
        orders
          .filter(({ customer }) => customer === 113)
          .map(({ id, state, total }) => [id, state, total]),
      ),
  },
  {
    id: "b08",
    kind: "read",
    ask: "Which books have the word Winter in their title? Id and title.",
    expect: ({ books }) =>
      rows(
        books.filter(({ title }) => title.includes("Winter")).map(({ id, title }) => [id, title]),
      ),
  },
  {
    id: "b09",
    kind: "filter",
    ask: "VIP customers in Graz: id and name.",
    expect: ({ customers }) =>
      rows(
        customers
          .filter(({ vip, city }) => vip && city === "Graz")
          .map(({ id, name }) => [id, name]),
      ),
  },
  {
    id: "b10",
    kind: "filter",
    ask: "Crime books that cost less than 20 euros: id, title and price.",
    expect: ({ books }) =>
      rows(
        books
          .filter(({ genre, price }) => genre === "crime" && price < 20)
          .map(({ id, title, price }) => [id, title, price]),
      ),
  },
  {
    id: "b11",
    kind: "filter",
    ask: "Of which customers do we have no email address? Give all their names.",
    expect: ({ customers }) =>
      rows(customers.filter(({ email }) => email === null).map(({ name }) => [name])),
  },
  {
    id: "b12",
    kind: "filter",
    ask: "The titles of all books that are out of stock.",
    expect: ({ books }) =>
      rows(books.filter(({ stock }) => stock === 0).map(({ title }) => [title])),
  },
  {
    id: "b13",
    kind: "filter",
    ask: "Ids of all books that are tagged both sale and import.",
    expect: ({ books }) =>
      rows(
        books
          .filter(({ tags }) => tags.includes("sale") && tags.includes("import"))
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "b14",
    kind: "filter",
    ask: "Ids of all customers that are tagged club or school and are not tagged blocked.",
    expect: ({ customers }) =>
      rows(
        customers
          .filter(
            ({ tags }) =>
              (tags.includes("club") || tags.includes("school")) && !tags.includes("blocked"),
          )
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "b15",
    kind: "filter",
    ask: "Ids of all new orders that came over the web or by phone.",
    expect: ({ orders }) =>
      rows(
        orders
          .filter(({ state, channel }) => state === "new" && channel !== "store")
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "b16",
    kind: "filter",
    ask: "All books published before the year 2000: id and day of publication.",
    expect: ({ books }) =>
      rows(
        books
          .filter(({ published }) => published !== null && published < "2000-01-01")
          .map(({ id, published }) => [id, published]),
      ),
  },
  {
    id: "b17",
    kind: "filter",
    ask: "Ids of all orders whose note mentions a gift.",
    expect: ({ orders }) =>
      rows(orders.filter(({ note }) => note?.includes("gift")).map(({ id }) => [id])),
  },
  {
    id: "b18",
    kind: "filter",
    ask: "All customers who want the newsletter and whose language is de: id and name.",
    expect: ({ customers }) =>
      rows(
        customers
          .filter(({ preferences }) => preferences.newsletter && preferences.language === "de")
          .map(({ id, name }) => [id, name]),
      ),
  },
  {
    id: "b19",
    kind: "filter",
    ask: "Names of all customers whose favourite genre is crime.",
    expect: ({ customers }) =>
      rows(
        customers
          .filter(({ preferences }) => preferences["favourite genre"] === "crime")
          .map(({ name }) => [name]),
      ),
  },
  {
    id: "b20",
    kind: "filter",
    ask: "Ids of all books in hard binding that weigh more than a kilogram.",
    expect: ({ books }) =>
      rows(
        books
          .filter(({ format }) => format.binding === "hard" && format["weight g"] > 1000)
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "b21",
    kind: "filter",
    ask: "Which coupons are still active although they have expired by today? Codes.",
    expect: ({ coupons }, now) =>
      rows(
        coupons
          .filter(({ active, expires }) => active && expires < now.toISOString().slice(0, 10))
          .map(({ code }) => [code]),
      ),
  },
  {
    id: "b22",
    kind: "filter",
    ask: "All orders over 200 euros that are neither cancelled nor delivered: id and total.",
    expect: ({ orders }) =>
      rows(
        orders
          .filter(
            ({ state, total }) =>
              !["cancelled", "delivered"].includes(state) && Number(total) > 200,
          )
          .map(({ id, total }) => [id, total]),
      ),
  },
  {
    id: "b23",
    kind: "filter",
    ask: "Ids of all reviews with five stars and no text.",
    expect: ({ reviews }) =>
      rows(reviews.filter(({ stars, text }) => stars === 5 && text === null).map(({ id }) => [id])),
  },
  {
    id: "b24",
    kind: "filter",
    ask: "Ids of all orders placed in March 2026.",
    expect: ({ orders }) =>
      rows(orders.filter(({ placed }) => placed.startsWith("2026-03")).map(({ id }) => [id])),
  },
  {
    id: "b25",
    kind: "filter",
    ask: "Ids of all history and science books that either cost under 12 euros or have more than 45 copies in stock.",
    expect: ({ books }) =>
      rows(
        books
          .filter(
            ({ genre, price, stock }) =>
              ["history", "science"].includes(genre) && (price < 12 || stock > 45),
          )
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "b26",
    kind: "filter",
    ask: "Ids of all books of which we have fewer copies than their reorder level.",
    expect: ({ books }) =>
      rows(books.filter(({ stock, reorder_level }) => stock < reorder_level).map(({ id }) => [id])),
  },
  {
    id: "b27",
    kind: "filter",
    ask: "Which coupons have been used as often as they may be, or more often? Codes.",
    expect: ({ coupons }) =>
      rows(
        coupons
          .filter(({ uses, max_uses }) => max_uses !== null && uses >= max_uses)
          .map(({ code }) => [code]),
      ),
  },
  {
    id: "b28",
    kind: "filter",
    ask: "Ids of all books of which the cost or the number of pages is not known, or both.",
    expect: ({ books }) =>
      rows(
        books.filter(({ cost, pages }) => cost === null || pages === null).map(({ id }) => [id]),
      ),
  },
  {
    id: "b29",
    kind: "filter",
    ask: "Ids of all orders that left the shop after the 1st of July 2026.",
    expect: ({ orders }) => {
      const bound = Date.parse("2026-07-02T00:00:00Z") / 1000;
      return rows(
        orders.filter(({ shipped }) => shipped !== null && shipped >= bound).map(({ id }) => [id]),
      );
    },
  },
  {
    id: "b30",
    kind: "paging",
    ask: "The ten most expensive books, the dearest first: title and price.",
    expect: ({ books }) =>
      inOrder(greatest(books, 10, ({ price }) => price).map(({ title, price }) => [title, price])),
  },
  {
    id: "b31",
    kind: "paging",
    ask: "The five customers who joined last, the newest first: name and day.",
    expect: ({ customers }) =>
      inOrder(
        greatest(customers, 5, ({ joined }) => Date.parse(joined)).map(({ name, joined }) => [
          name,
          joined,
        ]),
      ),
  },
  {
    id: "b32",
    kind: "paging",
    ask: "With all books ordered by price, the cheapest first: the ids of those in places 11 to 20, in that order.",
    expect: ({ books }) =>
      inOrder(
        least(books, 20, ({ price }) => price)
          .slice(10)
          .map(({ id }) => [id]),
      ),
  },
  {
    id: "b33",
    kind: "paging",
    ask: "How many reviews are there?",
    expect: ({ reviews }) => oneNumber(reviews.length),
  },
  {
    id: "b34",
    kind: "paging",
    ask: "The ids of the 25 oldest orders by the time they were placed, the oldest first.",
    expect: ({ orders }) =>
      inOrder(least(orders, 25, ({ placed }) => Date.parse(placed)).map(({ id }) => [id])),
  },
  {
    id: "b35",
    kind: "paging",
    ask: "The review that was written last: its book and its stars.",
    expect: ({ reviews }) =>
      rows(
        greatest(reviews, 1, ({ written }) => Date.parse(written)).map(({ book, stars }) => [
          book,
          stars,
        ]),
      ),
  },
  {
    id: "b36",
    kind: "paging",
    ask: "The titles of the three heaviest books, the heaviest first.",
    expect: ({ books }) =>
      inOrder(greatest(books, 3, ({ format }) => format["weight g"]).map(({ title }) => [title])),
  },
  {
    id: "b37",
    kind: "paging",
    ask: "In which cities do our customers live? Each once.",
    expect: ({ customers }) =>
      rows([...new Set(customers.map(({ city }) => city))].map((city) => [city])),
  },
];
