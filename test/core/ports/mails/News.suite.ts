// What every store promises of mails on links that are online, approvals that expired, receipts and top-ups: which of them are told, and what;
// and of mails that an owner turned off.
import { Effect } from "effect"
import { expect } from "vitest"
import { openWebCredential } from "#core/decisions/members/AccountState.ts"
import { CHOSEN_MAILS } from "#core/domain/mails/ChosenMail.ts"
import { DOCUMENT_WAIT_MS } from "#core/domain/mails/ReceiptMail.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { issueAllDue } from "../invoicing/InvoiceSteps.ts"
import { abandon, cancelLinkById, pay } from "../ordering/OrderSteps.ts"
import { buyer, issueKeyTo, linksOn, listSite, order, topUpAccount } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { claim, type Due, idsIn, kinds, LATER_MS, ownerOf } from "./MailSteps.ts"
import { issueAfter, issueMissed, orderUnissued, publish, topUpByCard } from "./NewsSteps.ts"

export const newsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`What mails on news of ${name} tell`, store, (it) => {
    it.effect("of links: where one is online, once, and none of the sandbox or that was taken down", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.links.someone
        const { accountId } = someone.account
        const sandbox = yield* issueKeyTo({ accountId, mode: "sandbox" })
        const caller = { ...someone.caller, keyId: sandbox.keyId, mode: "sandbox" as const }
        const pretended = yield* order(caller, { items: linksOn(yield* listSite()), sandboxCreditCents: 900 })
        for (const link of pretended.links) yield* publish(link)
        const down = yield* order(someone.caller, { items: linksOn(yield* listSite()) })
        for (const link of down.links) {
          yield* publish(link)
          yield* cancelLinkById(link.linkId, { published: true })
        }
        expect((yield* claim("links", someone)).filter(({ count }) => count > 0)).toEqual([])
        const placed = yield* order(someone.caller, { items: linksOn(yield* listSite()) })
        const [link = { linkId: LinkId.make(""), domain: "", targetUrl: "" }] = placed.links
        yield* publish(link)
        const told = {
          ...{ orderId: placed.order?.orderId, domain: link.domain, targetUrl: link.targetUrl },
          publishedUrl: `https://${link.domain}/${link.linkId}`
        }
        expect(yield* claim("links", someone, { afterMs: LATER_MS })).toMatchObject([{ count: 1, links: [told] }])
      })
    )

    it.effect("of approvals that expired: who asked for what, and none that was withdrawn", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.expiries.someone
        const { quote } = yield* order(someone.caller, { items: linksOn(yield* listSite()) })
        yield* abandon(quote, "human")
        expect(yield* claim("expiries", someone)).toEqual([])
        const auditId = yield* kinds.expiries.order(someone)
        const expiry = { auditId, credential: "Assistant", totalCents: 500, links: [{ domain: expect.any(String) }] }
        expect(yield* claim("expiries", someone)).toMatchObject([{ count: 1, expiries: [expiry] }])
      })
    )

    it.effect(
      "of receipts: what a card or a person paid, once its invoice is there, and not what an agent bought",
      () =>
        Effect.gen(function* () {
          const someone = yield* buyer(1_200, { label: "Assistant" })
          const { accountId } = someone.account
          const site = yield* listSite()
          yield* order(someone.caller, { items: linksOn(site) })
          yield* issueAllDue()
          expect(yield* claim("receipts", someone)).toEqual([])
          const by = { memberId: yield* ownerOf(someone) }
          const book = yield* OrderBook
          const web = yield* book.transact({ _tag: "ForAccount", accountId }, openWebCredential(accountId, by))
          const shop = yield* order({ ...someone.caller, ...by, keyId: web }, { items: linksOn(site) })
          const { quote } = yield* order(someone.caller, { items: linksOn(site) })
          const byCard = (yield* pay(quote)).quote.orderId
          expect(yield* claim("receipts", someone)).toEqual([])
          const documents = yield* issueAllDue()
          const numberOf = (orderId: string | null | undefined) =>
            documents.find((one) => one.orderId === orderId)?.facts.number
          const { email } = someone.account
          const [mail, ...others] = yield* claim("receipts", someone)
          expect(others).toEqual([])
          const links = [{ domain: site.domain, anchorText: expect.stringMatching(/./), netCents: 500 }]
          const onInvoice = (orderId: string | null | undefined) => {
            const invoice = documents.find((one) => one.orderId === orderId)
            if (invoice === undefined) throw new Error("The order has no invoice.")
            const { seller, vatBasisPoints: basisPoints, sentence, suppliedAtMs: atMs } = invoice.facts
            return { atMs, vat: seller === null ? null : { cents: invoice.vatCents, basisPoints, sentence } }
          }
          expect(onInvoice(byCard).vat).toMatchObject({ cents: 83, basisPoints: 2_000 })
          expect(mail).toMatchObject({
            ...{ count: 2, totalCents: 1_000 },
            receipts: [
              {
                placedBy: email,
                ...{ orderId: shop.order?.orderId, creditCents: 500, cardCents: 0, links },
                ...onInvoice(shop.order?.orderId),
                invoiceNumber: numberOf(shop.order?.orderId)
              },
              {
                ...{
                  placedBy: "Assistant",
                  orderId: byCard,
                  totalCents: 500,
                  creditCents: quote.creditCents,
                  cardCents: quote.cardCents,
                  links
                },
                ...onInvoice(byCard),
                ...{ invoiceId: `inv_${byCard?.slice(4)}`, invoiceNumber: numberOf(byCard) }
              }
            ]
          })
        })
    )

    for (const kind of ["receipts", "topUps"] as const)
      it.effect(`of ${kind}: an older document comes later, and holds up its account alone, for a day`, () =>
        Effect.gen(function* () {
          const someone = yield* kinds[kind].someone
          const other = yield* kinds[kind].someone
          const settleAll = Effect.fnUntraced(function* (mails: ReadonlyArray<Due>) {
            const { settle } = (yield* OwnerMails)[kind]
            for (const { memberId, upTo } of mails) yield* settle(memberId, { upTo, nextAtMs: 0, attempts: 0 })
          })
          const first = yield* orderUnissued(kind, someone)
          const second = yield* orderUnissued(kind, someone)
          const others = yield* orderUnissued(kind, other)
          yield* issueAfter(first)
          expect(idsIn(yield* claim(kind, someone, { others: [yield* ownerOf(other)] }))).toEqual([others])
          yield* issueMissed
          const both = yield* claim(kind, someone)
          expect(both).toMatchObject([{ count: 2, upTo: second }])
          expect(idsIn(both)).toEqual([first, second])
          yield* settleAll(both)
          const lost = yield* orderUnissued(kind, someone)
          const newer = yield* orderUnissued(kind, someone)
          yield* issueAfter(lost)
          expect(yield* claim(kind, someone)).toEqual([])
          const passed = yield* claim(kind, someone, { afterMs: DOCUMENT_WAIT_MS + LATER_MS })
          expect(idsIn(passed)).toEqual([newer])
          yield* settleAll(passed)
          yield* issueMissed
          expect(yield* claim(kind, someone)).toEqual([])
        })
      )

    it.effect("of top-ups: what a member paid, once its receipt is there, and not what the operator gave", () =>
      Effect.gen(function* () {
        const someone = yield* kinds.topUps.someone
        const { accountId, email: by } = someone.account
        yield* topUpAccount(accountId, 700)
        yield* issueAllDue()
        expect(yield* claim("topUps", someone)).toEqual([])
        const entryId = yield* topUpByCard(someone)
        expect(yield* claim("topUps", someone)).toEqual([])
        yield* issueAllDue()
        const topUps = [{ entryId, invoiceId: `rct_${entryId.slice(4)}`, cents: 5_000, by }]
        const mails = yield* claim("topUps", someone)
        expect(mails).toMatchObject([{ count: 1, totalCents: 5_000, topUps }])
        expect(idsIn(mails)).toEqual([entryId])
      })
    )

    for (const kind of CHOSEN_MAILS)
      it.effect(`of ${kind}: what an owner wants, which is all of them until told otherwise`, () =>
        Effect.gen(function* () {
          const someone = yield* kinds[kind].someone
          const { wanted, choose } = yield* OwnerMails
          const memberId = yield* ownerOf(someone)
          expect(yield* wanted(memberId)).toEqual(CHOSEN_MAILS)
          const others = CHOSEN_MAILS.filter((one) => one !== kind)
          yield* choose(memberId, others)
          expect(yield* wanted(memberId)).toEqual(others)
          const unwanted = yield* kinds[kind].order(someone)
          expect(yield* claim(kind, someone)).toEqual([])
          yield* choose(memberId, CHOSEN_MAILS)
          // What still waits is told; what was bought is not.
          expect(idsIn(yield* claim(kind, someone))).toEqual(kind === "approvals" ? [unwanted] : [])
          const next = yield* kinds[kind].order(someone)
          yield* claim(kind, someone)
          // What is due stays so.
          yield* choose(memberId, CHOSEN_MAILS)
          const later = idsIn(yield* claim(kind, someone, { afterMs: LATER_MS }))
          expect(later).toEqual(kind === "approvals" ? [unwanted, next] : [next])
        })
      )
  })
