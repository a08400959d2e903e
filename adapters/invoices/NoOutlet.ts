// Documents are handed over to nobody; who wants them asks for them.
import { Effect, Layer } from "effect"
import { InvoiceOutlet } from "#core/ports/InvoiceOutlet.ts"

export const layerNone = Layer.succeed(InvoiceOutlet, { isOn: false, accept: () => Effect.void })
