// The kinds of shops that the scenarios are played in, so that each kind goes through the very same: how one is opened is theirs,
// what is expected of it is the scenarios'.
import { layer } from "@effect/vitest"
import { Layer, References } from "effect"
import type { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import type { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import * as Recorder from "./SpanRecorder.ts"
import type { Env, layer as memoryShop } from "./RunningService.ts"
import { withStripe } from "./StripeService.ts"

/** What every shop provides, whatever its books are kept in. */
export type ServiceUnderTest = Exclude<Layer.Success<ReturnType<typeof memoryShop>>, MemoryBooks>

export interface ServiceKind<Provided = never> {
  readonly name: string
  /** A shop of its own for whoever opens one. `env` is what the environment would hold. */
  readonly open: (env: Env) => Layer.Layer<ServiceUnderTest | Provided, unknown>
  /** Whether what every payment processor must be like is played with each of them, or with the simulated one alone. */
  readonly processors: "each" | "simulated"
}

/** Scenarios that wait for a house to be played in. */
export type Suite = (house: ServiceKind) => void

type Tests<Provided> = Parameters<ReturnType<typeof layer<ServiceUnderTest | Provided, unknown>>>[1]

const play = <Provided>(what: string, house: ServiceKind<Provided>, env: Env, tests: Tests<Provided>): void =>
  layer(house.open(env), { excludeTestServices: true })(`${what}, ${house.name}`, tests)

export const scenarios =
  (what: string, env: Env, tests: Tests<never>): Suite =>
  (house) =>
    play(what, house, env, tests)

/** With a stand-in for Stripe beside the shop. */
export const paidByStripe =
  (what: string, env: Env, tests: Tests<StripeStandIn>): Suite =>
  (house) =>
    play(what, withStripe(house), env, tests)

/** With everything logged and every span recorded that the shop makes. */
export const observed =
  (what: string, env: Env, tests: Tests<Recorder.SpanRecorder>): Suite =>
  (house) => {
    const eyes = Layer.merge(Recorder.layer, Layer.succeed(References.MinimumLogLevel, "All"))
    play(what, { ...house, open: (env) => Layer.provideMerge(house.open(env), eyes) }, env, tests)
  }

/** What is expected of the shop is the same with all payment processors. */
export const everyProcessor =
  (what: string, env: Env, tests: Tests<never>): Suite =>
  (house) => {
    play(what, house, env, tests)
    if (house.processors === "each") play(what, withStripe(house), env, tests)
  }
