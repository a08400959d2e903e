// Orders, sellers and buyers for tests of invoices.

import type { BillingIdentity, SellerTerms } from "#core/domain/invoicing/Party.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { AccountId, KeyId, LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { NOON } from "./Given.ts"

export const terms = (over: Partial<SellerTerms> = {}): SellerTerms => ({
  seller: {
    name: "Reef Media SARL",
    address: "1 quai du Port\n13002 Marseille",
    country: "FR",
    vatId: "FR40303265045"
  },
  vat: "standard",
  vatBasisPoints: 2_000,
  timeZone: "Europe/Paris",
  ...over
})

export const proFormaTerms = terms({ seller: null })

export const identity = (over: Partial<BillingIdentity> = {}): BillingIdentity => ({
  name: "Garden Tools GmbH",
  address: "Gartenweg 7\n10115 Berlin",
  country: "DE",
  vatId: "DE136695976",
  vatIdConfirmed: true,
  reference: "PO 4711",
  ...over
})

const link = (index: number, netCents: number, over: Partial<Link>): Link => ({
  linkId: LinkId.make(`lnk_abc${index}`),
  orderId: OrderId.make("ord_abc"),
  quoteId: QuoteId.make("q_abc"),
  accountId: AccountId.make("acc_rich"),
  mode: "live",
  index,
  siteId: index + 1,
  domain: `site-${index}.example`,
  shelf: "Corail",
  format: "new_article",
  articleId: null,
  targetUrl: "https://brand.example/",
  anchorText: "brand",
  anchorType: "branded",
  tier2Links: 0,
  projectId: null,
  opportunityId: null,
  brief: null,
  reference: null,
  priceCents: netCents,
  netCents,
  turnaroundDays: null,
  status: "to_assign",
  statusReason: null,
  publishedUrl: null,
  publishedAtMs: null,
  history: [{ status: "to_assign", atMs: NOON }],
  ...over
})

/** A live order with one link per net price. */
export const orderOver = (netCents: ReadonlyArray<number>, over: Partial<Link> = {}): OrderWithLinks => {
  const links = netCents.map((cents, index) => link(index, cents, over))
  return {
    order: {
      orderId: OrderId.make("ord_abc"),
      quoteId: QuoteId.make("q_abc"),
      accountId: AccountId.make("acc_rich"),
      keyId: KeyId.make("key_rich"),
      mode: "live",
      linkIds: links.map(({ linkId }) => linkId),
      totalCents: netCents.reduce((total, one) => total + one, 0),
      createdAtMs: NOON,
      reference: null
    },
    links
  }
}
