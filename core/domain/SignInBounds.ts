// How many sign-in links are issued in an hour. Known and unknown addresses have bounds of their own, and networks from which a member
// signed in before do too, so that a stranger neither fills a mailbox nor keeps a member out.
import { emailKey } from "./Account.ts"

export const LINK_WINDOW_MS = 3_600_000

const PER_ADDRESS = 5
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
