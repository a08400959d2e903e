// The five floods, each by strangers without an account. They last until they are stopped.
import { authorizePath, CALLBACK, newVerifier } from "#test/adapters/oauth/Flow.ts"
import { HOME, type Members } from "./Members.ts"
import type { Shop } from "./Shop.ts"
import { Visitor } from "./Visitor.ts"

/** How large the floods are. */
export interface FloodSizes {
  /** Sign-in links that are asked for before members come, and again and again after that. */
  readonly links: number
  /** Requests for sign-in links a second. */
  readonly requestsPerSecond: number
  /** Guesses of passwords, and as many options for passkeys. */
  readonly guesses: number
  readonly registrations: number
  /** Documents of which none is ever answered, named at once. */
  readonly documents: number
}

interface Running {
  /** Requests that were sent so far, and those of them that were answered. */
  readonly counts: () => { readonly sent: number; readonly answered: number }
  readonly stop: () => Promise<void>
}

export interface Flood {
  readonly name: (sizes: FloodSizes) => string
  /** Resolves once it has its full size. */
  readonly start: (shop: Shop, members: Members, sizes: FloodSizes) => Promise<Running>
}

/** Many networks: one address in each. */
const strangersFrom = (shop: Shop, count: number): ReadonlyArray<Visitor> =>
  Array.from({ length: count }, (_, nth) => new Visitor(shop.port, `127.1.${nth >> 7}.${1 + (nth & 127)}`))

type SendOne = (nth: number) => Promise<unknown>

/** Sends `first` requests with so many at once, and goes on at the same pace until it is stopped. */
const keepSending = async (atOnce: number, first: number, visitors: ReadonlyArray<Visitor>, sendOne: SendOne) => {
  let [sent, answered, isOver] = [0, 0, false]
  let full: () => void = () => undefined
  const isFull = new Promise<void>((resolve) => {
    full = resolve
  })
  const sender = async () => {
    while (!isOver) {
      const nth = sent++
      const isAnswered = await sendOne(nth).then(
        () => true,
        () => false
      )
      if (isAnswered) answered++
      if (sent >= first) full()
    }
  }
  const senders = Promise.all(Array.from({ length: atOnce }, sender))
  await isFull
  const running: Running = {
    counts: () => ({ sent, answered }),
    stop: async () => {
      isOver = true
      for (const visitor of visitors) visitor.close()
      await senders
    }
  }
  return running
}

/** Every other one for an address that is known. */
const askForLink = (visitor: Visitor, { email }: Members, nth: number) =>
  visitor.send({
    path: "/account/sign-in",
    form: { email: nth % 2 === 0 ? email : `stranger-${nth}@example.com` }
  })

const linksFromOneNetwork: Flood = {
  name: ({ links }) => `${links} sign-in links from the members' own network`,
  start: (shop, members, { links }) => {
    const stranger = new Visitor(shop.port, HOME)
    return keepSending(4, links, [stranger], (nth) => askForLink(stranger, members, nth))
  }
}

/** More would hold up this program itself. */
const MOST_AWAITED = 2_000

/** Sends by the clock, whether or not the service keeps up. */
const requestsFromManyNetworks: Flood = {
  name: ({ requestsPerSecond }) => `${requestsPerSecond} sign-in requests a second from 100 networks`,
  start: async (shop, members, { requestsPerSecond }) => {
    const strangers = strangersFrom(shop, 100)
    let [sent, answered, over] = [0, 0, 0]
    const startMs = performance.now()
    const timer = setInterval(() => {
      const due = ((performance.now() - startMs) / 1_000) * requestsPerSecond
      for (; sent < due && sent - over < MOST_AWAITED; sent++) {
        const visitor = strangers[sent % strangers.length]
        if (visitor === undefined) return
        askForLink(visitor, members, sent).then(
          () => {
            answered++
            over++
          },
          () => {
            over++
          }
        )
      }
    }, 5)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return {
      counts: () => ({ sent, answered }),
      stop: async () => {
        clearInterval(timer)
        for (const visitor of strangers) visitor.close()
      }
    }
  }
}

const guesses: Flood = {
  name: ({ guesses: count }) => `${count} guesses of a reviewer's password, with options for passkeys`,
  start: (shop, { reviewer }, { guesses: count }) => {
    const strangers = [new Visitor(shop.port, HOME), ...strangersFrom(shop, 9)]
    return keepSending(20, 2 * count, strangers, async (nth) => {
      const visitor = strangers[(nth >> 1) % strangers.length]
      if (nth % 2 === 0) return visitor?.send({ path: "/account/sign-in/passkey-options", form: {} })
      const form = { name: nth % 4 === 1 ? reviewer : `name-${nth}`, password: `guess-${nth}` }
      return visitor?.send({ path: "/account/sign-in/reviewer", form })
    })
  }
}

const registrations: Flood = {
  name: ({ registrations: count }) => `${count} registrations of assistants`,
  start: (shop, _members, { registrations: count }) => {
    const stranger = new Visitor(shop.port, HOME)
    const metadata = { client_name: "Of a stranger", redirect_uris: [CALLBACK] }
    return keepSending(24, count, [stranger], () => stranger.send({ path: "/oauth/register", json: metadata }))
  }
}

const silentDocuments: Flood = {
  name: ({ documents }) => `${documents} silent documents of assistants`,
  start: (shop, _members, { documents }) => {
    const stranger = new Visitor(shop.port, HOME)
    return keepSending(documents, documents, [stranger], (nth) => {
      const clientId = `https://127.2.${(nth >> 7) & 127}.${1 + (nth & 127)}:${shop.silentPort}/${nth}.json`
      return stranger.send({ path: authorizePath({ clientId, verifier: newVerifier() }) })
    })
  }
}

export const FLOODS: ReadonlyArray<Flood> = [
  linksFromOneNetwork,
  requestsFromManyNetworks,
  guesses,
  registrations,
  silentDocuments
]
