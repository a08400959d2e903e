// How many sign-in links are issued, passwords and codes are checked, and changes of addresses are asked for, in an hour or a day. A device from
// which a member signed in before is bounded by itself. Strangers are bounded by network, and known addresses, unknown ones, and networks from
// which a member signed in before apart: so a stranger neither fills a mailbox nor keeps a member out.

import { DAY_MS } from "../shared/DecisionContext.ts"
import type { MemberId } from "../shared/Ids.ts"
import { emailKey } from "./Account.ts"
import { type KnownDevice, requesterOf } from "./KnownDevice.ts"
import { reviewerKey } from "./Reviewer.ts"
import { MAX_CODE_ATTEMPTS } from "./Session.ts"

export const LINK_WINDOW_MS = 3_600_000

/** The random bytes of the id under which an attempt is counted. */
export const ATTEMPT_ID_BYTES = 16

/** Counts are kept for the longest window of a bound. */
export const COUNTED_FOR_MS = DAY_MS

const PER_ADDRESS = 5
const PASSWORDS_PER_NAME = 10
const PER_NETWORK = 30

/** How often a member asks for another address in a day, and how many such mails an address gets, whichever members name it. */
const CHANGES_A_DAY = { ofMember: 3, toAddress: 2 }

/** Two mails' codes, all of them wrong. */
const CODES_A_DAY = 2 * MAX_CODE_ATTEMPTS

/** At most `limit` under that name in the window, which is `LINK_WINDOW_MS` unless said otherwise. */
export interface LinkBound {
  readonly name: string
  readonly limit: number
  readonly windowMs?: number
}

export const windowOf = ({ windowMs = LINK_WINDOW_MS }: LinkBound): number => windowMs

/** One device has its own, and all of one member's together: one session can make any number of devices known. */
const boundsOfDevice = (what: string, device: KnownDevice, limit: number): ReadonlyArray<LinkBound> => [
  { name: `${what}${requesterOf(device, "")}`, limit },
  { name: `${what}devices of ${device.memberId}`, limit: PER_NETWORK }
]

/**
 * `device`: the member of this address signed in from it before; `familiar`: from this network; `known`: there is such a member.
 */
export const linkBounds = (request: {
  readonly email: string
  readonly network: string
  readonly known: boolean
  readonly familiar: boolean
  readonly device: KnownDevice | null
}): ReadonlyArray<LinkBound> => {
  const { email, network, known, familiar, device } = request
  if (device !== null) return boundsOfDevice("", device, PER_ADDRESS)
  const address = emailKey(email)
  return [
    { name: familiar ? `address ${address} from ${network}` : `address ${address}`, limit: PER_ADDRESS },
    { name: `${known ? "known" : "unknown"} from ${network}`, limit: PER_NETWORK }
  ]
}

/**
 * Counts by name and network together, so that a stranger elsewhere keeps no reviewer out, and by device where the reviewer signed in
 * before. As many attempts guess no password.
 */
export const passwordBounds = (request: {
  readonly name: string
  readonly network: string
  readonly device: KnownDevice | null
}): ReadonlyArray<LinkBound> => {
  const { network, device } = request
  if (device !== null) return boundsOfDevice("password from ", device, PASSWORDS_PER_NAME)
  const name = reviewerKey(request.name)
  return [
    { name: `password of ${name} from ${network}`, limit: PASSWORDS_PER_NAME },
    { name: `passwords from ${network}`, limit: PER_NETWORK }
  ]
}

/** The name under which the codes that one browser tries for one mail are counted. */
export const codesOf = (browserHash: string): string => `codes in ${browserHash}`

/**
 * Five for one mail, whether it was sent or not, so that an unknown address takes as many. `device`: the member of the address signed in from it
 * before; strangers share what an address takes of them in a day, see `SignInCode.ts`.
 */
export const codeBounds = (request: {
  readonly browserHash: string
  readonly email: string
  readonly network: string
  readonly device: KnownDevice | null
}): ReadonlyArray<LinkBound> => {
  const { browserHash, email, network, device } = request
  const ofMail = { name: codesOf(browserHash), limit: MAX_CODE_ATTEMPTS }
  if (device !== null) {
    const ofDevice = boundsOfDevice("codes from ", device, CODES_A_DAY)
    return [ofMail, ...ofDevice.map((bound) => ({ ...bound, windowMs: DAY_MS }))]
  }
  return [
    ofMail,
    { name: `codes for ${emailKey(email)}`, limit: CODES_A_DAY, windowMs: DAY_MS },
    { name: `codes from ${network}`, limit: PER_NETWORK }
  ]
}

/** For a member who asks for another address, so that none mails many strangers, and no stranger is mailed by many. */
export const changeBounds = (memberId: MemberId, to: string): ReadonlyArray<LinkBound> => [
  { name: `changes of ${memberId}`, limit: CHANGES_A_DAY.ofMember, windowMs: DAY_MS },
  { name: `changes to ${emailKey(to)}`, limit: CHANGES_A_DAY.toAddress, windowMs: DAY_MS }
]
