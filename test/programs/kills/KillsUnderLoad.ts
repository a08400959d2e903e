// Agents place orders while processes are killed and the database is restarted; then the final checks.
import { performance } from "node:perf_hooks"
import { type LoadRecord, underLoad } from "./AgentLoad.ts"
import type { FailedTry } from "./Client.ts"
import type { Deployment } from "./Deployment.ts"
import { type FaultCounts, type FaultPace, injectFaults } from "./FaultInjection.ts"
import { reconciled, replayed, resolved, retained, uniqueEffects } from "./FinalChecks.ts"
import type { SeededRandom } from "./SeededRandom.ts"

export interface KillPlan {
  /**
   * The run ends when it has this many kills of running processes, restarts of the database and answered orders, or when the time is
   * up.
   */
  readonly kills: number
  readonly restarts: number
  readonly answers: number
  readonly seconds: number
  readonly agents: number
  readonly pace: FaultPace
}

export interface KillRun extends FaultCounts {
  readonly record: LoadRecord
  readonly seconds: number
  readonly failures: ReadonlyArray<FailedTry>
}

export const killUnderLoad = async (deployment: Deployment, plan: KillPlan, random: SeededRandom): Promise<KillRun> => {
  const began = deployment.client.failures.length
  const startMs = performance.now()
  const untilMs = startMs + plan.seconds * 1_000
  const { record, result: counts } = await underLoad(deployment, plan.agents, random, (isRunning, { answered }) =>
    injectFaults(deployment, { random, pace: plan.pace }, ({ kills, restarts }) => {
      const isOver = kills >= plan.kills && restarts >= plan.restarts && answered.length >= plan.answers
      return isRunning() && !isOver && performance.now() < untilMs
    })
  )
  const seconds = (performance.now() - startMs) / 1_000
  return { ...counts, record, seconds, failures: deployment.client.failures.slice(began) }
}

/** Sends the calls of disconnected clients again. From then on each has one answer. */
const replayDisconnected = async (
  { client }: Deployment,
  { disconnected }: LoadRecord,
  random: SeededRandom
): Promise<ReadonlyArray<string>> => {
  const answers: Array<{ readonly call: LoadRecord["disconnected"][number]; readonly body: string }> = []
  for (const call of disconnected) {
    const { reply } = await client.callUntilAnswered(call, random)
    if (reply.status === 201) answers.push({ call, body: reply.body })
  }
  return replayed(client, answers, random)
}

/** The violations, after the faults are over. */
export const finalChecks = async (
  deployment: Deployment,
  record: LoadRecord,
  random: SeededRandom,
  quoteTtlSeconds: number
) => {
  const { direct, client } = deployment
  const defects = client.failures.filter(({ why }) => why === "500").length
  return [
    ...(defects > 0 ? [`${defects} calls were answered with 500`] : []),
    ...(await replayDisconnected(deployment, record, random)),
    ...(await resolved(direct, (quoteTtlSeconds + 30) * 1_000)),
    ...(await replayed(client, record.answered, random)),
    ...(await retained(direct, record)),
    ...(await uniqueEffects(direct)),
    ...(await reconciled(direct))
  ]
}

const countEach = (values: Iterable<string>): string => {
  const counts = Map.groupBy(values, (value) => value)
  return [...counts].map(([value, { length }]) => `${length} × ${value}`).join(", ") || "none"
}

export const describeRun = ({ kills, restarts, seconds, record, failures }: KillRun): ReadonlyArray<string> => {
  const { answered, disconnected, refused, paid, abandoned, cancelled } = record
  const afterFailure = answered.filter(({ failed }) => failed.length > 0)
  const written = afterFailure.filter(({ replayed: again }) => again)
  return [
    `${kills} kills and ${restarts} restarts of the database in ${seconds.toFixed(0)} s`,
    `${answered.length} orders answered, ${paid} paid by card, ${abandoned} abandoned, ${cancelled} cancelled, ${disconnected.length} by disconnected clients`,
    `${afterFailure.length} answered after failures: ${written.length} had been written before, ${afterFailure.length - written.length} had not, or not to the end`,
    `refused: ${[...refused].map(([code, count]) => `${count} × ${code}`).join(", ") || "none"}`,
    `tries that failed: ${countEach(failures.map(({ why }) => why))}`
  ]
}
