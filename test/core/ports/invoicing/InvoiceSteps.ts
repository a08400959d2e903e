// Steps of issuing documents, for the conformance suites.
import { Effect } from "effect"
import { documentId, type Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { BillingIdentity, SellerTerms } from "#core/domain/invoicing/Party.ts"
import { type AccountId, AuditId, type EntryId, type LinkId, type OrderId } from "#core/domain/shared/Ids.ts"
import type { IdentityChange } from "#core/ports/invoicing/BillingIdentities.ts"
import { INVOICE_SOURCES, Invoices } from "#core/ports/invoicing/Invoices.ts"
import { terms } from "#test/core/InvoiceGiven.ts"
import { type Buyer, linksOn, listSite, order } from "../ShopSetup.ts"

/** Issues until nothing is due, a few documents at a time; `from`: where each source begins. */
export const issueAllDue = Effect.fnUntraced(function* (
  by: SellerTerms = terms(),
  limit = 3,
  from: string | null = null
) {
  const invoices = yield* Invoices
  const issued: Array<Invoice> = []
  for (const source of INVOICE_SOURCES) {
    for (let after = from; ; ) {
      const step: Effect.Success<ReturnType<typeof invoices.issue>> = yield* invoices.issue({
        source,
        terms: by,
        limit,
        after
      })
      issued.push(...step.issued)
      if (step.next === null) break
      after = step.next
    }
  }
  return issued
})

/** The document of that order, link or ledger entry. */
export const documentOf = Effect.fnUntraced(function* (kind: Invoice["kind"], causeId: OrderId | LinkId | EntryId) {
  return yield* (yield* Invoices).byId(documentId(kind, causeId))
})

let changes = 0

/** A change with its own audit record. */
export const billingChange = (
  accountId: AccountId,
  previous: BillingIdentity | null,
  identity: BillingIdentity
): IdentityChange => ({
  accountId,
  previous,
  identity,
  audit: {
    auditId: AuditId.make(`aud_${accountId.slice("acc_".length)}${++changes}`),
    actor: "ben",
    action: "account.billing",
    subject: accountId,
    accountId,
    details: { name: identity.name },
    atMs: 1
  }
})

/** An order with a link on each of this number of sites, paid from credit. */
export const orderOfLinks = Effect.fnUntraced(function* ({ caller }: Buyer, count: number) {
  const sites = []
  for (let index = 0; index < count; index++) sites.push(yield* listSite())
  const { quote, order: placed } = yield* order(caller, { items: linksOn(...sites) })
  if (placed === null) throw new Error("credit pays for the order")
  return { quote, orderId: placed.orderId, linkIds: placed.linkIds }
})
