// Hands no document over; clients and members download them.
import { Effect, Layer } from "effect"
import { InvoiceOutlet } from "#core/ports/invoicing/InvoiceOutlet.ts"

export const layerNone = Layer.succeed(InvoiceOutlet, { isOn: false, accept: () => Effect.void })
