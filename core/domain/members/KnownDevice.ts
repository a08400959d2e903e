// A device from which a member signed in before. It keeps a mark, sealed for this service, by which the member's requests are told from those
// of strangers: the mark opens nothing, it only has bounds apart from theirs.
import { Schema } from "effect"
import { DAY_MS, Millis } from "../shared/DecisionContext.ts"
import { MemberId } from "../shared/Ids.ts"
import { emailKey } from "./Account.ts"
import type { Member } from "./Member.ts"

export const KnownDevice = Schema.Struct({
  /** Random, so that the devices of one member have bounds apart, too. */
  deviceId: Schema.String,
  memberId: MemberId,
  /** The member's address when the mark was made. */
  email: Schema.String,
  /** When it was made, or made anew because the member was there. Marks of versions before have none, and ended with these. */
  usedAtMs: Schema.optionalKey(Millis)
})
export type KnownDevice = typeof KnownDevice.Type

export const DEVICE_ID_BYTES = 16

/** What the vault binds marks to. */
export const DEVICE_SEAL = "device"

/** A device from which a member was not signed in for so long is a stranger's again. */
export const DEVICE_UNUSED_MS = 180 * DAY_MS

/** How often the mark of a device that is used is made anew. */
const RENEWED_MS = DAY_MS

export const isInUse = ({ usedAtMs = 0 }: KnownDevice, nowMs: Millis): boolean => nowMs - usedAtMs < DEVICE_UNUSED_MS

/** The members that one device keeps marks of: those who signed in last. */
export const MAX_MARKS = 5

/** Whose requests are counted together: those of a device of a member, or else of a network. */
export const requesterOf = (device: Pick<KnownDevice, "deviceId"> | null, network: string): string =>
  device === null ? `network ${network}` : `device ${device.deviceId}`

export const isFor = ({ email }: KnownDevice, typed: string): boolean => emailKey(email) === emailKey(typed)

/** Whether the mark says what there is to say of this member, who is there now. */
export const isMarkOf = (device: KnownDevice, { memberId, email }: Member, nowMs: Millis): boolean =>
  device.memberId === memberId && device.email === email && nowMs - (device.usedAtMs ?? 0) < RENEWED_MS
