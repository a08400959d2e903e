// The mailbox of the bench: a sign-in link waits for its reader, is read once, and belongs to one address.
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { layer, Mailbox } from "#bench/service/Mailbox.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"

const link = (url: string) => ({ _tag: "SignInLink", url, code: "048213", accountName: null, minutes: 15 }) as const

const ADA = "ada@bench.example"

it.effect("keeps a link until it is read, for its address alone", () =>
  Effect.gen(function* () {
    const { send } = yield* Mailer
    const { nextLink } = yield* Mailbox
    yield* send("bo@bench.example", link("of-bo"))
    yield* send(ADA, link("of-ada"))
    expect(yield* nextLink(ADA)).toBe("of-ada")
    expect(yield* nextLink("bo@bench.example")).toBe("of-bo")
  }).pipe(Effect.provide(layer))
)

it.effect("waits for a link that has not come, and gives none twice", () =>
  Effect.gen(function* () {
    const { send } = yield* Mailer
    const { nextLink } = yield* Mailbox
    yield* send(ADA, link("first"))
    expect(yield* nextLink(ADA)).toBe("first")
    const reader = yield* Effect.forkChild(nextLink(ADA), { startImmediately: true })
    yield* send(ADA, {
      _tag: "FactorChanged",
      accountName: "Ada",
      email: ADA,
      change: "totp_added",
      url: "https://shop.example/account/settings"
    })
    expect(reader.pollUnsafe()).toBeUndefined()
    yield* send(ADA, link("second"))
    expect(yield* Fiber.join(reader)).toBe("second")
  }).pipe(Effect.provide(layer))
)
