// The short form of `npm run kills`: real service processes on one database, killed with SIGKILL under load, and the database
// brought down under them; told to stop; and the same call many times at once.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { diceOf } from "#test/kills/Dice.ts"
import { stopEach } from "#test/kills/Interruptions.ts"
import { besiege, verdict } from "#test/kills/Siege.ts"
import { type Stage, setUp } from "#test/kills/Stage.ts"
import { fightOver } from "#test/kills/Twins.ts"

const QUOTE_TTL_SECONDS = 2

/** However slow the machine, it goes on until so much has happened. */
const LEAST = { kills: 4, restarts: 1, answers: 21 }

describe("two services on one database", () => {
  let stage: Stage
  const dice = diceOf(Date.now())

  beforeAll(async () => {
    const size = { instances: 2, accounts: 4, articles: 60 }
    stage = await setUp({ ...size, durable: false, quoteTtlSeconds: QUOTE_TTL_SECONDS })
  })

  afterAll(() => stage?.end())

  it("answer the same call, a hundred times at once, with one order for each key, and count the cap once", async () => {
    const { complaints } = await fightOver(stage, { keys: 20, twins: 100, atOnce: 2 })
    expect(complaints).toEqual([])
  })

  it("keep every answer and every cent while they are killed and the database goes down", async () => {
    const siege = await besiege(
      stage,
      { ...LEAST, seconds: 100, agents: 8, pace: { meanLifeMs: 600, leastPauseMs: 2_000 } },
      dice
    )
    expect(siege.kills).toBeGreaterThanOrEqual(LEAST.kills)
    expect(siege.restarts).toBeGreaterThanOrEqual(LEAST.restarts)
    expect(siege.diary.answered.length).toBeGreaterThanOrEqual(LEAST.answers)
    expect(await verdict(stage, siege.diary, dice, QUOTE_TTL_SECONDS)).toEqual([])
  })

  it("answer what is under way when they are told to stop under load, and end with status 0", async () => {
    const { diary, complaints } = await stopEach(stage, 8, dice)
    expect(complaints).toEqual([])
    expect(diary.answered.length).toBeGreaterThan(0)
    expect(await verdict(stage, diary, dice, QUOTE_TTL_SECONDS)).toEqual([])
  })
})
