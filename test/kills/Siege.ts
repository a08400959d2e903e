// Business as usual while processes are killed and the database is restarted. What it came to, and whether it was right.
import { performance } from "node:perf_hooks"
import type { Failed } from "./Client.ts"
import type { Dice } from "./Dice.ts"
import { type Havoc, type Pace, wreak } from "./Havoc.ts"
import { type Diary, meanwhile } from "./Shopping.ts"
import type { Stage } from "./Stage.ts"
import { kept, once, reconciled, replayed, resolved } from "./Verdict.ts"

export interface SiegePlan {
  /**
   * It is over when so many kills have met somebody, the database was restarted so often and so many orders were answered, or when
   * the time is up.
   */
  readonly kills: number
  readonly restarts: number
  readonly answers: number
  readonly seconds: number
  readonly agents: number
  readonly pace: Pace
}

export interface Siege extends Havoc {
  readonly diary: Diary
  readonly seconds: number
  readonly failures: ReadonlyArray<Failed>
}

export const besiege = async (stage: Stage, plan: SiegePlan, dice: Dice): Promise<Siege> => {
  const began = stage.client.failures.length
  const startMs = performance.now()
  const untilMs = startMs + plan.seconds * 1_000
  const { diary, result: havoc } = await meanwhile(stage, plan.agents, dice, (goesOn, { answered }) =>
    wreak(stage, { dice, pace: plan.pace }, ({ kills, restarts }) => {
      const isOver = kills >= plan.kills && restarts >= plan.restarts && answered.length >= plan.answers
      return goesOn() && !isOver && performance.now() < untilMs
    })
  )
  const seconds = (performance.now() - startMs) / 1_000
  return { ...havoc, diary, seconds, failures: stage.client.failures.slice(began) }
}

/** Who went away comes back and asks again: whatever became of it, there is one answer from then on. */
const comeBack = async ({ client }: Stage, { left }: Diary, dice: Dice): Promise<ReadonlyArray<string>> => {
  const answers: Array<{ readonly call: Diary["left"][number]; readonly body: string }> = []
  for (const call of left) {
    const { reply } = await client.insist(call, dice)
    if (reply.status === 201) answers.push({ call, body: reply.body })
  }
  return replayed(client, answers, dice)
}

/** Once the dust has settled. Empty when all is as it must be. */
export const verdict = async (stage: Stage, diary: Diary, dice: Dice, quoteTtlSeconds: number) => {
  const { inside, client } = stage
  const mistakes = client.failures.filter(({ why }) => why === "500").length
  return [
    ...(mistakes > 0 ? [`${mistakes} calls were answered with 500`] : []),
    ...(await comeBack(stage, diary, dice)),
    ...(await resolved(inside, (quoteTtlSeconds + 30) * 1_000)),
    ...(await replayed(client, diary.answered, dice)),
    ...(await kept(inside, diary)),
    ...(await once(inside)),
    ...(await reconciled(inside))
  ]
}

const tally = (values: Iterable<string>): string => {
  const counts = Map.groupBy(values, (value) => value)
  return [...counts].map(([value, { length }]) => `${length} × ${value}`).join(", ") || "none"
}

export const told = ({ kills, restarts, seconds, diary, failures }: Siege): ReadonlyArray<string> => {
  const { answered, left, refused, paid, abandoned, cancelled } = diary
  const afterFailure = answered.filter(({ failed }) => failed.length > 0)
  const written = afterFailure.filter(({ replayed: again }) => again)
  return [
    `${kills} kills and ${restarts} restarts of the database in ${seconds.toFixed(0)} s`,
    `${answered.length} orders answered, ${paid} paid by card, ${abandoned} given up, ${cancelled} cancelled, ${left.length} not waited for`,
    `${afterFailure.length} answered after failures: ${written.length} had been written before, ${afterFailure.length - written.length} had not, or not to the end`,
    `refused: ${[...refused].map(([code, count]) => `${count} × ${code}`).join(", ") || "none"}`,
    `tries that failed: ${tally(failures.map(({ why }) => why))}`
  ]
}
