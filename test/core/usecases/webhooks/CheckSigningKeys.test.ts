// The check reports a webhook whose current signing key, or a previous one that is still valid, cannot be opened.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { layer as memoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import { layer as factors } from "#adapters/memory/ports/members/Factors.ts"
import { AccountId, KeyId, WebhookId } from "#core/domain/shared/Ids.ts"
import { healthy } from "#core/domain/webhooks/EndpointHealth.ts"
import type { PreviousKey, Subscription } from "#core/domain/webhooks/Subscription.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import { CheckSigningKeys } from "#core/usecases/webhooks/CheckSigningKeys.ts"

/** Opens only what it sealed, now and under the key before. */
const vault = Layer.succeed(Vault, {
  seal: (plain) => Effect.succeed(`ours ${plain}`),
  unseal: (sealed) => (/^(ours|before) /.test(sealed) ? Effect.succeed(sealed) : Effect.die(new Error("not ours"))),
  open: (sealed) => Effect.succeed(sealed),
  isCurrent: (sealed) => sealed.startsWith("ours ")
})

const webhook = (sealedSigningKey: string, ...previousKeys: ReadonlyArray<PreviousKey>): Subscription => ({
  webhookId: WebhookId.make("wh_1"),
  accountId: AccountId.make("acc_1"),
  keyId: KeyId.make("key_1"),
  mode: "live",
  url: "https://hooks.example/in",
  events: ["order.accepted"],
  sealedSigningKey,
  previousKeys,
  health: healthy,
  createdAtMs: 0,
  revokedAtMs: null
})

/** The test clock is at 0. */
const HOUR_MS = 3_600_000

const checkOf = (...found: ReadonlyArray<Subscription>) => {
  const subscriptions = Layer.succeed(Subscriptions, {
    ofKey: () => Effect.succeed([]),
    activeAfter: ({ after, limit }) =>
      Effect.succeed(found.filter(({ webhookId }) => after === null || webhookId > after).slice(0, limit)),
    anyActive: Effect.succeed(found[0] ?? null)
  })
  return CheckSigningKeys.layer.pipe(
    Layer.provide(Layer.mergeAll(subscriptions, vault, factors.pipe(Layer.provide(memoryBooks))))
  )
}

const complaintOf = (found: Subscription | null) =>
  CheckSigningKeys.use(({ unsignable }) => unsignable()).pipe(
    Effect.provide(found === null ? checkOf() : checkOf(found))
  )

it.effect.each([
  ["no webhook", null, null],
  ["one of ours", webhook("ours a"), null],
  ["one of another key", webhook("theirs a"), { webhookId: WebhookId.make("wh_1") }],
  [
    "one rotated under two keys",
    webhook("ours b", { sealedSigningKey: "theirs a", untilMs: HOUR_MS }),
    { webhookId: WebhookId.make("wh_1") }
  ],
  ["one rotated long ago", webhook("ours b", { sealedSigningKey: "theirs a", untilMs: 0 }), null]
] as const)("of %s", ([_, found, complaint]) =>
  Effect.gen(function* () {
    expect(yield* complaintOf(found)).toEqual(complaint)
  })
)

it.effect("counts the signing keys in use by the key that opens them, over all pages", () =>
  Effect.gen(function* () {
    const old = { sealedSigningKey: "before a", untilMs: HOUR_MS }
    const expired = { sealedSigningKey: "before b", untilMs: 0 }
    const kinds = [webhook("ours c", old, expired), webhook("before d"), webhook("theirs e")]
    const many = Array.from({ length: 300 }, (_, nth) => ({
      ...(kinds[nth % kinds.length] ?? webhook("ours")),
      webhookId: WebhookId.make(`wh_${1_000 + nth}`)
    }))
    const counted = CheckSigningKeys.use(({ count }) => count())
    expect(yield* Effect.provide(counted, checkOf())).toEqual({ current: 0, previous: 0, unopened: 0 })
    expect(yield* Effect.provide(counted, checkOf(...many))).toEqual({ current: 100, previous: 200, unopened: 100 })
  })
)
