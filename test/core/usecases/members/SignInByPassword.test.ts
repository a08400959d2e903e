// Guesses of a reviewer's password take a place before the store is read, of members too: a flood has no more of the store than its places.
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { expect } from "vitest"
import type { KnownDevice } from "#core/domain/members/KnownDevice.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Passwords } from "#core/ports/members/Passwords.ts"
import { Reviewers } from "#core/ports/members/Reviewers.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { KnownDevices } from "#core/usecases/members/KnownDevices.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { SignInByPassword } from "#core/usecases/members/SignInByPassword.ts"
import { times } from "#test/core/ports/StoreSuite.ts"

/** A store that stands still until `thaw`. */
const frozen = (thaw: Deferred.Deferred<void>) => {
  let reads = 0
  const layer = SignInByPassword.layer.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.mock(Reviewers, {
          byName: () =>
            Effect.andThen(
              Effect.sync(() => reads++),
              Effect.as(Deferred.await(thaw), null)
            )
        }),
        Layer.mock(Members, {}),
        Layer.mock(Sessions, { countAttempt: () => Effect.succeed(false) }),
        Layer.mock(MemberSessions, {}),
        Layer.mock(Passwords, {}),
        Layer.mock(KnownDevices, {
          recognise: (kept) => {
            const device: KnownDevice = { deviceId: kept, memberId: MemberId.make("mem_1"), email: "", usedAtMs: 0 }
            return Effect.succeed(kept === "" ? [] : [device])
          }
        })
      )
    ),
    Layer.provide(SecureRandom.layerWebCrypto)
  )
  return { layer, reads: () => reads }
}

for (const { who, devices } of [
  { who: "strangers of one network", devices: "" },
  { who: "a device from which someone else signed in", devices: "device" }
])
  it.effect(`${who} read the store twice at once, and are refused beyond`, () =>
    Effect.gen(function* () {
      const thaw = yield* Deferred.make<void>()
      const { layer, reads } = frozen(thaw)
      yield* Effect.gen(function* () {
        const { use } = yield* SignInByPassword
        const client = { network: "192.0.2.0/24", userAgent: "", who: null, devices }
        const guess = Effect.flip(use({ name: "ada", password: "guess" }, client))
        const guesses = yield* Effect.forEach(
          times(50, (n) => n),
          () => Effect.forkChild(guess, { startImmediately: true })
        )
        yield* Effect.yieldNow
        expect(reads()).toBe(2)
        yield* Deferred.succeed(thaw, undefined)
        for (const one of guesses) expect((yield* Fiber.join(one))._tag).toBe("PasswordRefused")
        // The places are free again.
        yield* guess
        expect(reads()).toBe(3)
      }).pipe(Effect.provide(layer))
    })
  )
