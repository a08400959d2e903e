// The short form of `npm run kills`: service processes on one database are killed and stopped under load, the database is restarted, and
// the same call is sent many times at once.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Deployment, startDeployment } from "#test/programs/kills/Deployment.ts"
import { sendDuplicates } from "#test/programs/kills/DuplicateCalls.ts"
import { reconciled } from "#test/programs/kills/FinalChecks.ts"
import { stopEachInstance } from "#test/programs/kills/Interruptions.ts"
import { checkInvoices } from "#test/programs/kills/InvoiceNumbers.ts"
import { finalChecks, killUnderLoad } from "#test/programs/kills/KillsUnderLoad.ts"
import { killUnderPeople, peopleRetained } from "#test/programs/kills/People.ts"
import { seededRandom } from "#test/programs/kills/SeededRandom.ts"

const QUOTE_TTL_SECONDS = 2

/** Processes live as long as they take to start: killed sooner, they would mostly start, and do little that a kill can cut off. */
const PACE = { meanUptimeMs: 2_500, minPauseMs: 2_000 }
/** The run lasts until this much has happened, on a slow machine as on a fast one. */
const LEAST = { kills: 4, restarts: 1, answers: 21 }

describe("two services on one database", () => {
  let deployment: Deployment
  const random = seededRandom(Date.now())

  beforeAll(async () => {
    const size = { instances: 2, accounts: 4, articles: 60 }
    deployment = await startDeployment({ ...size, durable: false, quoteTtlSeconds: QUOTE_TTL_SECONDS })
  })

  afterAll(() => deployment?.end())

  it("answer the same call, a hundred times at once, with one order for each key, and count the cap once", async () => {
    const { violations } = await sendDuplicates(deployment, { keys: 20, copies: 100, atOnce: 2 })
    expect(violations).toEqual([])
  })

  it("keep every answer and every cent while they are killed and the database is restarted", async () => {
    const run = await killUnderLoad(deployment, { ...LEAST, seconds: 100, agents: 8, pace: PACE }, random)
    expect(run.kills).toBeGreaterThanOrEqual(LEAST.kills)
    expect(run.restarts).toBeGreaterThanOrEqual(LEAST.restarts)
    expect(run.record.answered.length).toBeGreaterThanOrEqual(LEAST.answers)
    expect(await finalChecks(deployment, run.record, random, QUOTE_TTL_SECONDS)).toEqual([])
  })

  it("answer what is under way when they are stopped under load, and exit with status 0", async () => {
    const { record, violations } = await stopEachInstance(deployment, 8, random)
    expect(violations).toEqual([])
    expect(record.answered.length).toBeGreaterThan(0)
    expect(await finalChecks(deployment, record, random, QUOTE_TTL_SECONDS)).toEqual([])
  })

  it("keep what people were told: sessions, each link once, top-ups, invitations", async () => {
    await deployment.instances.add()
    const plan = { kills: 4, restarts: 1, topUps: 20, people: 6, seconds: 100 }
    const run = await killUnderPeople(deployment, { ...plan, pace: PACE }, random)
    expect(run.record.paid.length).toBeGreaterThanOrEqual(plan.topUps)
    expect(run.kills).toBeGreaterThanOrEqual(plan.kills)
    expect(await peopleRetained(deployment, run.record)).toEqual([])
    expect(await reconciled(deployment.direct)).toEqual([])
  })

  it("have invoiced every order once, with consecutive numbers", async () => {
    const { violations } = await checkInvoices(deployment.direct, 60_000)
    expect(violations).toEqual([])
  })
})
