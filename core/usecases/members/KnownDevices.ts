// Recognises devices from which members signed in before, by the marks that they keep. A mark is sealed: none can be guessed, and a device
// learns nothing from it. Nothing is stored here.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import {
  DEVICE_ID_BYTES,
  DEVICE_SEAL,
  isInUse,
  isMarkOf,
  KnownDevice,
  MAX_MARKS
} from "#core/domain/members/KnownDevice.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"

/** A character that no sealed text has. */
const BETWEEN = "~"

/** Longer texts have more marks than a device is given. */
const MAX_KEPT = 4_000

const Mark = Schema.fromJsonString(KnownDevice)

export class KnownDevices extends Context.Service<
  KnownDevices,
  {
    /** Those of the marks in a text that a device sent which this service made and that were used of late, the newest first. */
    readonly recognise: (kept: string) => Effect.Effect<ReadonlyArray<KnownDevice>>
    /** What a device keeps from now on, from which this member signs in, or is signed in. It mostly is the same text. */
    readonly remember: (kept: string, member: Member) => Effect.Effect<string>
  }
>()("backlinks/usecases/members/KnownDevices") {
  static readonly layer = Layer.effect(
    KnownDevices,
    Effect.gen(function* () {
      const vault = yield* Vault
      const random = yield* SecureRandom.SecureRandom

      const open = (sealed: string) =>
        Effect.map(vault.open(sealed, DEVICE_SEAL), (text) =>
          text === null ? [] : [{ sealed, device: Schema.decodeUnknownSync(Mark)(text) }]
        )

      const marksIn = (kept: string) => {
        const sealed = kept === "" || kept.length > MAX_KEPT ? [] : kept.split(BETWEEN).slice(0, MAX_MARKS)
        return Effect.map(Effect.forEach(sealed, open), (opened) => opened.flat())
      }

      return KnownDevices.of({
        recognise: Effect.fn("KnownDevices.recognise")(function* (kept) {
          const [marks, nowMs] = [yield* marksIn(kept), yield* Clock.currentTimeMillis]
          return marks.map(({ device }) => device).filter((device) => isInUse(device, nowMs))
        }),
        remember: Effect.fn("KnownDevices.remember")(function* (kept, member) {
          const [marks, nowMs] = [yield* marksIn(kept), yield* Clock.currentTimeMillis]
          const own = marks.find(({ device }) => device.memberId === member.memberId)
          const others = marks.filter((mark) => mark !== own).map(({ sealed }) => sealed)
          const isCurrent = own !== undefined && isMarkOf(own.device, member, nowMs) && vault.isCurrent(own.sealed)
          const deviceId = own?.device.deviceId ?? Hex.encode(yield* random.randomBytes(DEVICE_ID_BYTES))
          const mark: KnownDevice = { deviceId, memberId: member.memberId, email: member.email, usedAtMs: nowMs }
          const sealed = isCurrent ? own.sealed : yield* vault.seal(JSON.stringify(mark), DEVICE_SEAL)
          return [sealed, ...others].slice(0, MAX_MARKS).join(BETWEEN)
        })
      })
    })
  )
}
