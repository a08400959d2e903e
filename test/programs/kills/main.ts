// `npm run kills -- [kills] [duplicates] [interruptions] [deliveries] [invoices] [people] [options]`: kills service processes and restarts the database
// under load, then checks the books. Runs all parts unless some are named; exits with status 1 on any violation.
import { Result } from "effect"
import { floodEvents, killDuringAttempt, leasesReleased } from "./Deliveries.ts"
import { type Deployment, startDeployment } from "./Deployment.ts"
import { sendDuplicates } from "./DuplicateCalls.ts"
import { reconciled } from "./FinalChecks.ts"
import { restartDatabase, stopEachInstance } from "./Interruptions.ts"
import { checkInvoices } from "./InvoiceNumbers.ts"
import { describeRun, finalChecks, killUnderLoad } from "./KillsUnderLoad.ts"
import { type Options, optionsFrom, type PartName, USAGE } from "./Options.ts"
import { killUnderPeople, peopleRetained } from "./People.ts"
import { type SeededRandom, seededRandom } from "./SeededRandom.ts"
import { createUnlimitedData } from "./TestData.ts"
import { startReceiver } from "./WebhookReceiver.ts"

const QUOTE_TTL_SECONDS = 8
/** The database is restarted every five to ten seconds. */
const PACE = { meanUptimeMs: 1_500, minPauseMs: 5_000 }
/** Each order waits for the others of its account. */
const RICH_ACCOUNTS = 40
const print = (line: string): void => console.log(line)

type Part = (deployment: Deployment, random: SeededRandom, options: Options) => Promise<ReadonlyArray<string>>

/** The second half of the kills runs with one more instance. */
const kills: Part = async (deployment, random, { kills: count, seconds, agents }) => {
  const plan = { kills: Math.ceil(count / 2), restarts: 1, answers: 1, seconds: seconds / 2, agents }
  const violations: Array<string> = []
  for (const half of [1, 2]) {
    if (half === 2) await deployment.instances.add()
    print(`kills under load: ${deployment.instances.slots.length} instances`)
    const result = await killUnderLoad(deployment, { ...plan, pace: PACE }, random)
    for (const line of describeRun(result)) print(`  ${line}`)
    violations.push(...(await finalChecks(deployment, result.record, random, QUOTE_TTL_SECONDS)))
  }
  return violations
}

const duplicates: Part = async (deployment, _random, { keys }) => {
  const { calls, seconds, violations } = await sendDuplicates(deployment, { keys, copies: 100, atOnce: 4 })
  print(`duplicates: ${calls} calls for ${keys} orders in ${seconds.toFixed(0)} s`)
  return violations
}

const interruptions: Part = async (deployment, random, { agents }) => {
  const violations: Array<string> = []
  for (const interrupt of [
    () => restartDatabase(deployment, "fast", agents, random),
    () => restartDatabase(deployment, "immediate", agents, random),
    () => stopEachInstance(deployment, agents, random)
  ]) {
    const result = await interrupt()
    for (const line of result.figures) print(line)
    violations.push(...result.violations, ...(await finalChecks(deployment, result.record, random, QUOTE_TTL_SECONDS)))
  }
  return violations
}

const deliveries: Part = async (deployment, random, { events }) => {
  const receiver = await startReceiver()
  try {
    const plan = { events, owners: 20, pace: { ...PACE, meanUptimeMs: 4_000 }, withinMs: 600_000 }
    const violations: Array<string> = []
    for (const run of [
      () => killDuringAttempt(deployment, receiver),
      () => floodEvents(deployment, receiver, plan, random)
    ]) {
      const result = await run()
      for (const line of result.figures) print(line)
      violations.push(...result.violations)
    }
    return [...violations, ...(await leasesReleased(deployment)), ...(await reconciled(deployment.direct))]
  } finally {
    receiver.stop()
  }
}

/** Services live longer than in `kills`, so that many orders are placed. */
const INVOICE_PACE = { meanUptimeMs: 20_000, minPauseMs: 20_000 }
/** The time from an order to its invoice, and from the end of the load to the last document. */
const ISSUED_WITHIN_S = 60

/** The second half of the orders is placed with one more instance. */
const invoices: Part = async (deployment, random, { orders, seconds, agents }) => {
  const unlimited = { ...deployment, testData: await deployment.direct.run(createUnlimitedData(RICH_ACCOUNTS)) }
  const plan = { kills: 5, restarts: 1, answers: Math.ceil(orders / 2), seconds: seconds / 2, agents }
  const violations: Array<string> = []
  for (const half of [1, 2]) {
    if (half === 2) await deployment.instances.add()
    print(`invoices under load: ${deployment.instances.slots.length} instances`)
    const result = await killUnderLoad(unlimited, { ...plan, pace: INVOICE_PACE }, random)
    for (const line of describeRun(result)) print(`  ${line}`)
    const { answered } = result.record
    if (answered.length < plan.answers) violations.push(`only ${answered.length} orders in ${plan.seconds} s`)
    const found = await checkInvoices(deployment.direct, ISSUED_WITHIN_S * 1_000)
    print(`  ${found.figures}`)
    if (found.longestWaitS > ISSUED_WITHIN_S) violations.push(`an order waited ${found.longestWaitS} s for its invoice`)
    violations.push(...found.violations, ...(await reconciled(deployment.direct)))
  }
  return violations
}

/** The second half runs with one more instance. */
const people: Part = async (deployment, random, { kills: count, seconds, agents }) => {
  const plan = { kills: Math.ceil(count / 2), restarts: 1, topUps: 1, people: agents, seconds: seconds / 2, pace: PACE }
  const violations: Array<string> = []
  for (const half of [1, 2]) {
    if (half === 2) await deployment.instances.add()
    const { kills: done, restarts, record } = await killUnderPeople(deployment, plan, random)
    print(
      `people: ${deployment.instances.slots.length} instances, ${done} kills and ${restarts} restarts of the database`
    )
    const { sessions, links, paid, unpaid, invited } = record
    print(
      `  ${sessions.length} sessions of ${links} links, ${paid.length} top-ups paid, ${unpaid.length} not, ${invited.length} invitations`
    )
    violations.push(...(await peopleRetained(deployment, record)), ...(await reconciled(deployment.direct)))
  }
  return violations
}

const parts: Readonly<Record<PartName, Part>> = { kills, duplicates, interruptions, deliveries, invoices, people }

const run = async (options: Options): Promise<void> => {
  print(`seed ${options.seed}`)
  const deployment = await startDeployment({
    instances: options.instances,
    durable: true,
    quoteTtlSeconds: QUOTE_TTL_SECONDS,
    accounts: 12,
    articles: 400
  })
  try {
    for (const name of options.parts) {
      for (const violation of await parts[name](deployment, seededRandom(options.seed), options)) {
        print(`VIOLATION: ${violation}`)
        process.exitCode = 1
      }
    }
  } finally {
    await deployment.end()
  }
  print(process.exitCode === 1 ? "there are violations" : "no violation")
}

const read = optionsFrom(process.argv.slice(2), Date.now())
if (Result.isFailure(read)) {
  console.error(read.failure)
  process.exitCode = 1
} else if (read.success === "help") print(USAGE)
else await run(read.success)
