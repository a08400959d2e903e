// An owner cancels links of an order however it was placed and paid for, withdraws a quote, and cancels a top-up, on pages that say what
// comes back; no other does, and nothing comes back twice.
import { assert, layer } from "@effect/vitest"
import { Effect, HashMap } from "effect"
import { LinkId, OrderId, QuoteId, ReversalId, TopUpId } from "#core/domain/shared/Ids.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { known, movements } from "#test/core/BookReads.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { expectConsistentBooks } from "#test/scenarios/ConsistentBooks.ts"
import { placedBy, postOrder, press } from "#test/scenarios/HttpCalls.ts"
import { owing } from "#test/scenarios/OwingAccount.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp } from "./AuthenticatorApps.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

const SUPPORT = "help@backlinks.example"

/** An order of three links that wait for a writer, placed by an agent. */
const ordered = Effect.fnUntraced(function* (creditCents: number) {
  const people = yield* openAccount
  const { accountId } = people.account
  if (creditCents > 0) yield* topUp(accountId, creditCents)
  const { key } = yield* issueKey(accountId)
  const { siteId } = yield* listSite({ shelf: "Corail" })
  const placed = placedBy(
    yield* postOrder(key, cart(times(3, (nth) => item(siteId, { anchor_text: `anchor ${nth}` }))))
  )
  return { ...people, accountId, placed, key, siteId }
})

const linksOf = (orderId: string) =>
  Effect.flatMap(RunningService.RunningService, ({ books }) =>
    Effect.map(books, ({ links }) =>
      HashMap.toValues(links)
        .filter((link) => link.orderId === orderId)
        .toSorted((a, b) => a.index - b.index)
    )
  )

const statusesOf = (orderId: string) => Effect.map(linksOf(orderId), (links) => links.map(({ status }) => status))

const movementsOf = (accountId: string) =>
  Effect.flatMap(RunningService.RunningService, ({ books }) => Effect.map(books, (now) => movements(now, accountId)))

/** The ids that the form of the page would cancel. */
const offered = (text: string): string => /name="links" value="([^"]*)"/.exec(text)?.[1] ?? ""

layer(RunningService.layer({ SUPPORT_CONTACT: SUPPORT }))("an owner", (it) => {
  it.effect("cancels one link, then the others, from the order's page: each comes back once", () =>
    Effect.gen(function* () {
      const { owner: token, viewer, accountId, placed } = yield* ordered(10_000)
      const path = `/account/orders/${placed.order_id}`
      const order = yield* visit({ path, token })
      const [first] = yield* linksOf(placed.order_id ?? "")
      assert.include(order.text, `href="${path}/cancel?link=${first?.linkId}"`)
      assert.include(order.text, "Cancel 3 links: 45.00 EUR back as credit")
      assert.notInclude((yield* visit({ path, token: viewer })).text, "/cancel")
      const one = yield* visit({ path: `${path}/cancel?link=${first?.linkId}`, token })
      assert.include(one.text, "Cancel this link: 15.00 EUR back as credit")
      assert.strictEqual(offered(one.text), first?.linkId)
      const form = { links: offered(one.text) }
      for (const _ of [1, 2]) {
        const done = yield* visit({ method: "POST", path: `${path}/cancel`, token, form })
        assert.deepStrictEqual([done.status, done.location], [303, path])
      }
      assert.deepStrictEqual(yield* statusesOf(placed.order_id ?? ""), ["cancelled", "to_assign", "to_assign"])
      const rest = yield* visit({ path: `${path}/cancel`, token })
      assert.include(rest.text, "Cancel 2 links: 30.00 EUR back as credit")
      yield* visit({ method: "POST", path: `${path}/cancel`, token, form: { links: offered(rest.text) } })
      assert.deepStrictEqual(yield* statusesOf(placed.order_id ?? ""), ["cancelled", "cancelled", "cancelled"])
      assert.deepStrictEqual(
        (yield* movementsOf(accountId)).slice(-3),
        times(3, () => "recredit 1500")
      )
      assert.notMatch((yield* visit({ path, token })).text, /You can (?:change|cancel) it|\/cancel/)
      assert.include((yield* visit({ path: `${path}/cancel`, token })).text, "can be cancelled any more")
      yield* expectConsistentBooks
    })
  )

  it.effect(
    "cancels links that a human paid for by card; not those on which work has begun, of which none goes alone",
    () =>
      Effect.gen(function* () {
        const { owner: token, accountId, placed } = yield* ordered(0)
        yield* press("pay", placed.payment_url ?? "")
        const { books } = yield* RunningService.RunningService
        const orderId = known((yield* books).quotes, QuoteId.make(placed.quote_id ?? "")).orderId ?? OrderId.make("")
        const path = `/account/orders/${orderId}/cancel`
        const links = offered((yield* visit({ path, token })).text)
        const [first = LinkId.make("")] = links.split(" ").map((id) => LinkId.make(id))
        yield* (yield* FulfilLinks).assign(first, "olga")
        const refused = yield* visit({ method: "POST", path, token, form: { links } })
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "Nothing was cancelled: work on 1 of these links has begun meanwhile.")
        assert.strictEqual(offered(refused.text), links.split(" ").slice(1).join(" "))
        assert.deepStrictEqual(yield* statusesOf(orderId), ["assigned", "to_assign", "to_assign"])
        const form = { links: offered(refused.text) }
        assert.strictEqual((yield* visit({ method: "POST", path, token, form })).status, 303)
        assert.deepStrictEqual(yield* statusesOf(orderId), ["assigned", "cancelled", "cancelled"])
        assert.strictEqual((yield* movementsOf(accountId)).filter((one) => one.startsWith("recredit")).length, 2)
        for (const wrong of ["", "lnk_none", "lnk_none lnk_other"]) {
          const { status } = yield* visit({ method: "POST", path, token, form: { links: wrong } })
          assert.include([404, 422], status)
        }
        yield* expectConsistentBooks
      })
  )

  it.effect(
    "cancels nothing while the payment is disputed, and is told whom to write to; a dispute that was won is over",
    () =>
      Effect.gen(function* () {
        const { owner: token, placed } = yield* ordered(0)
        yield* press("pay", placed.payment_url ?? "")
        const { books } = yield* RunningService.RunningService
        const quoteId = QuoteId.make(placed.quote_id ?? "")
        const orderId = known((yield* books).quotes, quoteId).orderId ?? OrderId.make("")
        const path = `/account/orders/${orderId}`
        const links = offered((yield* visit({ path: `${path}/cancel`, token })).text)
        const dispute = {
          reversalId: ReversalId.make(`dp_${quoteId}`),
          quoteId,
          kind: "dispute" as const,
          cents: 4_500
        }
        const { reverse } = yield* Payments
        yield* reverse({ ...dispute, state: "open" })
        for (const page of [path, `${path}/cancel`]) {
          const { text } = yield* visit({ path: page, token })
          assert.include(text, `write to <a href="mailto:${SUPPORT}">${SUPPORT}</a>`)
          assert.strictEqual(offered(text), "")
        }
        const refused = yield* visit({ method: "POST", path: `${path}/cancel`, token, form: { links } })
        assert.strictEqual(refused.status, 409)
        assert.include(refused.text, "Nothing was cancelled: your payment was refunded or is disputed.")
        yield* reverse({ ...dispute, state: "won" })
        assert.strictEqual(
          (yield* visit({ method: "POST", path: `${path}/cancel`, token, form: { links } })).status,
          303
        )
        assert.deepStrictEqual(yield* statusesOf(orderId), ["cancelled", "cancelled", "cancelled"])
      })
  )

  it.effect(
    "withdraws a quote, twice without harm; one that is paid stays, and what waits for approval is declined",
    () =>
      Effect.gen(function* () {
        const { owner: token, viewer, accountId, placed, key, siteId } = yield* ordered(1_000)
        const path = `/account/quotes/${placed.quote_id}`
        assert.include((yield* visit({ path, token })).text, `href="${path}/withdraw"`)
        assert.notInclude((yield* visit({ path, token: viewer })).text, "withdraw")
        const asked = yield* visit({ path: `${path}/withdraw`, token })
        assert.match(asked.text, /Withdraw 3 links for 45\.00 EUR.*10\.00 EUR of credit that is held.* is told that/s)
        for (const _ of [1, 2]) {
          const done = yield* visit({ method: "POST", path: `${path}/withdraw`, token })
          assert.deepStrictEqual([done.status, done.location], [303, path])
        }
        assert.deepStrictEqual(yield* movementsOf(accountId), ["top_up 1000", "hold 1000", "release 1000"])
        const gone = yield* visit({ path: `${path}/withdraw`, token })
        assert.deepStrictEqual([gone.status, gone.location], [303, path])
        const paid = placedBy(yield* postOrder(key, cart([item(siteId), item(siteId)])))
        yield* press("pay", paid.payment_url ?? "")
        const late = yield* visit({ method: "POST", path: `/account/quotes/${paid.quote_id}/withdraw`, token })
        assert.match(decodeURIComponent(late.cookies.join()), /the order is placed/)
        const { books } = yield* RunningService.RunningService
        assert.strictEqual(known((yield* books).quotes, QuoteId.make(paid.quote_id ?? "")).status, "paid")
        yield* expectConsistentBooks
      })
  )

  it.effect("is told what of it paid what the account owed", () =>
    Effect.gen(function* () {
      const { owner: token, accountId, placed } = yield* ordered(4_500)
      yield* owing(accountId, 2_000)
      const sent = { method: "POST", path: `/account/orders/${placed.order_id}/cancel`, token } as const
      const [first, ...rest] = (yield* linksOf(placed.order_id ?? "")).map(({ linkId }) => linkId)
      const cancelled = (links: string) =>
        Effect.map(visit({ ...sent, form: { links } }), ({ cookies }) => decodeURIComponent(cookies.join()))
      assert.include(yield* cancelled(first ?? ""), "The link is cancelled, and 15.00 EUR paid part of what you owed.")
      assert.include(
        yield* cancelled(rest.join(" ")),
        "5.00 EUR of 30.00 EUR paid what you owed, and 25.00 EUR is credit."
      )
      yield* expectConsistentBooks
    })
  )

  it.effect("cancels an open top-up; one that was paid stays credit", () =>
    Effect.gen(function* () {
      const { owner: token, viewer, account } = yield* openAccount
      const form = yield* visit({ path: "/account/credit/top-ups", token })
      const id = /name="top_up" value="([^"]+)"/.exec(form.text)?.[1] ?? ""
      const sent = { method: "POST", token, form: { top_up: id, amount: "25" } } as const
      const { location } = yield* visit({ ...sent, path: "/account/credit/top-ups" })
      const path = location ?? ""
      const open = yield* visit({ path, token })
      assert.include(open.text, "Cancel this top-up of 25.00 EUR")
      assert.notInclude((yield* visit({ path, token: viewer })).text, "Cancel this top-up")
      const pay = /class="btn main" href="([^"]+)"/.exec(open.text)?.[1] ?? ""
      for (const _ of [1, 2]) {
        const done = yield* visit({ method: "POST", path: `${path}/cancel`, token })
        assert.deepStrictEqual([done.status, done.location], [303, path])
      }
      assert.include((yield* visit({ path, token })).text, "Nothing was paid")
      assert.strictEqual((yield* (yield* TopUps).byId(TopUpId.make(id)))?.status, "ended")
      assert.include(
        (yield* visit({ path: "/account/settings/activity", token })).text,
        "cancelled a top-up of 25.00 EUR"
      )
      // Paid all the same, on a page that was open: it counts.
      yield* visit({ method: "POST", path: `${pay}/pay` })
      assert.deepStrictEqual(yield* movementsOf(account.accountId), ["top_up 2500"])
      yield* visit({ method: "POST", path: `${path}/cancel`, token })
      assert.include((yield* visit({ path, token })).text, "25.00 EUR paid")
    })
  )

  it.effect(
    "who signed in by mail alone withdraws, and confirms before links are cancelled; other accounts find nothing",
    () =>
      Effect.gen(function* () {
        const { owner, ownerEmail, placed } = yield* ordered(10_000)
        yield* addApp(owner)
        const token = yield* signIn(ownerEmail)
        const path = `/account/orders/${placed.order_id}/cancel`
        const links = offered((yield* visit({ path, token })).text)
        const asked = yield* visit({ method: "POST", path, token, form: { links } })
        assert.deepStrictEqual([asked.status, asked.text.includes("You signed in by mail alone")], [403, true])
        assert.deepStrictEqual(yield* statusesOf(placed.order_id ?? ""), ["to_assign", "to_assign", "to_assign"])
        const stranger = yield* openAccount
        for (const method of ["GET", "POST"] as const) {
          const { status, text } = yield* visit({ method, path, token: stranger.owner, form: { links } })
          assert.deepStrictEqual([status, text.includes("anchor 0")], [404, false])
        }
        const confirmed = yield* visit({
          method: "POST",
          path,
          token: yield* signIn(ownerEmail, "passkey"),
          form: { links }
        })
        assert.strictEqual(confirmed.status, 303)
      })
  )
})
