// How a suite of scenarios is written once and run against every kind of service.
import { layer } from "@effect/vitest"
import { Layer, References } from "effect"
import type { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import type { Env } from "./RunningService.ts"
import type { ServiceKind, ServiceUnderTest } from "./ServiceKind.ts"
import * as SpanRecorder from "./SpanRecorder.ts"
import { withStripe } from "./StripeService.ts"

/** Registers its tests for one kind of service. */
export type Suite = (kind: ServiceKind) => void

type Tests<Provided> = Parameters<ReturnType<typeof layer<ServiceUnderTest | Provided, unknown>>>[1]

const run = <Provided>(subject: string, kind: ServiceKind<Provided>, env: Env, tests: Tests<Provided>): void =>
  layer(kind.start(env), { excludeTestServices: true })(`${subject}, ${kind.name}`, tests)

export const scenarios =
  (subject: string, env: Env, tests: Tests<never>): Suite =>
  (kind) =>
    run(subject, kind, env, tests)

/** A suite with a stand-in for Stripe as the payment processor. */
export const paidByStripe =
  (subject: string, env: Env, tests: Tests<StripeStandIn>): Suite =>
  (kind) =>
    run(subject, withStripe(kind), env, tests)

/** A suite with logs of every level, and every span recorded. */
export const observed =
  (subject: string, env: Env, tests: Tests<SpanRecorder.SpanRecorder>): Suite =>
  (kind) => {
    const observers = Layer.merge(SpanRecorder.layer, Layer.succeed(References.MinimumLogLevel, "All"))
    run(subject, { ...kind, start: (env) => Layer.provideMerge(kind.start(env), observers) }, env, tests)
  }

/** A suite with each payment processor of the kind. */
export const everyProcessor =
  (subject: string, env: Env, tests: Tests<never>): Suite =>
  (kind) => {
    run(subject, kind, env, tests)
    if (kind.processors === "each") run(subject, withStripe(kind), env, tests)
  }
