// Plays every flood against a shop whose proxy is named and one whose proxy is not, and says what members notice: how often they were shut
// out, and how long each thing took at most.
import { FLOODS, type FloodSizes } from "./Floods.ts"
import { ACTS, type Act, type Acts, membersOf, reviewersOf } from "./Members.ts"
import { type Shop, startShop } from "./Shop.ts"

export interface Noticed {
  readonly done: number
  readonly slowestMs: number
  /** Why something was not done. */
  readonly problems: ReadonlyArray<string>
}

export interface Row {
  readonly flood: string
  readonly isProxyNamed: boolean
  readonly sent: number
  readonly answered: number
  readonly noticed: Readonly<Record<Act, Noticed>>
}

/** A browser may ask for five links an hour, and a reviewer for ten sign-ins over all floods. */
const ONCE: ReadonlyArray<Act> = ["reviewer signs in"]

const tryAct = async (acts: Acts, act: Act, rounds: number): Promise<Noticed> => {
  const problems: Array<string> = []
  let [done, slowestMs] = [0, 0]
  for (let round = 0; round < (ONCE.includes(act) ? 1 : rounds); round++) {
    const startMs = performance.now()
    try {
      await acts[act]()
      done++
      slowestMs = Math.max(slowestMs, performance.now() - startMs)
    } catch (error) {
      problems.push(`${act}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { done, slowestMs, problems }
}

export interface FloodPlan extends FloodSizes {
  /** How often a member does each thing during a flood, at most five times. */
  readonly rounds: number
}

const playFloods = async (shop: Shop, isProxyNamed: boolean, plan: FloodPlan, tell: (row: Row) => void) => {
  const reviewer = await reviewersOf(shop)
  for (const flood of FLOODS) {
    const members = await membersOf(shop, reviewer)
    const running = await flood.start(shop, members, plan)
    const noticed: Array<readonly [Act, Noticed]> = []
    for (const act of ACTS) noticed.push([act, await tryAct(members.acts, act, plan.rounds)])
    const { sent, answered } = running.counts()
    await running.stop()
    // An entry for each act.
    const all = Object.fromEntries(noticed) as Readonly<Record<Act, Noticed>>
    tell({ flood: flood.name(plan), isProxyNamed, sent, answered, noticed: all })
  }
}

/** `databaseUrl`: a new database at each call. */
export const floodTable = async (
  plan: FloodPlan,
  databaseUrl: () => Promise<string>,
  tell: (row: Row) => void = () => undefined
): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  for (const isProxyNamed of [true, false]) {
    const shop = await startShop({ databaseUrl: await databaseUrl(), isProxyNamed })
    try {
      await playFloods(shop, isProxyNamed, plan, (row) => {
        rows.push(row)
        tell(row)
      })
    } finally {
      await shop.end()
    }
  }
  return rows
}

const cellOf = ({ done, slowestMs, problems }: Noticed): string =>
  problems.length === 0
    ? `at most ${(slowestMs / 1_000).toFixed(1)} s`
    : `SHUT OUT ${problems.length} of ${done + problems.length}`

export const shutOut = ({ noticed }: Row): ReadonlyArray<string> => ACTS.flatMap((act) => noticed[act].problems)

export const HEAD = [
  `| flood | proxy | requests | ${ACTS.join(" | ")} |`,
  `| --- | --- | --- | ${ACTS.map(() => "---").join(" | ")} |`
].join("\n")

export const lineOf = ({ flood, isProxyNamed, sent, answered, noticed }: Row): string => {
  const cells = ACTS.map((act) => cellOf(noticed[act]))
  return `| ${[flood, isProxyNamed ? "named" : "not named", `${answered} of ${sent}`, ...cells].join(" | ")} |`
}
