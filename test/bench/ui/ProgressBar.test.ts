// The progress bar keeps its width, fills from left to right, and reads by its shapes alone.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { MILESTONES, type OrderProgress, progressBar, progressBarWidth, statusText } from "#bench/ui/ProgressBar.ts"
import { LinkStatus, STAGES } from "#core/domain/ordering/Link.ts"
import { property } from "#test/Property.ts"

const paid = (...links: OrderProgress["links"]): OrderProgress => ({ quote: "paid", links })
const draw = (life: OrderProgress): string => {
  const { done, ahead } = progressBar(life, 1)
  return `${done}|${ahead} ${statusText(life)}`
}

const anyLinks = fc.array(fc.constantFrom(...LinkStatus.literals), { minLength: 1, maxLength: 20 })
const anyStages = fc.array(fc.nat(STAGES.length - 2), { minLength: 1, maxLength: 20 })

describe("the progress bar", () => {
  it.each([
    [{ quote: "awaiting_payment", links: [] }, "●|─○─○─○─○─○─○─○ awaiting payment"],
    [{ quote: "abandoned", links: [] }, "●━✕| abandoned"],
    [paid(), "●━●|─○─○─○─○─○─○ paid"],
    [paid("to_assign"), "●━●|─○─○─○─○─○─○ paid"],
    [paid("assigned", "in_review"), "●━●━●━◐━◐|─○─○─○ in review 1/2"],
    [paid("published", "published"), "●━●━●━●━●━●━●|─○ published"],
    [paid("verified", "cancelled"), "●━●━●━●━●━●━●━●| verified"],
    [paid("cancelled", "cancelled"), "●━●━✕| cancelled"]
  ] satisfies ReadonlyArray<[OrderProgress, string]>)("%j", (life, picture) => {
    expect(draw(life)).toBe(picture)
  })

  property(
    "has the width it names, unless the order ended",
    [anyLinks, fc.integer({ min: 1, max: 9 })],
    (links, gap) => {
      const { done, ahead } = progressBar(paid(...links), gap)
      if (!done.endsWith("✕")) expect(done.length + ahead.length).toBe(progressBarWidth(gap))
    }
  )

  property("fills as a link moves on", [anyStages, fc.nat(19)], (indices, which) => {
    const at = (stages: ReadonlyArray<number>) => stages.map((index) => STAGES[index] ?? "to_assign")
    const moved = indices.map((index, position) => (position === which % indices.length ? index + 1 : index))
    const before = progressBar(paid(...at(indices)), 1)
    const after = progressBar(paid(...at(moved)), 1)
    const full = (text: string) => text.split("●").length
    expect(after.done.length).toBeGreaterThanOrEqual(before.done.length)
    expect(full(after.done)).toBeGreaterThanOrEqual(full(before.done))
  })

  it("has a stop for the quote, the payment and every later stage", () => {
    expect(MILESTONES).toHaveLength(STAGES.length + 1)
  })
})
