// What a device keeps of sign-ins: each mark is of one member, none can be made or changed by others, and nothing is readable in it.
import { it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import * as Vault from "#adapters/outbound/Vault.ts"
import { DEVICE_SEAL, DEVICE_UNUSED_MS, MAX_MARKS } from "#core/domain/members/KnownDevice.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { Vault as VaultPort } from "#core/ports/webhooks/Vault.ts"
import { KnownDevices } from "#core/usecases/members/KnownDevices.ts"

const keyOf = (byte: number) => Redacted.make(Buffer.alloc(32, byte).toString("base64"))

/** Fresh, because one test has several. */
const environment = (keys: Vault.VaultKeys = { key: keyOf(1) }) =>
  Layer.fresh(
    KnownDevices.layer.pipe(Layer.provideMerge(Vault.layer(keys)), Layer.provide(SecureRandom.layerWebCrypto))
  )

const member = (number: number, email = `member-${number}@brand.example`): Member => ({
  ...{ memberId: MemberId.make(`mem_${number}`), accountId: AccountId.make("acc_1"), email },
  ...{ role: "owner", createdAtMs: 0, removedAtMs: null }
})

const idsIn = (kept: string) =>
  Effect.map(
    KnownDevices.use(({ recognise }) => recognise(kept)),
    (devices) => devices.map(({ memberId }) => memberId)
  )

const remember = (kept: string, who: Member) => KnownDevices.use((devices) => devices.remember(kept, who))

it.effect("a device is known to the members who signed in from it, the last five", () =>
  Effect.gen(function* () {
    let kept = ""
    for (let number = 1; number <= MAX_MARKS + 2; number++) kept = yield* remember(kept, member(number))
    expect(yield* idsIn(kept)).toEqual(["mem_7", "mem_6", "mem_5", "mem_4", "mem_3"])
    expect(kept).not.toMatch(/mem_|brand|%|;|,|\s/)
    // Signing in again keeps the device, and its bounds.
    const again = yield* remember(kept, member(5))
    expect(yield* idsIn(again)).toEqual(["mem_5", "mem_7", "mem_6", "mem_4", "mem_3"])
    const deviceOf = (text: string) =>
      Effect.map(
        KnownDevices.use(({ recognise }) => recognise(text)),
        (devices) => devices.find(({ memberId }) => memberId === "mem_5")?.deviceId
      )
    expect(yield* deviceOf(again)).toBe(yield* deviceOf(kept))
    const moved = yield* remember(again, member(5, "new@brand.example"))
    expect(yield* deviceOf(moved)).toBe(yield* deviceOf(kept))
    // Each device has its own.
    expect(yield* deviceOf(yield* remember("", member(5)))).not.toBe(yield* deviceOf(kept))
  }).pipe(Effect.provide(environment()))
)

it.effect("a mark ends once its member was away for 180 days, and is made anew while they are not", () =>
  Effect.gen(function* () {
    const first = yield* remember("", member(1))
    expect(yield* remember(first, member(1))).toBe(first)
    yield* TestClock.adjust("1 day")
    const renewed = yield* remember(first, member(1))
    expect(renewed).not.toBe(first)
    yield* TestClock.adjust(DEVICE_UNUSED_MS - 1)
    expect([yield* idsIn(first), yield* idsIn(renewed)]).toEqual([[], ["mem_1"]])
    yield* TestClock.adjust(1)
    expect(yield* idsIn(renewed)).toEqual([])
    // The device is the same when its member comes again.
    const devices = yield* KnownDevices
    const [back] = yield* devices.recognise(yield* remember(renewed, member(1)))
    const vault = yield* VaultPort
    expect(yield* vault.open(first, DEVICE_SEAL)).toContain(back?.deviceId)
    // One of a version before has no date.
    const undated = JSON.stringify({ deviceId: "1", memberId: "mem_1", email: "member-1@brand.example" })
    expect(yield* idsIn(yield* vault.seal(undated, DEVICE_SEAL))).toEqual([])
  }).pipe(Effect.provide(environment()))
)

it.effect(
  "what no sign-in gave is no mark: made up, changed, sealed for something else, under another key, or too long",
  () =>
    Effect.gen(function* () {
      const kept = yield* remember("", member(1))
      const [version, key, nonce, sealed = ""] = kept.split(".")
      const flipped = `${sealed.startsWith("A") ? "B" : "A"}${sealed.slice(1)}`
      const vault = yield* VaultPort
      const mark = { deviceId: "1", memberId: "mem_1", email: "member-1@brand.example", usedAtMs: 0 }
      const text = JSON.stringify(mark)
      const other = yield* remember("", member(1)).pipe(Effect.provide(environment({ key: keyOf(2) })))
      for (const forged of [
        "",
        "~~~",
        text,
        Buffer.from(text).toString("base64url"),
        `${version}.${key}.${nonce}.${flipped}`,
        yield* vault.seal(text, "totp/mem_1"),
        other,
        `${kept}~`.repeat(40)
      ]) {
        expect(yield* idsIn(forged)).toEqual([])
      }
      // A mark among others that are none still counts, and one of the key before is sealed again.
      expect(yield* idsIn(`nonsense~${kept}`)).toEqual(["mem_1"])
      const renewed = { key: keyOf(2), previous: keyOf(1) }
      yield* Effect.gen(function* () {
        expect(yield* idsIn(kept)).toEqual(["mem_1"])
        const again = yield* remember(kept, member(1))
        expect([again === kept, yield* idsIn(again)]).toEqual([false, ["mem_1"]])
      }).pipe(Effect.provide(environment(renewed)))
      expect(yield* vault.open(kept, DEVICE_SEAL)).toContain("mem_1")
    }).pipe(Effect.provide(environment()))
)
