// How many sign-in links are issued, and passwords are checked, in an hour. Known addresses, unknown addresses, and networks from which a
// member signed in before are bounded separately, so that a stranger neither fills a mailbox nor keeps a member out.
import { emailKey } from "./Account.ts"
import { reviewerKey } from "./Reviewer.ts"

export const LINK_WINDOW_MS = 3_600_000

const PER_ADDRESS = 5
const PASSWORDS_PER_NAME = 10
const PER_NETWORK = 30

/** At most `limit` links in the window under that name. */
export interface LinkBound {
  readonly name: string
  readonly limit: number
}

/** `familiar`: the member of this address signed in from this network before; `known`: there is such a member. */
export const linkBounds = (request: {
  readonly email: string
  readonly network: string
  readonly known: boolean
  readonly familiar: boolean
}): ReadonlyArray<LinkBound> => {
  const { email, network, known, familiar } = request
  const address = emailKey(email)
  return [
    { name: familiar ? `address ${address} from ${network}` : `address ${address}`, limit: PER_ADDRESS },
    { name: `${known ? "known" : "unknown"} from ${network}`, limit: PER_NETWORK }
  ]
}

/** Counts by name and network together, so that a stranger elsewhere keeps no reviewer out. As many attempts guess no password. */
export const passwordBounds = (request: {
  readonly name: string
  readonly network: string
}): ReadonlyArray<LinkBound> => {
  const name = reviewerKey(request.name)
  return [
    { name: `password of ${name} from ${request.network}`, limit: PASSWORDS_PER_NAME },
    { name: `passwords from ${request.network}`, limit: PER_NETWORK }
  ]
}
