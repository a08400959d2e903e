// A sheet of links that several windows buy at the same moment, on every instance: each row is bought once, from credit alone.
import { Effect } from "effect"
import { expect } from "vitest"
import { webCredentialId } from "#core/domain/access/WebCredential.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { sheetOrderKey } from "#core/domain/pricing/Sheet.ts"
import { SheetId } from "#core/domain/shared/Ids.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { KeepSheets } from "#core/usecases/ordering/KeepSheets.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import { customer, hiddenIn } from "#test/adapters/web/CartSteps.ts"
import { buy, buyForm, csv, HEAD, newSheet, rowsFor } from "#test/adapters/web/SheetSteps.ts"
import { visit } from "#test/adapters/web/Visitors.ts"
import { countEach, known, ordersOf, quotesOf } from "#test/core/BookReads.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { createProject, listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const WINDOWS = 4

const ROWS = 2 * MAX_ITEMS + 3

/** The anchor texts of the links that the Shop ordered for the account, and the sizes of its orders. */
const boughtBy = Effect.fnUntraced(function* (accountId: Parameters<typeof webCredentialId>[0]) {
  const books = yield* (yield* RunningService).books
  const web = { keyId: webCredentialId(accountId) }
  const orders = ordersOf(books, web)
  expect(quotesOf(books, web)).toHaveLength(orders.length)
  return {
    anchors: orders.flatMap(({ linkIds }) => linkIds.map((id) => known(books.links, id).anchorText)).toSorted(),
    sizes: orders.map(({ linkIds }) => linkIds.length)
  }
})

/** What the rows of a sheet ask an order for. */
const itemsOf = Effect.fnUntraced(function* (token: string, sheetId: SheetId) {
  const { account } = yield* (yield* MemberSessions).authenticate(token)
  const { rows } = yield* (yield* KeepSheets).find(account.accountId, sheetId)
  return { items: rows.flatMap(({ item }) => item ?? []) }
})

const anchorsOf = (numbers: ReadonlyArray<number>): ReadonlyArray<string> =>
  numbers.map((index) => `anchor ${index}`).toSorted()

export const sheetsSuite = scenarios("sheets of links", {}, (it) => {
  it.effect(`${WINDOWS} windows buy one sheet at once: each row is bought once`, () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(ROWS * 500)
      const { siteId } = yield* listSite()
      const path = yield* newSheet(owner, rowsFor(times(ROWS, () => siteId)))
      const { form } = yield* buyForm(owner, path)
      const answers = yield* concurrently(times(WINDOWS, () => buy(owner, path, form)))
      expect(countEach(answers.map(({ status }) => status))).toEqual({ 303: WINDOWS })
      expect(yield* boughtBy(account.accountId)).toEqual({
        anchors: anchorsOf(times(ROWS, (index) => index)),
        sizes: [MAX_ITEMS, MAX_ITEMS, 3]
      })
      expect((yield* buyForm(owner, path)).text).toContain(`${ROWS} bought`)
    })
  )

  it.effect("windows buy while others change the ticks: nothing is bought twice, and nothing that is not ticked", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(ROWS * 500)
      const { siteId } = yield* listSite()
      const path = yield* newSheet(owner, rowsFor(times(ROWS, () => siteId)))
      const { text, form } = yield* buyForm(owner, path)
      const untick = visit({
        method: "POST",
        path: `${path}/rows`,
        token: owner,
        form: { revision: hiddenIn(text, "revision"), from: "1", which: "none" }
      })
      const answers = yield* concurrently([...times(WINDOWS - 1, () => buy(owner, path, form)), untick])
      expect(answers.filter(({ status }) => ![303, 409].includes(status))).toEqual([])
      const { anchors } = yield* boughtBy(account.accountId)
      expect(new Set(anchors).size).toBe(anchors.length)
      const left = yield* buyForm(owner, path)
      expect(left.text).toContain(`0 ticked to be bought, ${anchors.length} bought`)
      yield* visit({
        ...{ method: "POST", path: `${path}/rows`, token: owner },
        form: { revision: left.form.revision, from: "1", which: "new" }
      })
      yield* buy(owner, path, (yield* buyForm(owner, path)).form)
      expect((yield* boughtBy(account.accountId)).anchors).toEqual(anchorsOf(times(ROWS, (index) => index)))
    })
  )

  it.effect(
    "an order that was made, and never marked because its process ended, is found when the sheet is looked at",
    () =>
      Effect.gen(function* () {
        const { owner, account } = yield* customer(10_000)
        const article = yield* listArticle((yield* listSite()).siteId)
        const { projectId } = yield* createProject(account.accountId)
        const head = [...HEAD, "article_id", "tier2_links", "project_id", "brief", "reference"]
        const target = "https://shop.example/"
        const rows = csv(
          head,
          [article.siteId, target, "one", article.articleId, 3, projectId, "Be kind.", "PO 1"],
          [article.siteId, target, "two", "", "", "", "", ""]
        )
        const path = yield* newSheet(owner, rows)
        const sheetId = SheetId.make(path.split("/").at(-1) ?? "")
        const { items } = yield* itemsOf(owner, sheetId)
        const signedIn = yield* (yield* MemberSessions).authenticate(owner)
        const { place } = yield* PlaceOrder
        yield* place({
          caller: yield* (yield* WebShop).callerOf(signedIn),
          request: { items, dryRun: false },
          ...{ canonicalBody: "of another process", idempotencyKey: sheetOrderKey(sheetId, 1) }
        })
        expect((yield* buyForm(owner, path)).text).toContain("0 ticked to be bought, 2 bought")
        expect((yield* boughtBy(account.accountId)).sizes).toEqual([2])
      })
  )

  it.effect("two sheets are bought at once from credit for one: one is bought, and the other waits for no card", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(MAX_ITEMS * 500 + 400)
      const { siteId } = yield* listSite()
      const rows = rowsFor(times(MAX_ITEMS, () => siteId))
      const paths = [yield* newSheet(owner, rows), yield* newSheet(owner, rows.replaceAll("anchor ", "other "))]
      const forms = yield* Effect.forEach(paths, (path) =>
        Effect.map(buyForm(owner, path), ({ form }) => ({ path, form }))
      )
      const answers = yield* concurrently(forms.map(({ path, form }) => buy(owner, path, form)))
      expect(countEach(answers.map(({ status }) => status))).toEqual({ 303: 1, 409: 1 })
      expect((yield* boughtBy(account.accountId)).sizes).toEqual([MAX_ITEMS])
      expect(answers.find(({ status }) => status === 409)?.text).toContain("your credit is 4.00 EUR")
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
