// Kills the service under load: `npm run kills -- [siege] [twins] [interruptions] [deliveries] [options]`, all of them unless some
// are named. Says what it did and what came of it; ends with status 1 where anything was not as it must be.
import { Result } from "effect"
import { cutShort, flood, handedBack } from "./Deliveries.ts"
import { type Dice, diceOf } from "./Dice.ts"
import { shakeOnce, stopEach } from "./Interruptions.ts"
import { type Options, optionsFrom, type PartName, USAGE } from "./Options.ts"
import { startReceiver } from "./Receiver.ts"
import { besiege, told, verdict } from "./Siege.ts"
import { type Stage, setUp } from "./Stage.ts"
import { fightOver } from "./Twins.ts"
import { reconciled } from "./Verdict.ts"

const QUOTE_TTL_SECONDS = 8
/** The database is restarted every five to ten seconds. */
const PACE = { meanLifeMs: 1_500, leastPauseMs: 5_000 }
const say = (line: string): void => console.log(line)

type Part = (stage: Stage, dice: Dice, options: Options) => Promise<ReadonlyArray<string>>

/** The second half of the kills meets one instance more. */
const siege: Part = async (stage, dice, { kills, seconds, agents }) => {
  const plan = { kills: Math.ceil(kills / 2), restarts: 1, answers: 1, seconds: seconds / 2, agents }
  const complaints: Array<string> = []
  for (const half of [1, 2]) {
    if (half === 2) await stage.instances.add()
    say(`siege of ${stage.instances.places.length} instances`)
    const result = await besiege(stage, { ...plan, pace: PACE }, dice)
    for (const line of told(result)) say(`  ${line}`)
    complaints.push(...(await verdict(stage, result.diary, dice, QUOTE_TTL_SECONDS)))
  }
  return complaints
}

const twins: Part = async (stage, _dice, { keys }) => {
  const { calls, seconds, complaints } = await fightOver(stage, { keys, twins: 100, atOnce: 4 })
  say(`twins: ${calls} calls for ${keys} orders in ${seconds.toFixed(0)} s`)
  return complaints
}

const interruptions: Part = async (stage, dice, { agents }) => {
  const complaints: Array<string> = []
  for (const interrupt of [
    () => shakeOnce(stage, "fast", agents, dice),
    () => shakeOnce(stage, "immediate", agents, dice),
    () => stopEach(stage, agents, dice)
  ]) {
    const result = await interrupt()
    for (const line of result.figures) say(line)
    complaints.push(...result.complaints, ...(await verdict(stage, result.diary, dice, QUOTE_TTL_SECONDS)))
  }
  return complaints
}

const deliveries: Part = async (stage, dice, { events }) => {
  const receiver = await startReceiver()
  try {
    const plan = { events, owners: 20, pace: { ...PACE, meanLifeMs: 4_000 }, withinMs: 600_000 }
    const complaints: Array<string> = []
    for (const tell of [() => cutShort(stage, receiver), () => flood(stage, receiver, plan, dice)]) {
      const result = await tell()
      for (const line of result.figures) say(line)
      complaints.push(...result.complaints)
    }
    return [...complaints, ...(await handedBack(stage)), ...(await reconciled(stage.inside))]
  } finally {
    receiver.stop()
  }
}

const parts: Readonly<Record<PartName, Part>> = { siege, twins, interruptions, deliveries }

const play = async (options: Options): Promise<void> => {
  say(`seed ${options.seed}`)
  const stage = await setUp({
    instances: options.instances,
    durable: true,
    quoteTtlSeconds: QUOTE_TTL_SECONDS,
    accounts: 12,
    articles: 400
  })
  try {
    for (const name of options.parts) {
      for (const complaint of await parts[name](stage, diceOf(options.seed), options)) {
        say(`WRONG: ${complaint}`)
        process.exitCode = 1
      }
    }
  } finally {
    await stage.end()
  }
  say(process.exitCode === 1 ? "not all is as it must be" : "all is as it must be")
}

const read = optionsFrom(process.argv.slice(2), Date.now())
if (Result.isFailure(read)) {
  console.error(read.failure)
  process.exitCode = 1
} else if (read.success === "help") say(USAGE)
else await play(read.success)
