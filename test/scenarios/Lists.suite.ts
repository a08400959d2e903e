// Lists of what was bought: quotes, links and invoices, narrowed by what each is.
import { Effect } from "effect"
import { expect } from "vitest"
import { InvoiceList } from "#adapters/contract/invoicing/Invoices.ts"
import { LinkList } from "#adapters/contract/ordering/Links.ts"
import { OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import { QuoteList, QuoteStatus } from "#adapters/contract/ordering/Quotes.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { buyer, by, cart, item, order } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { call, INVOICES, LINKS, ORDERS, placedBy, postOrder, QUOTES, read, refusalIn } from "./HttpCalls.ts"
import { invoiceOf, SELLER, untilInvoices } from "./InvoiceSteps.ts"
import { MovableClock } from "./MovableClock.ts"
import { scenarios } from "./ScenarioSuite.ts"

const noOrder = OrderId.make("")

export const listsSuite = scenarios("lists", SELLER, (it) => {
  it.effect("quotes are listed in any state, by status and in pages; with an idempotency key, the one", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 500 })
      const paid = yield* order(who, [item(siteId)], { idempotencyKey: "first", reference: "PO 1" })
      const lapsing = yield* order(who, [item(siteId)])
      yield* advance("23 hours")
      const waiting = yield* order(who, [item(siteId)], { reference: "PO 2" })
      const list = (query: string) => read(QuoteList, who.key, `${QUOTES}${query}`)
      const idsIn = ({ quotes }: QuoteList) => quotes.map(({ quote_id }) => quote_id)
      expect((yield* list("")).quotes.map(({ status, reference }) => [status, reference])).toEqual([
        ["awaiting_payment", "PO 2"],
        ["awaiting_payment", null],
        ["paid", "PO 1"]
      ])
      yield* advance("2 hours")
      const all = yield* list("")
      expect(idsIn(all)).toEqual([waiting.quote_id, lapsing.quote_id, paid.quote_id])
      expect(all.quotes.map(({ status, order_status }) => [status, order_status])).toEqual([
        ["awaiting_payment", null],
        ["abandoned", null],
        ["paid", "paid"]
      ])
      expect(all.quotes.map(({ payment_url }) => payment_url)).toEqual([waiting.payment_url, null, null])
      const shown = yield* read(QuoteStatus, who.key, `${QUOTES}/${paid.quote_id}`)
      expect({ ok: true, ...all.quotes[2] }).toEqual(shown)
      expect(idsIn(yield* list("?status=abandoned"))).toEqual([lapsing.quote_id])
      expect(idsIn(yield* list("?status=paid"))).toEqual([paid.quote_id])
      const first = yield* list("?limit=2")
      const rest = yield* list(`?limit=2&cursor=${first.next_cursor}`)
      expect([...idsIn(first), ...idsIn(rest), rest.next_cursor]).toEqual([...idsIn(all), undefined])
      const elsewhere = yield* call("GET", `${QUOTES}?status=paid&cursor=${first.next_cursor}`, who)
      expect(refusalIn(elsewhere).param).toBe("cursor")

      expect(yield* read(QuoteStatus, who.key, `${QUOTES}?idempotency_key=first`)).toEqual(shown)
      for (const more of ["status=paid", "limit=1", "cursor=x", "scope=account"]) {
        const both = refusalIn(yield* call("GET", `${QUOTES}?idempotency_key=first&${more}`, who))
        expect([both.code, both.param]).toEqual(["validation_failed", "idempotency_key"])
      }
    })
  )

  it.effect("links are listed flat with their totals, and as a file that any program reads", () =>
    Effect.gen(function* () {
      const [site, other] = [yield* listSite(), yield* listSite()]
      const who = yield* buyer({ creditCents: 10_000 })
      const ordered = yield* order(
        who,
        [item(site.siteId, { anchor_text: '=1+1, "so"', reference: "L 1" }), item(other.siteId, { brief: "a\nb" })],
        { reference: "PO 1" }
      )
      const later = yield* order(who, [item(site.siteId, { tier2_links: 1 })])
      const { cancelLink } = yield* FulfilLinks
      const { items } = yield* read(OrderDetail, who.key, `${ORDERS}/${ordered.order_id}`)
      yield* cancelLink(items[1]?.link_id ?? LinkId.make(""), "as a test", by)
      const list = (query = "") => read(LinkList, who.key, `${LINKS}${query}`)
      const all = yield* list()
      expect(
        all.links.map(({ order_id, order_reference, reference, status }) => [
          order_id,
          order_reference,
          reference,
          status
        ])
      ).toEqual([
        [later.order_id, null, null, "assigned"],
        [ordered.order_id, "PO 1", "L 1", "assigned"],
        [ordered.order_id, "PO 1", null, "cancelled"]
      ])
      expect(all.totals).toEqual({ count: 3, total_eur: 19, credited_eur: 5, net_eur: 14 })
      const { history: _, ...kept } = { history: [], ...items[0] }
      expect(all.links[1]).toMatchObject(kept)
      const only = yield* list(`?status=cancelled&reference=PO+1`)
      expect([only.links.map(({ site_id }) => site_id), only.totals?.count]).toEqual([[other.siteId], 1])
      expect((yield* list(`?site_id=${site.siteId}`)).count).toBe(2)
      const first = yield* list("?limit=2")
      const rest = yield* list(`?limit=2&cursor=${first.next_cursor}`)
      expect([...first.links, ...rest.links]).toEqual(all.links)
      expect([rest.totals, rest.next_cursor]).toEqual([undefined, undefined])
      expect(refusalIn(yield* call("GET", `${LINKS}?cursor=${first.next_cursor}&status=paid`, who)).param).toBe(
        "status"
      )

      const file = yield* call("GET", `${LINKS}.csv`, who)
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
      expect(file.headers.get("content-disposition")).toBe('attachment; filename="links.csv"')
      const [head = "", ...lines] = file.text.split("\r\n")
      const columns = head.split(",").filter((name) => !name.startsWith("placed_by_"))
      expect([...columns, "placed_by"].sort()).toEqual(Object.keys(all.links[0] ?? {}).sort())
      expect([lines.length, file.text.includes(`"'=1+1, ""so"""`), lines.at(-1)]).toEqual([4, true, ""])
      const narrowed = yield* call("GET", `${LINKS}.csv?status=cancelled`, who)
      expect(narrowed.text.split("\r\n").length).toBe(3)
      expect(refusalIn(yield* call("GET", `${LINKS}.csv?limit=5`, who)).code).toBe("validation_failed")
      const empty = yield* call("GET", `${LINKS}.csv`, yield* buyer({ scopes: ["read"] }))
      expect(empty.text).toBe(`${head}\r\n`)
    })
  )

  it.effect("a file of more links than one page has each of them once", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 500_000 })
      const items = Array.from({ length: 20 }, () => item(siteId))
      for (let nth = 0; nth < 11; nth++) placedBy(yield* postOrder(who.key, cart(items)))
      const { text } = yield* call("GET", `${LINKS}.csv`, who)
      expect(new Set(text.split("\r\n").map((line) => line.split(",")[0])).size).toBe(220 + 2)
    })
  )

  it.effect("an order names what was issued for it, and invoices are found by order and by day", () =>
    Effect.gen(function* () {
      const { nowMs, advance } = yield* MovableClock
      const sites = [(yield* listSite()).siteId, (yield* listSite()).siteId]
      const who = yield* buyer({ creditCents: 10_000 })
      const earlier = yield* order(who, [item(sites[0] ?? 0)])
      yield* invoiceOf(who, earlier.order_id ?? noOrder)
      yield* advance("48 hours")
      const { order_id = noOrder } = yield* order(
        who,
        sites.map((siteId) => item(siteId)),
        { reference: "PO-2026-117" }
      )
      const invoicesOf = Effect.map(read(OrderDetail, who.key, `${ORDERS}/${order_id}`), ({ invoices }) => invoices)
      expect(yield* invoicesOf).toEqual([])
      const invoice = yield* invoiceOf(who, order_id)
      const short = ({ invoice_id, kind, number }: typeof invoice) => ({ invoice_id, kind, number })
      expect(yield* invoicesOf).toEqual([short(invoice)])
      const detail = yield* who.api.invoices.getInvoice({ params: { id: invoice.invoice_id } })
      expect(detail.buyer.reference).toBe("PO-2026-117")
      const { items } = yield* who.api.orders.getOrder({ params: { id: order_id } })
      yield* advance("1 second")
      yield* (yield* FulfilLinks).cancelLink(items[1]?.link_id ?? LinkId.make(""), "as a test", by)
      const all = yield* untilInvoices(who, (found) => found.some(({ kind }) => kind === "credit_note"))
      const note = all.find(({ kind }) => kind === "credit_note") ?? invoice
      expect(yield* invoicesOf).toEqual([short(invoice), short(note)])
      const list = Effect.fnUntraced(function* (query: Readonly<Record<string, string>>) {
        const { invoices } = yield* read(InvoiceList, who.key, `${INVOICES}?${new URLSearchParams(query)}`)
        return invoices.map(({ kind }) => kind)
      })
      expect(yield* list({ order_id })).toEqual(["credit_note", "invoice"])
      const today = new Date(nowMs()).toISOString().slice(0, 10)
      const yesterday = new Date(nowMs() - 86_400_000).toISOString().slice(0, 10)
      expect(yield* list({ issued_from: today, issued_to: today })).toEqual(["credit_note", "invoice"])
      expect((yield* list({ issued_to: yesterday })).sort()).toEqual(["invoice", "receipt"])
      expect(yield* list({ order_id, issued_to: yesterday })).toEqual([])
      expect(yield* list({ order_id: "ord_unknown" })).toEqual([])
      const first = yield* who.api.invoices.listInvoices({ query: { order_id, limit: 1 } })
      const moved = yield* call("GET", `${INVOICES}?limit=1&cursor=${first.next_cursor}`, who)
      expect(refusalIn(moved).param).toBe("cursor")
    })
  )

  it.effect("a range whose end lies before its start is refused wherever one is taken", () =>
    Effect.gen(function* () {
      const who = yield* buyer()
      const ranges = [
        [ORDERS, "created"],
        [LINKS, "created"],
        [`${LINKS}.csv`, "created"],
        [INVOICES, "issued"]
      ] as const
      for (const [path, what] of ranges) {
        const backwards = `${path}?${what}_from=2026-11-21&${what}_to=2026-11-20`
        const { code, param, message } = refusalIn(yield* call("GET", backwards, who))
        expect([code, param]).toEqual(["validation_failed", `${what}_to`])
        expect(message).toContain(`Must not be before ${what}_from.`)
        expect((yield* call("GET", `${path}?${what}_from=2026-11-21&${what}_to=2026-11-21`, who)).status).toBe(200)
      }
    })
  )
})
