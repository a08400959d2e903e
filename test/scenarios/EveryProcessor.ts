// Plays scenarios once with each payment processor: what they expect of the shop is the same with all of them.
import { layer } from "@effect/vitest"
import type { Layer } from "effect"
import { layer as shop } from "./Shop.ts"
import { layer as stripeShop } from "./StripeShop.ts"

type Open = Layer.Layer<Layer.Success<ReturnType<typeof shop>>, unknown>

type Tests = Parameters<ReturnType<typeof layer<Layer.Success<Open>, unknown>>>[1]

/** `env` is what the environment of the shop would hold. */
export const everyProcessor = (name: string, env: Readonly<Record<string, string>>, tests: Tests): void => {
  const simulated: Open = shop(env)
  const stripe: Open = stripeShop(env)
  layer(simulated, { excludeTestServices: true })(name, tests)
  layer(stripe, { excludeTestServices: true })(`${name}, paid by Stripe`, tests)
}
