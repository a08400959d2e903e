// What the composition root provides to use cases: the shop's settings, the seller, the rendering of responses, the pages for a human's
// payment and approval, and a hash.
import { Context } from "effect"
import type { SellerTerms } from "#core/domain/invoicing/Party.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"

export class ServiceContext extends Context.Service<
  ServiceContext,
  {
    readonly settings: ShopSettings
    readonly seller: SellerTerms
    readonly render: Rendering
    /** The URL of the service's page where a human sees, pays or abandons a quote. */
    readonly paymentPage: (paymentToken: string) => string
    /** The URL of the member area's page where an owner approves or declines a quote. It gives no access by itself. */
    readonly approvalPage: (quoteId: QuoteId) => string
    /** Lowercase hex SHA-256 of a text, for what every order needs twice: `Digest` would first make bytes of it, and an effect. */
    readonly sha256: (text: string) => string
  }
>()("backlinks/ports/shared/ServiceContext") {}
