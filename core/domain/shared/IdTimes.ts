// How far the times in ids and those of what they name may be apart, and so what a list by id that is narrowed by time need not examine.
import { DAY_MS, idPrefixAt, type Millis } from "./DecisionContext.ts"

/** Ids ascend with the time of what they name, and run ahead of it by no more than the clocks of instances differ. */
const CLOCKS_DIFFER_MS = DAY_MS

/** Before every id of what was made then or later; `""` without a time. */
export const oldestPrefix = (fromMs: Millis | undefined): string =>
  fromMs === undefined ? "" : idPrefixAt(fromMs - CLOCKS_DIFFER_MS)

/** Where a page of a list that is newest first begins: behind what is newer than `toMs`, so that none of it is examined. */
export const startBefore = <Place extends string>(
  before: Place | null,
  toMs: Millis | undefined,
  placeOf: (idPrefix: string) => Place
): Place | null => {
  if (toMs === undefined) return before
  const newest = placeOf(idPrefixAt(toMs + CLOCKS_DIFFER_MS))
  return before !== null && before < newest ? before : newest
}

/** Whether all that follows in such a list is older than `fromMs`. */
export const isTooOld = (examinedToMs: Millis | null, fromMs: Millis | undefined): boolean =>
  examinedToMs !== null && fromMs !== undefined && examinedToMs + CLOCKS_DIFFER_MS < fromMs
