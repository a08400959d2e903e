// Tables of invoices and billing identities.
import { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { BillingIdentity } from "#core/domain/invoicing/Party.ts"
import { Link } from "#core/domain/ordering/Link.ts"
import { Order } from "#core/domain/ordering/Order.ts"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { byAccountNo } from "./AccountRows.ts"
import { table } from "./Table.ts"

export const invoices = table(Invoice.fields, { columns: { series: { year: "year", sequence: "sequence" } } })

const { orderId, accountId, createdAtMs, reference } = Order.fields
const { linkId, domain, format, anchorText, targetUrl, tier2Links, netCents } = Link.fields

/** The columns of an order and its links that are on its invoice. */
export const invoicedOrders = table({ orderId, accountId, createdAtMs, reference }, { derived: byAccountNo })
export const invoicedLinks = table({ linkId, domain, format, anchorText, targetUrl, tier2Links, netCents })

export const billingIdentities = table(BillingIdentity.fields)

export const billingIdentityRows = table({ accountId: AccountId, ...BillingIdentity.fields })
