// Every page and form that names a record in its path, asked for with the ids of another account: the answer is that of an id that does
// not exist, to the letter, and nothing is changed. Generated from the routes, so that no new one is missed.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { webRoutes } from "#adapters/web/WebPages.ts"
import { InvoiceId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { receiver } from "#test/adapters/outbound/Receiver.ts"
import { cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { CLIENT, connectTo } from "#test/scenarios/ConnectionSteps.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { invited } from "./Invited.ts"
import { newSheet, rowsFor } from "./SheetSteps.ts"
import { openAccount, visit } from "./Visitors.ts"

/** Shared by all accounts, a place in the visitor's own cart, or a request of a client, which is no account's before it is decided. */
const NOT_OWNED = ["/account/shop/sites/", "/account/shop/cart/items/", "/account/consent/"]

const owned = webRoutes.filter(
  ({ path }) => /:(?!token)/.test(path) && !NOT_OWNED.some((prefix) => path.startsWith(prefix))
)

const SECRET = "a-secret-anchor-of-the-victim"

/** An account that has a record of every kind. */
const victim = Effect.gen(function* () {
  const people = yield* openAccount
  const { accountId } = people.account
  yield* topUp(accountId, 500)
  const { siteId } = yield* listSite()
  const { key, keyId, api } = yield* issueKey(accountId)
  const { url } = yield* receiver()
  const hook = yield* api.webhooks.createWebhook({ payload: { url, events: ["order.accepted"] } })
  const connection = yield* connectTo(accountId, { client: { ...CLIENT, name: SECRET } })
  const items = [item(siteId, { anchor_text: SECRET })]
  const paid = placedBy(yield* postOrder(key, cart(items)))
  const open = placedBy(yield* postOrder(key, cart(items)))
  yield* (yield* Credentials).limit(keyId, { approveAboveCents: 0 }, "test")
  const undecided = placedBy(yield* postOrder(key, cart(items)))
  assert.strictEqual(undecided.status, "awaiting_approval")
  yield* (yield* IssueInvoices).pass(true)
  const { invoices } = yield* (yield* Invoices).ofAccount({ accountId, limit: 1, before: null })
  const topUps = yield* TopUpCredit
  const sessions = yield* MemberSessions
  const signedIn = yield* sessions.authenticate(people.owner)
  const { topUpId } = yield* topUps.start(signedIn, { topUpId: yield* topUps.newId, cents: 2_500 })
  const making = { form_id: "", label: SECRET, mode: "live", may_read: "on" }
  const made = yield* visit({ method: "POST", path: "/account/keys", token: people.owner, form: making })
  const { deliveries } = yield* api.deliveries.listDeliveries({ params: { id: hook.id }, query: {} })
  return {
    ...people,
    keyId,
    connectionId: connection.keyId,
    orderId: paid.order_id ?? OrderId.make(""),
    quoteId: open.quote_id ?? QuoteId.make(""),
    undecidedId: undecided.quote_id ?? QuoteId.make(""),
    webhookId: hook.id,
    deliveryId: deliveries[0]?.delivery_id ?? "",
    invoiceId: invoices[0]?.invoiceId ?? InvoiceId.make(""),
    topUpId,
    siteId,
    sheetId: (yield* newSheet(people.owner, rowsFor([siteId]))).split("/").at(-1) ?? "",
    memberId: people.viewerMember.memberId,
    invitationId: (yield* invited(people)).invitation.invitationId,
    sessionId: signedIn.session.sessionId,
    shownId: /\/account\/keys\/new\/([\w-]+)/.exec(made.location ?? "")?.[1] ?? ""
  }
})

type Victim = Effect.Success<typeof victim>

/** Ids by the beginning of the path: each names the record that the path is about. */
const idsOf = (of: Victim): ReadonlyArray<readonly [path: string, id: string]> => [
  ["/account/orders/", of.orderId],
  ["/account/quotes/", of.quoteId],
  ["/account/shop/sheets/", of.sheetId],
  ["/account/approvals/", of.undecidedId],
  ["/account/keys/", of.keyId],
  ["/account/agents/", of.keyId],
  ["/account/connections/", of.connectionId],
  ["/account/webhooks/", of.webhookId],
  ["/account/invoices/", of.invoiceId],
  ["/account/credit/top-ups/", of.topUpId],
  ["/account/settings/members/", of.memberId],
  ["/account/settings/invitations/", of.invitationId],
  ["/account/settings/sessions/", of.sessionId],
  // Passkeys are made by browsers alone; without one the path still has to say what it says of an unknown one.
  ["/account/settings/factors/passkeys/", "pk_none"]
]

const pathFor = (path: string, of: Victim): readonly [theirs: string, unknown: string] => {
  const known = idsOf(of).find(([prefix]) => path.startsWith(prefix))
  if (known === undefined) throw new Error(`${path}: name the record of the other account that it is about`)
  const [, id] = known
  assert.notStrictEqual(id, "", path)
  assert.notStrictEqual(of.shownId, "")
  const unknown = id.replace(/.{4}$/, "zzzz")
  return [
    path.replace(":id", id).replace(":delivery", of.deliveryId).replace(":shown", of.shownId),
    path.replace(":id", unknown).replace(":delivery", "dlv_none").replace(":shown", of.shownId.replace(/.{4}$/, "zzzz"))
  ]
}

/** What the button does away with is not there for the visitor, also where it never was: pressed twice, it has nothing left to do. */
const isDoneAlready = (path: string): boolean => path.endsWith("/:shown/kept") || path.endsWith("/sheets/:id/remove")

const masked = (text: string, of: Victim): string =>
  [...idsOf(of).map(([, id]) => id), of.deliveryId, of.shownId].reduce(
    (shown, id) => shown.replaceAll(id, "ID").replaceAll(id.replace(/.{4}$/, "zzzz"), "ID"),
    text
  )

layer(RunningService.layer({ WEBHOOK_INSECURE_TARGETS: "true" }))("records of another account", (it) => {
  it.effect("are not there, for any page or form, and stay as they are", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService.RunningService
      const of = yield* victim
      const { owner: token } = yield* openAccount
      // Opens the credential of the visitor's Shop, as a look at any sheet does.
      yield* visit({ path: yield* newSheet(token, rowsFor([of.siteId])), token })
      const ownSees = yield* visit({ path: `/account/orders/${of.orderId}`, token: of.owner })
      assert.include(ownSees.text, SECRET)
      const before = yield* books
      const visited: Array<string> = []
      for (const { method, path } of owned) {
        const [theirs, unknown] = pathFor(path, of)
        const form = { role: "owner", confirm: "yes" }
        const answer = yield* visit({ method, path: theirs, token, form })
        const expected = yield* visit({ method, path: unknown, token, form })
        const name = `${method} ${path}`
        assert.strictEqual(answer.status, isDoneAlready(path) ? 303 : 404, name)
        assert.strictEqual(answer.status, expected.status, name)
        assert.strictEqual(masked(answer.location ?? "", of), masked(expected.location ?? "", of), name)
        assert.strictEqual(masked(answer.text, of), masked(expected.text, of), name)
        for (const secret of [SECRET, of.account.name, of.ownerEmail, of.account.accountId])
          assert.notInclude(answer.text, secret, name)
        visited.push(name)
      }
      assert.isAbove(visited.length, 15)
      assert.deepStrictEqual(JSON.stringify(yield* books), JSON.stringify(before))
      const stillShown = yield* visit({ path: `/account/keys/new/${of.shownId}`, token: of.owner })
      assert.strictEqual(stillShown.status, 200)
      assert.include(stillShown.text, "sn_live_")
      assert.strictEqual((yield* visit({ path: "/account", token: of.owner })).status, 200)
    })
  )

  it.effect("are in no list, whatever ids its filters and cursors name", () =>
    Effect.gen(function* () {
      const of = yield* victim
      const { owner: token } = yield* openAccount
      for (const path of [
        `/account/orders?key=${of.keyId}`,
        `/account/orders?key=${of.connectionId}`,
        `/account/orders?before=ord_zzzzzzzzzzzzzzzzzzzzzzzzzzzz`,
        `/account/orders?text=${of.orderId}`,
        `/account/orders.csv?key=${of.keyId}`,
        "/account/credit?before=led_zzzzzzzzzzzzzzzzzzzzzzzzzzzz",
        "/account/credit.csv",
        "/account/credit/top-ups?before=top_zzzzzzzzzzzzzzzzzzzzzzzzzzzz",
        "/account/invoices",
        "/account/settings/activity?before=zzzzzzzzzzzzzzzzzzzzzzzzzzzz",
        "/account/webhooks",
        "/account/keys",
        "/account/connections",
        "/account/settings"
      ]) {
        const { status, text } = yield* visit({ path, token })
        assert.strictEqual(status, 200, path)
        const records = [of.orderId, of.quoteId, of.webhookId, of.topUpId, of.invoiceId, of.sessionId, of.memberId]
        const shown = text.replaceAll(/<(input|a|option)[^>]*>/g, "")
        for (const secret of [SECRET, of.account.name, of.ownerEmail, ...records])
          assert.notInclude(shown, secret, path)
      }
    })
  )
})
