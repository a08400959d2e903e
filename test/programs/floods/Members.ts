// The members of a shop and their assistants: what they had before a flood, and what they do while it lasts.
import { randomUUID } from "node:crypto"
import { softwarePasskey } from "#test/adapters/factors/SoftwarePasskey.ts"
import {
  authorizePath,
  CALLBACK,
  formOf,
  MAY_ORDER,
  newVerifier,
  type Request,
  wayOut
} from "#test/adapters/oauth/Flow.ts"
import { linkTo, openAccount, openReviewFor } from "#test/adapters/web/Visitors.ts"
import type { Shop } from "./Shop.ts"
import { type Reply, Visitor } from "./Visitor.ts"

/** Where members sit; floods come from here, too. */
export const HOME = "127.0.3.1"
/** Where the programs of assistants run. */
const ASSISTANTS = "127.0.4.1"

export const ACTS = [
  "signs in by mail",
  "signs in by passkey",
  "reviewer signs in",
  "opens a page",
  "assistant refreshes",
  "allows a new assistant"
] as const
export type Act = (typeof ACTS)[number]

/** Does one thing; rejects where it is not done. */
export type Acts = Readonly<Record<Act, () => Promise<void>>>

const MAIL_MS = 10_000

const expectStatus = ({ status, text }: Reply, wanted: number, step: string): void => {
  if (status !== wanted) throw new Error(`${step}: ${status} ${text.slice(0, 200)}`)
}

const expectSignedIn = ({ status, location, text }: Reply): void => {
  if (status !== 303 || location !== "/account") throw new Error(`not signed in: ${status} ${text.slice(0, 200)}`)
}

/** The next link that is mailed to this address. */
const nextLink = async (shop: Shop, email: string, before: number): Promise<string> => {
  for (const until = Date.now() + MAIL_MS; Date.now() < until; ) {
    const link = shop.linksTo(email)[before]
    if (link !== undefined) return link
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error("no mail came")
}

/** An owner in a browser in which they signed in. */
const ownerIn = async (shop: Shop) => {
  const browser = new Visitor(shop.port, HOME)
  const { ownerEmail: email } = await shop.direct.run(openAccount)
  const token = await shop.direct.run(linkTo(email))
  expectSignedIn(await browser.send({ path: "/account/sign-in/use", form: { token } }))
  return { browser, email }
}

const addPasskey = async (shop: Shop, browser: Visitor) => {
  const passkey = softwarePasskey(`http://localhost:${shop.port}`)
  const factors = "/account/settings/factors"
  const options = await browser.send({ path: `${factors}/passkey-options`, form: {} })
  const form = { name: "Laptop", registration: passkey.register(JSON.parse(options.text)) }
  expectStatus(await browser.send({ path: `${factors}/passkeys`, form }), 303, "a passkey is added")
  return passkey
}

/** The tokens for a code or a refresh token. */
const tokensFor = async (assistant: Visitor, form: Readonly<Record<string, string>>) => {
  const reply = await assistant.send({ path: "/oauth/token", form })
  expectStatus(reply, 200, "tokens")
  return JSON.parse(reply.text) as { readonly access_token: string; readonly refresh_token: string } // as RFC 6749 says
}

const register = async (assistant: Visitor): Promise<string> => {
  const reply = await assistant.send({
    path: "/oauth/register",
    json: { client_name: "An assistant", redirect_uris: [CALLBACK] }
  })
  expectStatus(reply, 201, "a registration")
  return String((JSON.parse(reply.text) as { readonly client_id: string }).client_id) // as RFC 7591 says
}

/** The owner's browser goes from the client's request to its answer; the client exchanges the code. */
const connect = async (browser: Visitor, assistant: Visitor, clientId: string) => {
  const request: Request = { clientId, verifier: newVerifier(), params: { scope: "read order" } }
  const asked = await browser.send({ path: authorizePath(request) })
  const path = new URL(asked.location, "http://localhost").pathname
  const page = await browser.send({ path })
  expectStatus(page, 200, `the page of consent at ${path}`)
  const form = formOf({ ...page, headers: new Headers() }, MAY_ORDER)
  const allowed = await browser.send({ path: `${path}/allow`, form })
  expectStatus(allowed, 303, "the consent")
  const onward = await browser.send({ path: allowed.location })
  const left = await browser.send({ path: wayOut({ ...onward, headers: new Headers() }) })
  const code = new URL(left.location).searchParams.get("code") ?? ""
  const exchange = { grant_type: "authorization_code", client_id: clientId, redirect_uri: CALLBACK, code }
  return tokensFor(assistant, { ...exchange, code_verifier: request.verifier })
}

const reviewerIn = async (shop: Shop) => {
  const browser = new Visitor(shop.port, HOME)
  const { reviewer, password } = await shop.direct.run(openReviewFor(1))
  const signIn = async () => {
    const form = { name: reviewer.name, password }
    expectSignedIn(await browser.send({ path: "/account/sign-in/reviewer", form }))
  }
  await signIn()
  return { name: reviewer.name, signIn }
}

export interface Members {
  /** What strangers know: the address of a member, and the name of a reviewer. */
  readonly email: string
  readonly reviewer: string
  readonly acts: Acts
}

/** One that a flood has not met yet. */
export const reviewersOf = reviewerIn

/** `reviewer`: signed in once before any flood, from the browser in which it will sign in again. */
export const membersOf = async (shop: Shop, reviewer: Awaited<ReturnType<typeof reviewerIn>>): Promise<Members> => {
  const [mail, keyed] = [await ownerIn(shop), await ownerIn(shop)]
  const passkey = await addPasskey(shop, keyed.browser)
  const assistant = new Visitor(shop.port, ASSISTANTS)
  const clients = [await register(assistant), shop.document]
  const tokens = new Map<string, string>()
  for (const client of clients) {
    tokens.set(client, (await connect(mail.browser, assistant, client)).refresh_token)
  }
  return {
    email: mail.email,
    reviewer: reviewer.name,
    acts: {
      "signs in by mail": async () => {
        const before = shop.linksTo(mail.email).length
        const asked = await mail.browser.send({ path: "/account/sign-in", form: { email: mail.email } })
        expectStatus(asked, 303, "a link is asked for")
        const form = { token: await nextLink(shop, mail.email, before) }
        expectSignedIn(await mail.browser.send({ path: "/account/sign-in/use", form }))
      },
      "signs in by passkey": async () => {
        const options = await keyed.browser.send({ path: "/account/sign-in/passkey-options", form: {} })
        // A person looks for a finger meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 500))
        const form = { assertion: passkey.assert(JSON.parse(options.text)) }
        expectSignedIn(await keyed.browser.send({ path: "/account/sign-in/passkey", form }))
      },
      "reviewer signs in": reviewer.signIn,
      "opens a page": async () => {
        expectStatus(await mail.browser.send({ path: `/account?${randomUUID()}` }), 200, "the overview")
      },
      "assistant refreshes": async () => {
        for (const [client_id, refresh_token] of tokens) {
          const next = await tokensFor(assistant, { grant_type: "refresh_token", client_id, refresh_token })
          tokens.set(client_id, next.refresh_token)
        }
      },
      "allows a new assistant": async () => {
        await connect(mail.browser, assistant, await register(assistant))
      }
    }
  }
}
