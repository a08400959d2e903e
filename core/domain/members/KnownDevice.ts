// A device from which a member signed in before. It keeps a mark, sealed for this service, by which the member's requests are told from those
// of strangers: the mark opens nothing, it only has bounds apart from theirs.
import { Schema } from "effect"
import { MemberId } from "../shared/Ids.ts"
import { emailKey } from "./Account.ts"
import type { Member } from "./Member.ts"

export const KnownDevice = Schema.Struct({
  /** Random, so that the devices of one member have bounds apart, too. */
  deviceId: Schema.String,
  memberId: MemberId,
  /** The member's address when the mark was made. */
  email: Schema.String
})
export type KnownDevice = typeof KnownDevice.Type

export const DEVICE_ID_BYTES = 16

/** What the vault binds marks to. */
export const DEVICE_SEAL = "device"

/** The members that one device keeps marks of: those who signed in last. */
export const MAX_MARKS = 5

/** Whose requests are counted together: those of a device of a member, or else of a network. */
export const requesterOf = (device: Pick<KnownDevice, "deviceId"> | null, network: string): string =>
  device === null ? `network ${network}` : `device ${device.deviceId}`

export const isFor = ({ email }: KnownDevice, typed: string): boolean => emailKey(email) === emailKey(typed)

/** Whether the mark says what there is to say of this member. */
export const isMarkOf = (device: KnownDevice, { memberId, email }: Member): boolean =>
  device.memberId === memberId && device.email === email
