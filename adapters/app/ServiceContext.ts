// Provides the `Shop`: the configured terms, the contract's way of writing answers, and where our own payment page is.
import { Layer } from "effect"
import { renderAnswer } from "#adapters/contract/RenderAnswer.ts"
import { renderEvent, renderTest } from "#adapters/contract/RenderEvent.ts"
import { pagePath } from "#adapters/http/PaymentPage.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import { ServiceContext } from "#core/ports/ServiceContext.ts"

export const layer = (terms: ShopSettings, publicUrl: string): Layer.Layer<ServiceContext> =>
  Layer.succeed(ServiceContext, {
    settings: terms,
    render: { response: renderAnswer, event: renderEvent, test: renderTest },
    paymentPage: (token) => `${publicUrl}${pagePath(token)}`
  })
