// When requests start: few at once, one of each account in turn, searches one by one while orders come. None is lost.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type AdmittedRequest, type RequestKind, RequestSchedule } from "#adapters/http/server/RequestSchedule.ts"
import { property } from "#test/Property.ts"

/** An event loop whose turns and clock the test moves. */
const testSchedule = () => {
  let nowMs = 1_000
  let next: Array<() => void> = []
  const timers: Array<{ readonly atMs: number; readonly run: () => void }> = []
  const schedule = new RequestSchedule({
    nowMs: () => nowMs,
    runNextTurn: (run) => void next.push(run),
    runAfterMs: (run, ms) => void timers.push({ atMs: nowMs + ms, run })
  })
  const running = new Map<string, AdmittedRequest>()
  const log: Array<string> = []
  const turn = (): void => {
    const due = next
    next = []
    for (const run of due) run()
  }
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed++) {
      nowMs++
      for (const timer of timers.splice(0)) timer.atMs <= nowMs ? timer.run() : timers.push(timer)
      turn()
    }
  }
  const send = (name: string, kind: RequestKind, owner = name): AdmittedRequest | undefined => {
    const started = schedule.startAtOnce(kind)
    if (started !== undefined) {
      running.set(name, started)
      log.push(name)
      return started
    }
    const added = schedule.add(owner, kind, {
      start: () => {
        log.push(name)
        if (added !== undefined) running.set(name, added)
      },
      refuse: () => log.push(`${name} refused`)
    })
    if (added === undefined) log.push(`${name} refused`)
    return added
  }
  const end = (name: string): void => {
    const request = running.get(name)
    if (request !== undefined) schedule.end(request)
    running.delete(name)
  }
  /** What was logged since the last look. */
  const news = (): ReadonlyArray<string> => log.splice(0)
  return { schedule, running, turn, pass, send, end, news }
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, nth) => `${name}${nth}`)

describe("requests", () => {
  it("start eight in a turn of the event loop, and 64 orders", () => {
    const { send, turn, news, schedule } = testSchedule()
    for (const name of numbered("r", 20)) send(name, "other", "one account")
    for (const name of numbered("o", 70)) send(name, "order", "one account")
    expect(news()).toEqual([...numbered("r", 8), ...numbered("o", 64)])
    turn()
    expect(news()).toEqual([...numbered("o", 70).slice(64), ...numbered("r", 16).slice(8)])
    turn()
    expect([news(), schedule.waiting]).toEqual([numbered("r", 20).slice(16), 0])
    turn()
    send("later", "other")
    expect(news()).toEqual(["later"])
  })

  it.each(["search", "order", "other"] as const)(
    "of an account with 500 that wait do not delay one of another (%s)",
    (kind) => {
      const { send, turn, news } = testSchedule()
      for (const name of numbered("greedy", 500)) send(name, kind, "greedy")
      send("bystander", kind)
      news()
      turn()
      expect(news()).toContain("bystander")
    }
  )

  it("of an account with 500 searches let one of another go next, while orders come", () => {
    const { send, pass, news, end } = testSchedule()
    send("order", "order")
    for (const name of numbered("greedy", 500)) send(name, "search", "greedy")
    send("bystander", "search")
    for (const name of ["greedy0", "greedy1"]) {
      end(name)
      pass(1)
    }
    expect(news()).toEqual(["order", "greedy0", "greedy1", "bystander"])
  })

  it("of one account start in order of arrival, but none waits for the account's searches", () => {
    const { send, turn, news, end } = testSchedule()
    send("order", "order")
    for (const name of numbered("s", 8)) send(name, "search", "account")
    for (const name of numbered("o", 3)) send(name, "other", "account")
    expect(news()).toEqual(["order", "s0", "o0", "o1", "o2"])
    end("order")
    turn()
    expect(news()).toEqual([])
  })

  it("that waited for five seconds are refused, in small groups", () => {
    const { send, pass, news, schedule } = testSchedule()
    send("order", "order")
    for (const name of numbered("s", 60)) send(name, "search", "account")
    pass(5_000)
    expect(news()).toEqual(["order", "s0"])
    pass(20)
    expect(news()).toEqual(
      numbered("s", 21)
        .slice(1)
        .map((name) => `${name} refused`)
    )
    pass(60)
    expect(news()).toHaveLength(39)
    expect(schedule.waiting).toBe(0)
  })

  it("beyond 5,000 take the place of the account with most, unless that is their own", () => {
    const { send, news, schedule } = testSchedule()
    send("order", "order")
    for (const name of numbered("s", 5_001)) send(name, "search", "greedy")
    news()
    send("own", "search", "greedy")
    send("bystander", "search")
    expect(news()).toEqual(["own refused", "s5000 refused"])
    expect(schedule.waiting).toBe(5_000)
  })

  it("that end while they wait never start, and end only once", () => {
    const { schedule, send, turn, news, end } = testSchedule()
    send("order", "order")
    send("running", "search")
    const gone = send("gone", "search")
    send("next", "search")
    if (gone !== undefined) for (let times = 0; times < 2; times++) schedule.end(gone)
    end("order")
    end("running")
    turn()
    expect([news(), schedule.waiting]).toEqual([["order", "running"], 1])
  })
})

describe("searches", () => {
  it("start freely without orders", () => {
    const { send, turn, news } = testSchedule()
    for (const name of numbered("s", 8)) send(name, "search")
    turn()
    expect(news()).toEqual(numbered("s", 8))
  })

  it("run 32 at a time without orders, and the next are of other accounts than those with most", () => {
    const { send, turn, news, end } = testSchedule()
    for (const name of numbered("greedy", 500)) send(name, "search", "greedy")
    for (let turns = 0; turns < 10; turns++) turn()
    expect(news()).toEqual(numbered("greedy", 32))
    for (const name of numbered("bystander", 2)) send(name, "search")
    for (const name of ["greedy0", "greedy1", "greedy2"]) {
      end(name)
      turn()
    }
    expect(news()).toEqual(["greedy32", "bystander0", "bystander1"])
  })

  it("run one at a time while an order runs, each after a pause as long as the last one took", () => {
    const { send, pass, end, news } = testSchedule()
    send("order", "order")
    for (const name of numbered("s", 3)) send(name, "search")
    pass(500)
    expect(news()).toEqual(["order", "s0"])
    end("s0")
    pass(49)
    expect(news()).toEqual([])
    pass(1)
    expect(news()).toEqual(["s1"])
    pass(3)
    end("s1")
    pass(2)
    expect(news()).toEqual([])
    pass(1)
    expect(news()).toEqual(["s2"])
  })

  it("make room for a tenth of a second after the last order", () => {
    const { send, pass, end, news } = testSchedule()
    send("order", "order")
    pass(300)
    end("order")
    pass(99)
    for (const name of numbered("s", 3)) send(name, "search")
    expect(news()).toEqual(["order", "s0"])
    pass(1)
    end("s0")
    pass(1)
    expect(news()).toEqual(["s1", "s2"])
  })
})

const kind = fc.constantFrom<RequestKind>("order", "search", "other")

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ send: kind, owner: fc.constantFrom("a", "b", "c") }) },
  { weight: 3, arbitrary: fc.record({ end: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ passMs: fc.nat(300) }) }
)

property(
  "each request starts or is refused exactly once, few in a turn, and none waits for ever",
  [fc.array(step, { maxLength: 80 })],
  (steps) => {
    const { schedule, send, end, pass, turn, news, running } = testSchedule()
    const outcomes: Array<string> = []
    let sent = 0
    for (const one of steps) {
      if ("send" in one) send(String(sent++), one.send, one.owner)
      else if ("end" in one) end(String(one.end))
      else pass(one.passMs)
      outcomes.push(...news())
      turn()
      const started = news()
      expect(started.length).toBeLessThanOrEqual(17)
      outcomes.push(...started)
    }
    // Also with none running: a search may wait for the end of a pause.
    do {
      for (const name of [...running.keys()]) end(name)
      pass(60)
      outcomes.push(...news())
    } while (running.size > 0)
    expect(schedule.waiting).toBe(0)
    expect(outcomes.map((outcome) => Number.parseInt(outcome, 10)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: sent }, (_, nth) => nth)
    )
  }
)
