// A database as step 048 left it, with rows in every table; `Step048.sql` holds its schema and its rows.
import { readFileSync } from "node:fs"
import { Effect, type Redacted } from "effect"
import { execute, freshDatabase } from "#test/adapters/postgres/TestDatabase.ts"

/** What the rows are known by. The keys open nothing but these rows. */
export const known = {
  /** An account with credit, and its order of one insertion and one new article, which were taken over from step 010. */
  credit: "sn_live_RpQiqHIL35X2RCFf1neNZe84TYGFGDyW2LjapV",
  paidOrderId: "ord_01m8411qacka3bdtakzbb8dms503",
  siteId: 7_000_001,
  articleId: 1,
  /** An account that paid an order by card, from step 010 too. */
  card: "sn_live_dSccWvJ6XjypfAR7SFF5XbUN65v2T9Hb1OYN8t",
  /** An account of version 048: its first order has three links, of which one is verified and one cancelled. */
  recent: { key: "sn_live_9ByH4xR8Ucn6DPpZuEFVaGsrMMmVRGAm2i8mba", paidOrderId: "ord_01m844fn5kxfmed4ev2g6d0dh303" },
  /** A quote that holds credit, a promotion code and an article; it has expired. */
  open: { key: "sn_live_uhLTiou7Zr07qGapAVohgOPZUaOL4EGT2kwIAn", quoteId: "q_01m86taeqchmrcks6y1wjdsc1f00" }
}

/** The key that sealed the secrets of webhooks and authenticator apps. */
export const ENCRYPTION_KEY = Buffer.alloc(32, "upgrade").toString("base64")

const script = readFileSync(new URL("./Step048.sql", import.meta.url), "utf8")

/** Brings an empty database into that state. */
export const writeStep048 = (url: Redacted.Redacted) =>
  execute(url, `DO $load$ BEGIN EXECUTE '${script.replaceAll("'", "''")}'; END $load$`)

/** The address of a new database in that state. */
export const databaseOfStep048 = Effect.tap(freshDatabase, writeStep048)
