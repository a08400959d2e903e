// The gauges that are read from the store, while it is away and after: they never fail, and show no old value.
import { it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { expect } from "vitest"
import * as MetricsRegistry from "#adapters/observability/MetricsRegistry.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"

const away = new StoreUnavailable({ retryAfterSeconds: 1 })

const setAside = [{ currency: "USD", count: 2, cents: 700 }]

it.effect("are NaN while the store is away, for every currency that was shown", () =>
  Effect.gen(function* () {
    const isAway = yield* Ref.make(false)
    const unlessAway = <A>(found: A) =>
      Effect.flatMap(Ref.get(isAway), (no) => (no ? Effect.fail(away) : Effect.succeed(found)))
    const ports = Layer.merge(
      Layer.mock(Deliveries, { backlog: () => unlessAway({ due: 3, oldestDueAtMs: null }) }),
      Layer.mock(Quotes, { setAsideOpen: unlessAway(setAside), awaitingApprovalCount: unlessAway(4) })
    )
    const update = yield* Effect.provide(MetricsRegistry.makeStoreGauges, ports)
    const shown = Effect.gen(function* () {
      yield* update
      const text = yield* PrometheusMetrics.format()
      return Object.fromEntries(
        text.split("\n").flatMap((line) => {
          const [, series, value] = /^backlinks_((?:webhook_deliveries_due|payments|quotes).*) (\S+)$/.exec(line) ?? []
          return series === undefined ? [] : [[series, value]]
        })
      )
    })
    const gauges = (
      [due, approvals]: readonly [string, string],
      [euros, dollars]: readonly [string, string],
      [euroCents, dollarCents]: readonly [string, string]
    ) => ({
      webhook_deliveries_due: due,
      quotes_awaiting_approval: approvals,
      'payments_set_aside{currency="EUR"}': euros,
      'payments_set_aside{currency="USD"}': dollars,
      'payments_set_aside_cents{currency="EUR"}': euroCents,
      'payments_set_aside_cents{currency="USD"}': dollarCents
    })
    expect(yield* shown).toEqual(gauges(["3", "4"], ["0", "2"], ["0", "700"]))
    yield* Ref.set(isAway, true)
    expect(yield* shown).toEqual(gauges(["NaN", "NaN"], ["NaN", "NaN"], ["NaN", "NaN"]))
    yield* Ref.set(isAway, false)
    expect(yield* shown).toEqual(gauges(["3", "4"], ["0", "2"], ["0", "700"]))
  }).pipe(Effect.provide(MetricsRegistry.layer))
)
