// Ids made from moments sort as they were made: within a process, and along an account's decisions whoever made them, even by
// clocks that stand still or go back.
import fc from "fast-check"
import { expect } from "vitest"
import { ascendingMoments } from "#adapters/postgres/Moments.ts"
import { MOMENT_ENTROPY_BYTES, makeMoment } from "#core/domain/Moment.ts"
import { property } from "#test/Property.ts"

const entropy = fc.uint8Array({ minLength: MOMENT_ENTROPY_BYTES, maxLength: MOMENT_ENTROPY_BYTES })
/** Few different times, so that most moments meet others of the same millisecond. */
const nowMs = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_003 })
const call = fc.record({ nowMs, entropy, instance: fc.integer({ min: 0, max: 2 }) })

const calls = fc.array(call, { maxLength: 20 })

property("of one process, stems ascend whatever the clock does, which the moments tell", [calls], (all) => {
  const momentAfter = ascendingMoments()
  const moments = all.map(({ nowMs, entropy }) => momentAfter(nowMs, entropy, ""))
  const stems = moments.map(({ stem }) => stem)
  expect(stems).toEqual([...new Set(stems)].sort())
  expect(moments.map(({ nowMs }) => nowMs)).toEqual(all.map(({ nowMs }) => nowMs))
})

property("of one account, stems ascend whichever instance makes them", [calls], (all) => {
  const instances = [ascendingMoments(), ascendingMoments(), ascendingMoments()]
  const stems: Array<string> = []
  for (const { nowMs, entropy, instance } of all) {
    const momentAfter = instances[instance]
    if (momentAfter !== undefined) stems.push(momentAfter(nowMs, entropy, stems.at(-1) ?? "").stem)
  }
  expect(stems).toEqual([...new Set(stems)].sort())
  expect(stems).toHaveLength(all.length)
})

property("a secret is of the fresh bytes alone", [call, call], (one, other) => {
  const momentAfter = ascendingMoments()
  momentAfter(one.nowMs, one.entropy, "")
  const { secret } = momentAfter(one.nowMs, other.entropy, "")
  expect(secret).toBe(makeMoment(other.nowMs, other.entropy).secret)
})
