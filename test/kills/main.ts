// `npm run kills -- [kills] [duplicates] [interruptions] [deliveries] [options]`: kills service processes and restarts the database
// under load, then checks the books. Runs all parts unless some are named; exits with status 1 on any violation.
import { Result } from "effect"
import { floodEvents, killDuringAttempt, leasesReleased } from "./Deliveries.ts"
import { type Deployment, startDeployment } from "./Deployment.ts"
import { sendDuplicates } from "./DuplicateCalls.ts"
import { reconciled } from "./FinalChecks.ts"
import { restartDatabase, stopEachInstance } from "./Interruptions.ts"
import { describeRun, finalChecks, killUnderLoad } from "./KillsUnderLoad.ts"
import { type Options, optionsFrom, type PartName, USAGE } from "./Options.ts"
import { type SeededRandom, seededRandom } from "./SeededRandom.ts"
import { startReceiver } from "./WebhookReceiver.ts"

const QUOTE_TTL_SECONDS = 8
/** The database is restarted every five to ten seconds. */
const PACE = { meanUptimeMs: 1_500, minPauseMs: 5_000 }
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

const parts: Readonly<Record<PartName, Part>> = { kills, duplicates, interruptions, deliveries }

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
