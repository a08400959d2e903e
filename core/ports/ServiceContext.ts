// The shop's settings and how its answers get their bytes: fixed while it runs, given by the composition root.
import { Context } from "effect"
import type { Rendering } from "#core/domain/Rendering.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"

export class ServiceContext extends Context.Service<
  ServiceContext,
  {
    readonly settings: ShopSettings
    readonly render: Rendering
    /** The service's own page where a human sees, pays or abandons a quote. */
    readonly paymentPage: (paymentToken: string) => string
  }
>()("backlinks/ports/ServiceContext") {}
