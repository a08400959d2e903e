// People in the member area while processes are killed and the database is restarted: they sign in by links that are posted to several
// instances at once, top up, invite people and sign out. What they were told has to be there afterwards, once.
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { SIGN_IN_LINK_MS } from "#core/domain/members/Session.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { type Call, type Reply, send } from "./Client.ts"
import type { Deployment } from "./Deployment.ts"
import { retryWhileUnavailable } from "./DirectAccess.ts"
import { type FaultCounts, type FaultPace, injectFaults } from "./FaultInjection.ts"
import type { SeededRandom } from "./SeededRandom.ts"

export interface PeopleRecord {
  /** SHA-256 of the tokens of sessions that were answered. */
  readonly sessions: Array<string>
  readonly signedOut: Array<string>
  /** Links that were posted; some of those posts were cut off. */
  links: number
  /** Ids of top-ups whose payment was answered. */
  readonly paid: Array<string>
  /** Ids of top-ups that were opened and not paid. */
  readonly unpaid: Array<string>
  /** Addresses of people whose invitation was answered. */
  readonly invited: Array<string>
  /** What was answered otherwise than it may be. */
  readonly violations: Array<string>
}

const emptyRecord = (): PeopleRecord => ({
  ...{ sessions: [], signedOut: [], links: 0, paid: [], unpaid: [], invited: [], violations: [] }
})

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Posts of the same link at the same moment, each to an instance that it chooses. */
const POSTS = 4

const page = (path: string, session?: string): Call => ({
  method: "GET",
  path,
  headers: session === undefined ? {} : { cookie: `session=${session}` }
})

const form = (path: string, fields: Readonly<Record<string, string>>, session?: string): Call => ({
  ...page(path, session),
  method: "POST",
  headers: {
    ...page(path, session).headers,
    "sec-fetch-site": "same-origin",
    "content-type": "application/x-www-form-urlencoded"
  },
  body: new URLSearchParams(fields).toString()
})

/** The link that a mail brings. Each try has a new token: the one before may have been written, and its answer lost. */
const issueLink = ({ direct }: Deployment, email: string): Promise<string> => {
  const issueOnce = Effect.suspend(() => {
    const token = randomBytes(32).toString("base64url")
    const nowMs = Date.now()
    const link = {
      hash: sha256(token),
      kind: "mail" as const,
      email,
      createdAtMs: nowMs,
      usedAtMs: null,
      wrongCodes: 0,
      browserHash: null,
      codeHash: null
    }
    const issued = { ...link, expiresAtMs: nowMs + SIGN_IN_LINK_MS }
    return Effect.flatMap(Sessions, (sessions) => Effect.as(sessions.issueLink(issued, []), token))
  })
  return direct.run(retryWhileUnavailable(issueOnce))
}

/** The token of the session that one of the posts got; `null` where the posts were cut off. */
const signIn = async (
  deployment: Deployment,
  email: string,
  record: PeopleRecord,
  random: SeededRandom
): Promise<string | null> => {
  const token = await issueLink(deployment, email)
  record.links++
  const posts = Array.from({ length: POSTS }, async (): Promise<Reply | null> => {
    const baseUrl = deployment.instances.anyBaseUrl(random)
    if (baseUrl === undefined) return null
    return send(deployment.client.agent, baseUrl, form("/account/sign-in/use", { token })).catch(() => null)
  })
  const begun = (await Promise.all(posts)).flatMap((reply) => {
    const [, session] = /^session=([^;]+);/m.exec(reply?.cookies.join("\n") ?? "") ?? []
    return reply?.status === 303 && session !== undefined ? [session] : []
  })
  if (begun.length > 1) record.violations.push(`one link of ${email} began ${begun.length} sessions`)
  const [session] = begun
  if (session === undefined) return null
  record.sessions.push(sha256(session))
  return session
}

const TOP_UPS = "/account/credit/top-ups"

const topUp = async (
  { client }: Deployment,
  session: string,
  record: PeopleRecord,
  random: SeededRandom
): Promise<void> => {
  const ask = async (call: Call) => (await client.callUntilAnswered(call, random)).reply
  const id = /name="top_up" value="([^"]+)"/.exec((await ask(page(TOP_UPS, session))).body)?.[1] ?? ""
  const opened = await ask(form(TOP_UPS, { top_up: id, amount: `${5 + random.below(40)}.00` }, session))
  if (opened.status !== 303) return void record.violations.push(`a top-up was answered with ${opened.status}`)
  const shown = await ask(page(`${TOP_UPS}/${id}`, session))
  const pay = /class="btn main" href="([^"]+)"/.exec(shown.body)?.[1]
  if (pay === undefined || random.chance(0.2)) return void record.unpaid.push(id)
  const { pathname } = new URL(pay, "http://shop.example")
  const paid = await Promise.all([1, 2].map(() => ask(form(`${pathname}/pay`, {}))))
  if (paid.some(({ status }) => status === 303)) record.paid.push(id)
  else record.violations.push(`a payment was answered with ${paid.map(({ status }) => status).join(" and ")}`)
}

const inviteMember = async (
  { client }: Deployment,
  session: string,
  record: PeopleRecord,
  random: SeededRandom
): Promise<void> => {
  const email = `${randomUUID()}@brand.example`
  const call = form("/account/settings/invitations", { email, role: "viewer" }, session)
  const { reply } = await client.callUntilAnswered(call, random)
  // 409: ten members and invitations. 429: as many as the account may make today. 422: a try before this one was written, and its answer lost.
  if (reply.status === 303 || (reply.status === 422 && reply.body.includes("You invited this person already")))
    record.invited.push(email)
  else if (reply.status !== 409 && reply.status !== 429)
    record.violations.push(`an invitation was answered with ${reply.status}`)
}

const runPerson = async (
  deployment: Deployment,
  record: PeopleRecord,
  random: SeededRandom,
  isRunning: () => boolean
): Promise<void> => {
  const email = `${randomUUID()}@people.example`
  while (isRunning()) {
    const session = await signIn(deployment, email, record, random)
    if (session === null) {
      await sleep(20)
      continue
    }
    for (let left = 1 + random.below(3); left > 0; left--) await topUp(deployment, session, record, random)
    if (random.chance(0.3)) await inviteMember(deployment, session, record, random)
    if (random.chance(0.5)) {
      await deployment.client.callUntilAnswered(form("/account/sign-out", {}, session), random)
      record.signedOut.push(sha256(session))
    }
  }
}

export interface PeoplePlan {
  readonly kills: number
  readonly restarts: number
  readonly topUps: number
  readonly people: number
  readonly seconds: number
  readonly pace: FaultPace
}

/** The run ends when all of the plan has happened, or when the time is up. */
export const killUnderPeople = async (
  deployment: Deployment,
  plan: PeoplePlan,
  random: SeededRandom
): Promise<FaultCounts & { readonly record: PeopleRecord }> => {
  const record = emptyRecord()
  const untilMs = performance.now() + plan.seconds * 1_000
  let over = false
  const people = Promise.all(
    Array.from({ length: plan.people }, () => runPerson(deployment, record, random.fork(), () => !over))
  ).finally(() => {
    over = true
  })
  const counts = await injectFaults(deployment, { random, pace: plan.pace }, ({ kills, restarts }) => {
    const isDone = kills >= plan.kills && restarts >= plan.restarts && record.paid.length >= plan.topUps
    return !over && !isDone && performance.now() < untilMs
  }).finally(() => {
    over = true
  })
  await people
  return { ...counts, record }
}

const list = (texts: ReadonlyArray<string>): string => texts.map((text) => `'${text}'`).join() || "''"

/** What the answers said and the database does not have. Reconciliation checks the rest. */
export const peopleRetained = async ({ direct }: Deployment, record: PeopleRecord): Promise<ReadonlyArray<string>> => {
  const { sessions, signedOut, paid, unpaid, invited, links } = record
  const rules: ReadonlyArray<readonly [what: string, expected: number, sql: string]> = [
    ["sessions that were begun", sessions.length, `sessions WHERE hash IN (${list(sessions)})`],
    [
      "sessions that were ended",
      signedOut.length,
      `sessions WHERE hash IN (${list(signedOut)}) AND ended_at_ms IS NOT NULL`
    ],
    ["top-ups that were paid", paid.length, `top_ups WHERE top_up_id IN (${list(paid)}) AND status = 'paid'`],
    ["top-ups that were not paid", unpaid.length, `top_ups WHERE top_up_id IN (${list(unpaid)}) AND status <> 'paid'`],
    ["people who were invited", invited.length, `invitations WHERE email IN (${list(invited)}) AND outcome IS NULL`]
  ]
  const violations = [...record.violations]
  for (const [what, expected, sql] of rules) {
    const [row] = await direct.rows(`SELECT count(*)::int AS count FROM ${sql}`)
    if (row?.["count"] !== expected) violations.push(`${row?.["count"]} of ${expected} ${what} are there`)
  }
  const [used] = await direct.rows(`
    SELECT (SELECT count(*)::int FROM sessions s JOIN members m USING (member_id) WHERE m.email LIKE '%@people.example') AS begun,
      (SELECT count(*)::int FROM sign_in_links WHERE used_at_ms IS NOT NULL AND email LIKE '%@people.example') AS used`)
  const [begun, links_used] = [Number(used?.["begun"]), Number(used?.["used"])]
  if (begun > links_used || links_used > links)
    violations.push(`${begun} sessions of ${links_used} used links of ${links}`)
  return violations
}
