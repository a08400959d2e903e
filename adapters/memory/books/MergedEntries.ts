// Several index iterations as one, highest id first.
import type { Entry } from "./SortedSet.ts"

/** Merges lists without scores that each go from the highest id to the lowest. Costs as many steps per entry as there are lists. */
export function* mergedDescending<Id extends string>(lists: ReadonlyArray<Iterable<Entry<Id>>>): Iterable<Entry<Id>> {
  const open = lists.map((list) => {
    const entries = list[Symbol.iterator]()
    return { entries, head: entries.next() }
  })
  for (;;) {
    let highest: Entry<Id> | undefined
    let from: (typeof open)[number] | undefined
    for (const one of open) {
      if (one.head.done === true || (highest !== undefined && one.head.value.id <= highest.id)) continue
      highest = one.head.value
      from = one
    }
    if (highest === undefined || from === undefined) return
    yield highest
    from.head = from.entries.next()
  }
}
